#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <string>

namespace sconverge::test {

inline void tell(int descriptor, const std::string& text) {
  if (::write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    std::_Exit(1);
  }
}

/// A forked copy of this process that does one thing, tells lines about it, and is killed at the
/// latest with this object.
class ChildProcess {
 public:
  explicit ChildProcess(const std::function<void(int answer)>& work) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ < 0) std::abort();
    if (pid_ == 0) {
      ::close(ends[0]);
      work(ends[1]);
      std::_Exit(0);
    }
    ::close(ends[1]);
    answers_ = ends[0];
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    kill();
    ::close(answers_);
  }

  [[nodiscard]] pid_t pid() const { return pid_; }

  /// The next line it told; empty once it has ended and all was read.
  std::string line() {
    std::string text;
    char c = 0;
    while (::read(answers_, &c, 1) == 1 && c != '\n') text += c;
    return text;
  }

  /// kill -9, and waits for the end.
  void kill() {
    if (dead_) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    dead_ = true;
  }

 private:
  pid_t pid_{-1};
  int answers_{-1};
  bool dead_{false};
};

}  // namespace sconverge::test
