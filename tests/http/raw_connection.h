#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sconverge::test {

/// A client that sends exactly the bytes it is given, and gives up after some seconds of silence.
class RawConnection {
 public:
  explicit RawConnection(std::uint16_t port, int patience_seconds = 5)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{patience_seconds, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  RawConnection(RawConnection&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), connected_(other.connected_) {}
  RawConnection& operator=(RawConnection&&) = delete;
  ~RawConnection() {
    if (socket_ >= 0) ::close(socket_);
  }

  [[nodiscard]] bool connected() const { return connected_; }

  /// False if the server does not take all of it.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// All that comes until the server closes; "(silence)" at the end if it does not.
  [[nodiscard]] std::string read_to_end() const { return read_until(""); }

  /// All that comes until it ends with `end` (an empty one: never), or the server closes.
  [[nodiscard]] std::string read_until(std::string_view end) const {
    std::string all;
    char buffer[4096];
    while (end.empty() || !all.ends_with(end)) {
      const auto got = ::recv(socket_, buffer, sizeof(buffer), 0);
      if (got < 0 && errno == EAGAIN) return all + "(silence)";
      if (got <= 0) return all;
      all.append(buffer, static_cast<std::size_t>(got));
    }
    return all;
  }

 private:
  int socket_;
  bool connected_{false};
};

/// Sends `request` on a connection of its own and reads all that comes.
inline std::string ask_raw(std::uint16_t port, std::string_view request) {
  const RawConnection connection(port);
  connection.send(request);
  return connection.read_to_end();
}

/// A whole request that asks the server to close afterwards.
inline std::string request_text(std::string_view method, std::string_view target,
                                std::string_view body = "", std::string_view headers = "") {
  std::string text(method);
  text.append(" ").append(target).append(" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n");
  text.append(headers);
  if (!body.empty()) text.append("Content-Length: " + std::to_string(body.size()) + "\r\n");
  return text.append("\r\n").append(body);
}

}  // namespace sconverge::test
