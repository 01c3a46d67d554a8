#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "tests/e2e/lab.h"
#include "tests/e2e/sconverge_process.h"

namespace sconverge::test {

/// `sconverge gateway` before the lab's slurmrestd, on the loopback, as project "lab-project",
/// region "lab-region", cluster "lab".
class GatewayProcess {
 public:
  /// Starts it, with its files in `folder`; aborts if it does not come up.
  GatewayProcess(Lab& lab, const std::string& folder);

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  /// The whole address that the documented calls are sent to.
  [[nodiscard]] std::string call_url() const;
  /// What a controller needs to go through it; without the dashes.
  [[nodiscard]] std::map<std::string, std::string> controller_flags() const;

  [[nodiscard]] std::string token_file() const { return folder_ + "/token"; }
  [[nodiscard]] std::string tokens_file() const { return folder_ + "/tokens.yaml"; }
  [[nodiscard]] std::string token() const { return token_; }  ///< with permission "run"
  /// From now on it accepts a new token, which token_file() has, and not the one before.
  void accept_another_token();

  void kill() { process_->kill(); }
  int stop() { return process_->stop(); }
  void start();  ///< again, at the same address

  [[nodiscard]] std::string log() const;
  [[nodiscard]] HttpReply get(const std::string& path) { return process_->get(path); }

 private:
  Lab& lab_;
  std::string folder_;
  std::string token_{};
  std::uint16_t port_{0};
  std::unique_ptr<SconvergeProcess> process_{};
};

}  // namespace sconverge::test
