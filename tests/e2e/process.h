#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sconverge::test {

/// What became of a program that ran to its end.
struct Ended {
  int code{-1};  ///< exit code, or 128 + the signal that ended it
  std::string out{};
  std::string err{};
};

struct Program {
  std::vector<std::string> arguments;  ///< the first is the path of a binary, not of a script
  std::optional<std::vector<std::string>> environment{};  ///< "KEY=value"; absent: this process's
  std::optional<uid_t> user{};                            ///< absent: the user of this process
};

/// Starts it with output and errors to descriptors; it dies with this process. Aborts if it cannot
/// be started.
pid_t start(const Program& program, int out, int err);

/// Waits for the end; exit code, or 128 + signal.
int wait_for(pid_t process);

/// Runs it to its end. Its output goes through files, so that a daemon it leaves behind holds up
/// nobody.
Ended run(const Program& program);

}  // namespace sconverge::test
