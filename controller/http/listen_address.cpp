#include "controller/http/listen_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace sconverge {
namespace {

Error refused(std::string_view text, const std::string& why) {
  return {.kind = ErrorKind::Rejected,
          .message = "cannot listen on \"" + std::string(text) + "\": " + why};
}

std::optional<std::uint16_t> port_from(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return port;
}

bool is_ipv4(const std::string& host, in_addr& address) {
  return inet_pton(AF_INET, host.c_str(), &address) == 1;
}

sockaddr_in socket_address(const ListenAddress& address) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(address.port);
  is_ipv4(address.host, result.sin_addr);
  return result;
}

}  // namespace

std::string to_text(const ListenAddress& address) {
  return address.host + ":" + std::to_string(address.port);
}

Result<ListenAddress> read_listen_address(std::string_view text) {
  const auto colon = text.rfind(':');
  const auto port =
      colon == std::string_view::npos ? std::nullopt : port_from(text.substr(colon + 1));
  if (!port) return refused(text, "it is not ADDRESS:PORT; write for example 127.0.0.1:9810");

  const std::string host(text.substr(0, colon));
  const std::string instead = "write 127.0.0.1:" + std::to_string(*port);
  if (host == "localhost") return ListenAddress{"127.0.0.1", *port};
  if (host == "[::1]") {
    return refused(text, "the HTTP library cannot listen on IPv6 addresses; " + instead);
  }
  in_addr address{};
  in6_addr address6{};
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  const bool is_ipv6 =
      bracketed && inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &address6) == 1;
  if (!is_ipv4(host, address)) {
    if (!is_ipv6 && !host.empty()) {
      return refused(text, "\"" + host + "\" is not an IP address; " + instead);
    }
  } else if ((ntohl(address.s_addr) >> 24U) == 127U) {
    return ListenAddress{host, *port};
  }
  return refused(text,
                 "only loopback addresses are served, because there is neither TLS nor a token; " +
                     instead + " and put a proxy in front of it");
}

Error cannot_listen(const ListenAddress& address, int system_errno) {
  std::string why = std::generic_category().message(system_errno);
  if (!why.empty()) why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
  return {.kind = ErrorKind::Unavailable,
          .message = "cannot listen on " + to_text(address) + ": " + why};
}

Result<ReservedPort> ReservedPort::reserve(const ListenAddress& address) {
  const int handle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (handle < 0) return cannot_listen(address, errno);
  ReservedPort reserved(handle, address);

  const int on = 1;
  sockaddr_in wanted = socket_address(address);
  socklen_t size = sizeof(wanted);
  if (::setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
      ::bind(handle, reinterpret_cast<const sockaddr*>(&wanted), size) != 0 ||
      ::getsockname(handle, reinterpret_cast<sockaddr*>(&wanted), &size) != 0) {
    return cannot_listen(address, errno);
  }
  reserved.address_.port = ntohs(wanted.sin_port);
  return reserved;
}

ReservedPort::ReservedPort(ReservedPort&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), address_(std::move(other.address_)) {}

ReservedPort::~ReservedPort() {
  if (socket_ >= 0) ::close(socket_);
}

}  // namespace sconverge
