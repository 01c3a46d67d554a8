#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/e2e/process.h"

namespace sconverge::test {

struct HttpReply {
  int status{0};  ///< 0: no answer
  std::string body{};
};

/// The real binary with these arguments, to its end. It sees no SCONVERGE_* variables of ours.
Ended sconverge(const std::vector<std::string>& arguments, std::optional<uid_t> user = {});

/// `sconverge run` or `sconverge gateway` in a process of its own, killed at the latest with this
/// object.
class SconvergeProcess {
 public:
  /// Its log goes to the end of `log`. `environment`: more variables, "KEY=value".
  SconvergeProcess(const std::vector<std::string>& words, std::string log,
                   std::optional<uid_t> user = {},
                   const std::vector<std::string>& environment = {});
  SconvergeProcess(const SconvergeProcess&) = delete;
  SconvergeProcess& operator=(const SconvergeProcess&) = delete;
  ~SconvergeProcess() { kill(); }

  /// kill -9, and waits for the end.
  void kill();
  /// SIGTERM, waits for the end; the exit code.
  int stop();
  void send(int signal) const { ::kill(process_, signal); }

  /// What it logged since its start.
  [[nodiscard]] std::string log() const;
  /// Whether it listens. Waits for that at most a minute, less if it ends.
  [[nodiscard]] bool listens();
  [[nodiscard]] std::uint16_t port() { return listens() ? port_ : std::uint16_t{0}; }
  /// GET from its HTTP server.
  [[nodiscard]] HttpReply get(const std::string& path);
  /// The value of one series of /metrics, e.g. `sconverge_specs{cluster="default",phase="Lost"}`.
  [[nodiscard]] std::optional<double> metric(const std::string& series);

 private:
  [[nodiscard]] bool has_ended();

  std::string log_file_;
  off_t log_begins_{0};
  pid_t process_{-1};
  std::optional<int> code_{};
  std::uint16_t port_{0};
};

}  // namespace sconverge::test
