#include "tests/e2e/sconverge_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace sconverge::test {
namespace {

Program program_of(const std::vector<std::string>& arguments, std::optional<uid_t> user) {
  Program program{
      {SCONVERGE_BINARY}, std::vector<std::string>{"PATH=/bin:/usr/bin", "HOME=/tmp"}, user};
  program.arguments.insert(program.arguments.end(), arguments.begin(), arguments.end());
  return program;
}

HttpReply get_from(std::uint16_t port, const std::string& path) {
  const int connection = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{20, 0};
  ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string text;
  if (::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
    const std::string request =
        "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    (void)::send(connection, request.data(), request.size(), MSG_NOSIGNAL);
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = ::recv(connection, part.data(), part.size(), 0)) > 0;) {
      text.append(part.data(), static_cast<std::size_t>(got));
    }
  }
  ::close(connection);
  const auto head = text.find("\r\n\r\n");
  if (!text.starts_with("HTTP/1.1 ") || head == std::string::npos) return {};
  return {std::atoi(text.c_str() + 9), text.substr(head + 4)};
}

/// The port in "http://127.0.0.1:PORT/metrics" or ".../v1beta1/", with TLS or without it and
/// whatever the address; 0 if it is not there.
std::uint16_t port_in(const std::string& log) {
  static const std::string kBefore = "://";
  for (auto at = log.find(kBefore); at != std::string::npos; at = log.find(kBefore, at + 1)) {
    const auto colon = log.find(':', at + kBefore.size());
    if (colon == std::string::npos) return 0;
    char* end = nullptr;
    const auto port = std::strtoul(log.c_str() + colon + 1, &end, 10);
    const std::string path = end;
    if (path.starts_with("/metrics") || path.starts_with("/v1beta1/")) {
      return static_cast<std::uint16_t>(port);
    }
  }
  return 0;
}

}  // namespace

Ended sconverge(const std::vector<std::string>& arguments, std::optional<uid_t> user) {
  return run(program_of(arguments, user));
}

SconvergeProcess::SconvergeProcess(const std::vector<std::string>& words, std::string log,
                                   std::optional<uid_t> user,
                                   const std::vector<std::string>& environment)
    : log_file_(std::move(log)) {
  const int file = ::open(log_file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) std::abort();
  log_begins_ = ::lseek(file, 0, SEEK_END);
  Program program = program_of(words, user);
  program.environment->insert(program.environment->end(), environment.begin(), environment.end());
  process_ = start(program, file, file);
  ::close(file);
}

void SconvergeProcess::kill() {
  if (has_ended()) return;
  ::kill(process_, SIGKILL);
  code_ = wait_for(process_);
}

int SconvergeProcess::stop() {
  if (!has_ended()) {
    ::kill(process_, SIGTERM);
    code_ = wait_for(process_);
  }
  return *code_;
}

bool SconvergeProcess::has_ended() {
  int status = 0;
  if (!code_ && ::waitpid(process_, &status, WNOHANG) == process_) {
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return code_.has_value();
}

std::string SconvergeProcess::log() const {
  std::ifstream file(log_file_);
  file.seekg(log_begins_);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool SconvergeProcess::listens() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (port_ == 0 && std::chrono::steady_clock::now() < deadline) {
    port_ = port_in(log());
    if (port_ == 0 && has_ended()) return false;
    if (port_ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return port_ != 0;
}

HttpReply SconvergeProcess::get(const std::string& path) {
  return listens() ? get_from(port_, path) : HttpReply{};
}

std::optional<double> SconvergeProcess::metric(const std::string& series) {
  std::istringstream lines(get("/metrics").body);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(series + " ")) return std::strtod(line.c_str() + series.size(), nullptr);
  }
  return {};
}

}  // namespace sconverge::test
