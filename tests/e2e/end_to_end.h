#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/e2e/gateway_process.h"
#include "tests/e2e/lab.h"
#include "tests/e2e/sconverge_process.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {

/// How long a condition may take to come true. Only a bound: nothing waits for longer than it must.
inline constexpr std::chrono::seconds kPatience{120};

/// Asks every 100 ms until `condition` is true; false if it is not within kPatience.
bool wait_until(const std::function<bool()>& condition);

/// One row of `sconverge get`.
struct SpecRow {
  std::string phase{};
  std::string reason{};
  std::string message{};
  std::optional<std::uint32_t> job{};
  int run{0};
  std::optional<int> exit_code{};
};

/// What `sconverge get` says about the cluster.
struct ClusterRow {
  bool source_complete{false};
  std::string source_reason{};
  std::string error{};
  std::map<std::string, std::vector<std::string>> guards{};  ///< specs held back, by guard
};

/// The text of a spec file; each part is only what the test is about.
struct SpecText {
  std::string name;
  std::string script;    ///< below the `#!` line
  std::string job{};     ///< more lines of `job`, e.g. "time_limit: 2h\nnice: 1"
  std::string policy{};  ///< more lines of `spec`, e.g. "suspend: true"

  [[nodiscard]] std::string yaml() const;
};

/// A `job` line that keeps a job pending for long.
inline constexpr const char* kNotBefore2037 = "begin_time: \"2037-01-01T00:00:00Z\"";

/// Whether the controller reaches Slurm through a gateway of ours: SCONVERGE_E2E_WAY=gateway.
bool over_gateway();

/// A directory of specs, a state directory and a controller id of its own, on the real Slurm. What
/// a test leaves running is ended with it.
class EndToEnd : public testing::Test {
 protected:
  EndToEnd();
  ~EndToEnd() override;

  // Files. A file appears whole.
  void write(const std::string& file, const std::string& text) const;
  void write(const SpecText& spec) const { write(spec.name + ".yaml", spec.yaml()); }
  void remove(const std::string& file) const;

  /// A script that ends with `code` when `open(name)` says so.
  [[nodiscard]] std::string gate(const std::string& name, int code = 0) const;
  void open(const std::string& name) const;

  // The controller.
  [[nodiscard]] std::vector<std::string> settings() const;
  /// What it asks: slurmrestd, or the gateway before it.
  [[nodiscard]] std::string address() const;
  /// The flag that names the file with its token.
  [[nodiscard]] std::string token_flag() const {
    return gateway_ ? "access-token-file" : "token-file";
  }
  SconvergeProcess& start();
  /// A verb that takes all settings, to its end; `get` and the like, which take `--state` only.
  [[nodiscard]] Ended verb(const std::vector<std::string>& words) const;
  [[nodiscard]] Ended look(const std::vector<std::string>& words) const;
  [[nodiscard]] std::map<std::string, SpecRow> rows() const;
  [[nodiscard]] SpecRow row(const std::string& name) const;
  [[nodiscard]] ClusterRow cluster() const;

  /// Waits until the condition holds; on failure tells what `get`, Slurm and the log say.
  testing::AssertionResult comes_true(const std::function<bool()>& condition);
  /// Waits until the spec is in that phase (and has that reason, if any).
  testing::AssertionResult becomes(const std::string& name, const std::string& phase,
                                   const std::string& reason = "");
  /// Waits until the controller has looked `count` times more and twice the grace has passed: what
  /// it has not done by then, it does not do.
  testing::AssertionResult looks_again(int count = 4);

  // Slurm's own view of this controller's jobs.
  [[nodiscard]] std::vector<SlurmView> queue() const { return lab_.queue(id_); }
  [[nodiscard]] std::vector<SlurmView> accounting() const { return lab_.accounting(id_); }
  /// The jobs of one spec that slurmctld knows, oldest first.
  [[nodiscard]] std::vector<SlurmView> queue_of(const std::string& name) const;
  /// The same, one after another: "COMPLETED", "CANCELLED RUNNING", "" if there are none.
  [[nodiscard]] std::string states_of(const std::string& name) const;
  /// `scontrol show job` of a job, e.g. " TimeLimit=01:00:00 ...".
  [[nodiscard]] std::string scontrol(std::uint32_t job) const;

  Lab& lab_{Lab::at_hand()};
  TempDirectory directory_{};
  std::string id_{};  ///< controller id
  std::string specs_{directory_ / "specs"};
  std::string state_{directory_ / "state"};
  std::map<std::string, std::string> flags_{};  ///< without the dashes
  std::optional<uid_t> user_{};                 ///< whom the controller runs as
  std::unique_ptr<GatewayProcess> gateway_{};   ///< if the controller goes through one
  std::unique_ptr<SconvergeProcess> controller_{};

 private:
  [[nodiscard]] std::string told() const;
};

}  // namespace sconverge::test
