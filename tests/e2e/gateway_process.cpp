#include "tests/e2e/gateway_process.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace sconverge::test {
namespace {

std::string random_token() {
  std::random_device dice;
  std::string token = "ya29.";
  for (int i = 0; i < 40; ++i) token += "0123456789abcdefghijklmnopqrstuv"[dice() % 32];
  return token;
}

void write_whole(const std::string& file, const std::string& text) {
  std::ofstream(file + ".new") << text;
  std::filesystem::rename(file + ".new", file);
}

}  // namespace

GatewayProcess::GatewayProcess(Lab& lab, const std::string& folder) : lab_(lab), folder_(folder) {
  std::filesystem::create_directory(folder_);
  std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
  accept_another_token();
  start();
}

std::string GatewayProcess::call_url() const {
  return url() +
         "/v1beta1/projects/lab-project/locations/lab-region/modelDevelopmentClusters/lab"
         ":callSlurmRestApi";
}

std::map<std::string, std::string> GatewayProcess::controller_flags() const {
  return {{"project", "lab-project"},  {"region", "lab-region"},
          {"cluster", "lab"},          {"endpoint", url()},
          {"slurm-user", lab_.user()}, {"access-token-file", token_file()}};
}

void GatewayProcess::accept_another_token() {
  token_ = random_token();
  write_whole(token_file(), token_ + "\n");
  write_whole(tokens_file(), "tokens:\n  - {token: " + token_ + ", permission: run, name: test}\n");
}

void GatewayProcess::start() {
  process_ = std::make_unique<SconvergeProcess>(
      std::vector<std::string>{"gateway",
                               "--slurmrestd",
                               lab_.url(),
                               "--user",
                               lab_.user(),
                               "--token-file",
                               lab_.token_file(),
                               "--listen",
                               "127.0.0.1:" + std::to_string(port_),
                               "--project",
                               "lab-project",
                               "--region",
                               "lab-region",
                               "--cluster",
                               "lab",
                               "--tokens",
                               tokens_file(),
                               "--log-format",
                               "json",
                               "--log-level",
                               "debug"},
      folder_ + "/log");
  port_ = process_->port();
  if (port_ != 0) return;
  std::fprintf(stderr, "the gateway did not come up:\n%s\n", log().c_str());
  std::abort();
}

std::string GatewayProcess::log() const {
  const std::ifstream file(folder_ + "/log");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace sconverge::test
