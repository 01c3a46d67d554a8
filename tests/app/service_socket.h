#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace sconverge::test {

/// A service manager's end of sd_notify: what is sent to it waits here until it is heard.
class ServiceSocket {
 public:
  /// A path, or an abstract name with "@" in front.
  explicit ServiceSocket(std::string name) : name_(std::move(name)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const bool abstract = name_.front() == '@';
    if (name_.size() >= sizeof(address.sun_path)) std::abort();
    std::memcpy(address.sun_path, name_.data(), name_.size());
    if (abstract) address.sun_path[0] = '\0';
    const auto size =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size() + (abstract ? 0 : 1));
    socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) != 0) std::abort();
  }
  ServiceSocket(const ServiceSocket&) = delete;
  ServiceSocket& operator=(const ServiceSocket&) = delete;
  ~ServiceSocket() {
    ::close(socket_);
    if (name_.front() == '/') ::unlink(name_.c_str());
  }

  [[nodiscard]] const std::string& name() const { return name_; }

  /// Every datagram since the last call, oldest first. Waits `patience` ms for the first of them.
  [[nodiscard]] std::vector<std::string> heard(int patience = 0) const {
    std::vector<std::string> datagrams;
    pollfd ready{socket_, POLLIN, 0};
    std::array<char, 4096> text{};
    while (::poll(&ready, 1, datagrams.empty() ? patience : 0) == 1) {
      const auto got = ::recv(socket_, text.data(), text.size(), 0);
      if (got < 0) std::abort();
      datagrams.emplace_back(text.data(), static_cast<std::size_t>(got));
    }
    return datagrams;
  }

 private:
  std::string name_;
  int socket_{-1};
};

}  // namespace sconverge::test
