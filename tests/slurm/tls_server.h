#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/temp_directory.h"

namespace sconverge::test {

/// `openssl s_server` on a free port of the loopback, with a certificate of its own making for
/// `name` (as in subjectAltName, e.g. "IP:127.0.0.1"). Answers "GET /answer" with "{}".
class TlsServer {
 public:
  explicit TlsServer(const std::string& name) {
    std::ofstream(directory_ / "answer") << "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    run({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-keyout", directory_ / "key.pem", "-out", certificate(), "-days", "2", "-subj",
         "/CN=test", "-addext", "subjectAltName=" + name},
        -1);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
    server_ = spawn({"openssl", "s_server", "-accept", "127.0.0.1:0", "-key",
                     directory_ / "key.pem", "-cert", certificate(), "-HTTP"},
                    ends[1]);
    close(ends[1]);
    port_ = port_in_output(ends[0]);
    output_ = ends[0];
  }
  ~TlsServer() {
    kill(server_, SIGTERM);
    waitpid(server_, nullptr, 0);
    close(output_);
  }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  [[nodiscard]] std::string url() const { return "https://127.0.0.1:" + port_; }
  [[nodiscard]] std::string certificate() const { return directory_ / "certificate.pem"; }

 private:
  [[nodiscard]] pid_t spawn(const std::vector<std::string>& words, int output) const {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, directory_.path().c_str());
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, 1);
    pid_t child = 0;
    if (posix_spawnp(&child, "openssl", &actions, nullptr, arguments.data(), environ) != 0) {
      std::abort();
    }
    posix_spawn_file_actions_destroy(&actions);
    return child;
  }
  void run(const std::vector<std::string>& words, int output) const {
    int status = 0;
    waitpid(spawn(words, output), &status, 0);
    if (status != 0) std::abort();
  }
  /// From its line "ACCEPT 127.0.0.1:PORT".
  static std::string port_in_output(int output) {
    std::string text;
    char byte = 0;
    while (read(output, &byte, 1) == 1) {
      if (byte == '\n' && text.find("ACCEPT ") != std::string::npos) break;
      text.push_back(byte);
    }
    return text.substr(text.rfind(':') + 1);
  }

  TempDirectory directory_{};
  pid_t server_{0};
  int output_{-1};
  std::string port_{};
};

}  // namespace sconverge::test
