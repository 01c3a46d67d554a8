#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/e2e/process.h"

namespace sconverge::test {

/// One job as Slurm itself shows it, to squeue or to sacct.
struct SlurmView {
  std::uint32_t id{0};
  std::string state{};      ///< one word: "PENDING", "COMPLETED", "CANCELLED", ...
  std::string exit_code{};  ///< "code:signal"; sacct only
  std::string end{};  ///< "2026-01-31T08:00:00" in the lab's time (UTC), or "Unknown"; sacct only
  std::string time_limit{};  ///< "1:30:00"; squeue only
  std::string spec{};        ///< namespace/name in its mark
  std::string comment{};

  friend void PrintTo(const SlurmView& job, std::ostream* out) {
    *out << job.id << " " << job.spec << " " << job.state << " " << job.exit_code;
  }
};

/// The real Slurm of tests/lab that SCONVERGE_LAB_INSTANCE names (e2e without it). Whatever a test
/// asks of it must succeed: it aborts the test program with lab's own message otherwise.
class Lab {
 public:
  /// Brings it up with its default settings and all services, unless it is so already.
  static Lab& at_hand();

  [[nodiscard]] const std::string& url() const { return variables_.at("SCONVERGE_SLURMRESTD"); }
  [[nodiscard]] const std::string& user() const { return variables_.at("SCONVERGE_USER"); }
  [[nodiscard]] const std::string& token_file() const {
    return variables_.at("SCONVERGE_TOKEN_FILE");
  }
  /// Where the lab's file system begins on this machine.
  [[nodiscard]] const std::string& root() const { return root_; }
  /// Where slurmctld keeps its state.
  [[nodiscard]] std::string spool() const { return root_ + "/var/lib/slurm/slurmctld"; }
  /// Where each service has its log: `slurmctld.log`, ...
  [[nodiscard]] std::string logs() { return lab({"logs"}); }

  // tests/lab/lab of the same name
  void up();
  void kill(const std::string& service) { lab({"kill", service}); }
  void stop(const std::string& service) { lab({"stop", service}); }
  void start(const std::string& service) { lab({"start", service}); }
  void reconfigure(const std::vector<std::string>& settings);
  void token(int lifespan, const std::string& file);

  /// What a command in the lab prints, without the last line end.
  std::string exec(const std::string& user, const std::vector<std::string>& command);
  /// The same for one that may fail.
  Ended try_exec(const std::string& user, const std::vector<std::string>& command);

  /// The jobs with `controller` in their mark that slurmctld still knows, ended ones included.
  std::vector<SlurmView> queue(std::string_view controller);
  /// The jobs with `controller` in their mark in accounting, which knows a mark once the job has
  /// ended; every record, even of an id given twice.
  std::vector<SlurmView> accounting(std::string_view controller);

 private:
  Lab();
  std::string lab(const std::vector<std::string>& arguments);

  std::map<std::string, std::string> variables_{};
  std::string root_{};
};

}  // namespace sconverge::test
