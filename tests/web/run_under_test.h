#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tests/e2e/process.h"
#include "tests/e2e/sconverge_process.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {

/// The real `sconverge run` and what it serves; its Slurm does not answer. curl asks it.
struct RunUnderTest : testing::Test {
  RunUnderTest() {
    std::filesystem::create_directory(directory / "jobs");
    write("slurm-token", "not-a-jwt");
  }

  void write(const std::string& file, const std::string& text, mode_t mode = 0600) const {
    std::ofstream(directory / file) << text;
    std::filesystem::permissions(directory / file, std::filesystem::perms(mode));
  }
  /// A certificate for 127.0.0.1 and its key.
  void make_identity(const std::string& certificate, const std::string& key) const {
    const Ended made = run({{"/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                             "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test",
                             "-addext", "subjectAltName=IP:127.0.0.1", "-out",
                             directory / certificate, "-keyout", directory / key}});
    ASSERT_EQ(made.code, 0) << made.err;
  }

  [[nodiscard]] std::vector<std::string> words(const std::vector<std::string>& more) const {
    std::vector<std::string> all{"run",
                                 "--specs",
                                 directory / "jobs",
                                 "--state",
                                 directory / "state",
                                 "--slurmrestd",
                                 "http://127.0.0.1:1",
                                 "--user",
                                 "alice",
                                 "--token-file",
                                 directory / "slurm-token",
                                 "--interval",
                                 "1s"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// `sconverge run` that is expected not to start: how it ends, 124 if it does start.
  [[nodiscard]] Ended refused(const std::vector<std::string>& more) const {
    Program program{{"/usr/bin/timeout", "30", SCONVERGE_BINARY},
                    std::vector<std::string>{"PATH=/bin:/usr/bin", "HOME=/tmp"}};
    const auto arguments = words(more);
    program.arguments.insert(program.arguments.end(), arguments.begin(), arguments.end());
    return run(program);
  }
  void start(std::vector<std::string> more, const std::string& listen = "127.0.0.1:0") {
    more.insert(more.end(), {"--listen", listen});
    process = std::make_unique<SconvergeProcess>(words(more), directory / "log");
    ASSERT_TRUE(process->listens()) << process->log();
  }

  /// The URL in a field of the line that tells of the start, e.g. "metrics".
  [[nodiscard]] std::string url(const std::string& field) const {
    const std::string log = process->log();
    const std::string before = "\"" + field + "\":\"";
    const auto at = log.find(before);
    if (at == std::string::npos) return "";
    return log.substr(at + before.size(), log.find('"', at + before.size()) - at - before.size());
  }
  /// What curl gets from there, verifying by the certificate file if there is one.
  [[nodiscard]] std::string curl(const std::string& from,
                                 const std::vector<std::string>& more = {}) const {
    Program program{
        {"/usr/bin/curl", "--silent", "--show-error", "--max-time", "20", "--noproxy", "*", from}};
    if (std::filesystem::exists(directory / "certificate.pem")) {
      program.arguments.insert(program.arguments.end(),
                               {"--cacert", directory / "certificate.pem"});
    }
    program.arguments.insert(program.arguments.end(), more.begin(), more.end());
    const Ended ended = run(program);
    return ended.out + ended.err;
  }
  /// The status alone.
  [[nodiscard]] std::string status(const std::string& from,
                                   std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--output", "/dev/null", "--write-out", "%{http_code}"});
    return curl(from, more);
  }

  TempDirectory directory{};
  std::unique_ptr<SconvergeProcess> process{};
};

}  // namespace sconverge::test
