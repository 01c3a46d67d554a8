#include "tests/e2e/process.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace sconverge::test {
namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const auto& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::_Exit(126);
}

/// Between fork and exec. The program is opened as the caller, because another user may not be
/// allowed into the directory that it lies in.
[[noreturn]] void become(const Program& program, int out, int err) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int file = ::open(program.arguments.front().c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) give_up(program.arguments.front().c_str());
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (::dup2(nothing, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) give_up("dup2");
  if (program.user) {
    const auto group = static_cast<gid_t>(*program.user);
    if (::setgroups(0, nullptr) != 0 || ::setgid(group) != 0 || ::setuid(*program.user) != 0) {
      give_up("setuid");
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of user clears it
  }
  const auto arguments = pointers_to(program.arguments);
  if (program.environment) {
    ::fexecve(file, arguments.data(), pointers_to(*program.environment).data());
  } else {
    ::fexecve(file, arguments.data(), environ);
  }
  give_up(program.arguments.front().c_str());
}

/// A file without a name.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile()) {
    if (file_ == nullptr) std::abort();
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { (void)std::fclose(file_); }

  [[nodiscard]] int descriptor() const { return ::fileno(file_); }
  [[nodiscard]] std::string text() const {
    std::string text;
    std::array<char, 4096> part{};
    off_t at = 0;
    for (ssize_t got = 0; (got = ::pread(descriptor(), part.data(), part.size(), at)) > 0;
         at += got) {
      text.append(part.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  FILE* file_;
};

}  // namespace

pid_t start(const Program& program, int out, int err) {
  const pid_t child = ::fork();
  if (child < 0) std::abort();
  if (child == 0) become(program, out, err);
  return child;
}

int wait_for(pid_t process) {
  int status = 0;
  if (::waitpid(process, &status, 0) != process) std::abort();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Ended run(const Program& program) {
  const Scratch out;
  const Scratch err;
  const int code = wait_for(start(program, out.descriptor(), err.descriptor()));
  return {code, out.text(), err.text()};
}

}  // namespace sconverge::test
