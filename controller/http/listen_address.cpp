#include "controller/http/listen_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <memory>
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

bool is_ipv6(const std::string& host) {
  in6_addr address{};
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return bracketed && inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &address) == 1;
}

/// The first IPv4 address of a host.
std::optional<std::string> resolve(const std::string& host) {
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), nullptr, &wanted, &found) != 0) return std::nullopt;
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  char text[INET_ADDRSTRLEN] = {};
  const auto& address = reinterpret_cast<const sockaddr_in&>(*found->ai_addr);
  if (inet_ntop(AF_INET, &address.sin_addr, text, sizeof(text)) == nullptr) return std::nullopt;
  return text;
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

bool is_loopback(const ListenAddress& address) {
  in_addr number{};
  return is_ipv4(address.host, number) && (ntohl(number.s_addr) >> 24U) == 127U;
}

Result<ListenAddress> read_listen_address(std::string_view text, ListenScope scope) {
  const auto colon = text.rfind(':');
  const auto port =
      colon == std::string_view::npos ? std::nullopt : port_from(text.substr(colon + 1));
  if (!port) return refused(text, "it is not ADDRESS:PORT; write for example 127.0.0.1:9810");

  const std::string host(text.substr(0, colon));
  const bool any = scope == ListenScope::Any;
  const std::string instead =
      "write " + std::string(any ? "0.0.0.0:" : "127.0.0.1:") + std::to_string(*port);
  if (host == "localhost") return ListenAddress{"127.0.0.1", *port};
  if (any && (host == "*" || host.empty())) return ListenAddress{"0.0.0.0", *port};
  const ListenAddress address{host, *port};
  if (is_loopback(address)) return address;
  in_addr number{};
  if (any && is_ipv4(host, number)) return address;
  if (is_ipv6(host) && (any || host == "[::1]")) {
    return refused(text, "IPv6 addresses are not served; " + instead);
  }
  if (any) {
    const auto resolved = resolve(host);
    if (resolved) return ListenAddress{*resolved, *port};
    return refused(text, "\"" + host + "\" is neither an IP address nor a host's name; " + instead);
  }
  if (!host.empty() && !is_ipv4(host, number) && !is_ipv6(host)) {
    return refused(text, "\"" + host + "\" is not an IP address; " + instead);
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

Result<ListeningSocket> ListeningSocket::open(const ListenAddress& address) {
  const int handle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (handle < 0) return cannot_listen(address, errno);
  ListeningSocket listening(handle, address);

  const int on = 1;
  sockaddr_in wanted = socket_address(address);
  socklen_t size = sizeof(wanted);
  if (::setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
      ::bind(handle, reinterpret_cast<const sockaddr*>(&wanted), size) != 0 ||
      ::listen(handle, SOMAXCONN) != 0 ||
      ::getsockname(handle, reinterpret_cast<sockaddr*>(&wanted), &size) != 0) {
    return cannot_listen(address, errno);
  }
  listening.address_.port = ntohs(wanted.sin_port);
  return listening;
}

ListeningSocket::ListeningSocket(ListeningSocket&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), address_(std::move(other.address_)) {}

ListeningSocket::~ListeningSocket() {
  if (socket_ >= 0) ::close(socket_);
}

}  // namespace sconverge
