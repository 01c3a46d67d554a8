#include "tests/support/stub_http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <utility>

namespace sconverge::test {
namespace {

struct Listener {
  int socket;
  int port;
};

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

Listener listen_on_free_port(int backlog = 128) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (listener < 0 || bind(listener, any, size) != 0 || listen(listener, backlog) != 0 ||
      getsockname(listener, any, &size) != 0) {
    std::abort();
  }
  return {listener, ntohs(address.sin_port)};
}

std::string url_of(int port) { return "http://127.0.0.1:" + std::to_string(port); }

/// One connection's bytes.
class Reader {
 public:
  explicit Reader(int socket) : socket_(socket) {}

  std::optional<StubRequest> request() {
    while (bytes_.find("\r\n\r\n") == std::string::npos) {
      if (!more()) return std::nullopt;
    }
    StubRequest request;
    const auto end = bytes_.find("\r\n\r\n");
    std::istringstream head(bytes_.substr(0, end));
    bytes_.erase(0, end + 4);
    std::string line;
    std::getline(head, line);
    std::istringstream(line) >> request.method >> request.path;
    while (std::getline(head, line)) {
      const auto colon = line.find(':');
      if (colon == std::string::npos) continue;
      std::string name = line.substr(0, colon);
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      const auto value = line.find_first_not_of(' ', colon + 1);
      const auto last = line.find_last_not_of("\r ");
      request.headers[name] =
          value == std::string::npos || last < value ? "" : line.substr(value, last - value + 1);
    }
    const auto length = request.headers.find("content-length");
    const std::size_t size = length == request.headers.end() ? 0 : std::stoul(length->second);
    while (bytes_.size() < size) {
      if (!more()) return std::nullopt;
    }
    request.body = bytes_.substr(0, size);
    bytes_.erase(0, size);
    return request;
  }

 private:
  bool more() {
    char buffer[65536];
    const ssize_t size = recv(socket_, buffer, sizeof buffer, 0);
    if (size <= 0) return false;
    bytes_.append(buffer, static_cast<std::size_t>(size));
    return true;
  }

  int socket_;
  std::string bytes_{};
};

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

}  // namespace

StubHttpServer::StubHttpServer(Handler handler) : handler_(std::move(handler)) {
  const Listener listener = listen_on_free_port();
  listener_ = listener.socket;
  port_ = listener.port;
  accepting_ = std::thread([this] { accept_all(); });
}

StubHttpServer::~StubHttpServer() {
  stopping_ = true;
  shutdown(listener_, SHUT_RDWR);
  accepting_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int socket : sockets_) shutdown(socket, SHUT_RDWR);
  }
  for (std::thread& thread : serving_) thread.join();
  close(listener_);
}

std::string StubHttpServer::url() const { return url_of(port_); }

std::vector<StubRequest> StubHttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void StubHttpServer::accept_all() {
  for (int connection = 1;; ++connection) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0 || stopping_) {
      if (socket >= 0) close(socket);
      return;
    }
    if (closes_at_once_) {
      close(socket);
      continue;
    }
    const std::lock_guard lock(mutex_);
    sockets_.push_back(socket);
    serving_.emplace_back([this, socket, connection] { serve(socket, connection); });
  }
}

void StubHttpServer::serve(int socket, int connection) {
  Reader reader(socket);
  while (auto request = reader.request()) {
    request->connection = connection;
    StubAnswer answer;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(*request);
      answer = handler_(*request);
    }
    if (!send_answer(socket, answer)) break;
  }
  const std::lock_guard lock(mutex_);
  std::erase(sockets_, socket);
  close(socket);
}

/// False: the connection is to be closed.
bool StubHttpServer::send_answer(int socket, const StubAnswer& answer) const {
  std::string text = "HTTP/1.1 " + std::to_string(answer.status) + " OK\r\n";
  text += "Content-Type: " + answer.type + "\r\n";
  for (const auto& [name, value] : answer.headers) text.append(name + ": " + value + "\r\n");
  text += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n\r\n" + answer.body;
  switch (answer.manner) {
    case StubAnswer::Manner::Whole:
      return send_all(socket, text);
    case StubAnswer::Manner::HangUp:
      return false;
    case StubAnswer::Manner::Silent: {
      char byte = 0;
      recv(socket, &byte, 1, 0);  // until the client gives up
      return false;
    }
    case StubAnswer::Manner::Drip:
      for (const char byte : text) {
        if (stopping_ || !send_all(socket, {&byte, 1})) return false;
        std::this_thread::sleep_for(answer.pause);
      }
      return true;
    case StubAnswer::Manner::BreakOff:
      send_all(socket, std::string_view(text).substr(0, text.size() - 1));
      return false;
  }
  return false;
}

FullServer::FullServer() {
  const Listener listener = listen_on_free_port(0);
  port_ = listener.port;
  sockets_.push_back(listener.socket);
  // Linux lets one more connection wait than the backlog says.
  for (int i = 0; i < 4; ++i) {
    const int waiting = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const sockaddr_in address = loopback(port_);
    connect(waiting, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    sockets_.push_back(waiting);
  }
}

FullServer::~FullServer() {
  for (const int socket : sockets_) close(socket);
}

std::string FullServer::url() const { return url_of(port_); }

std::string url_nobody_listens_on() {
  const Listener listener = listen_on_free_port();
  close(listener.socket);
  return url_of(listener.port);
}

}  // namespace sconverge::test
