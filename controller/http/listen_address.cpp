#include "controller/http/listen_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace sconverge {
namespace {

constexpr const char* kEverywhere = "0.0.0.0";

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

/// Of letters, digits, "-", "_" and ".", one letter at least: all the rest is a number mistyped.
bool is_name(std::string_view host) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_other = [](char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  return std::any_of(host.begin(), host.end(), is_letter) &&
         std::all_of(host.begin(), host.end(), [&](char c) { return is_letter(c) || is_other(c); });
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

bool collide(const ListenAddress& one, const ListenAddress& other) {
  const bool overlap =
      one.host == other.host || one.host == kEverywhere || other.host == kEverywhere;
  return overlap && one.port == other.port && one.port != 0;
}

Result<ListenAddress> read_listen_address(std::string_view text) {
  const auto colon = text.rfind(':');
  const auto port =
      colon == std::string_view::npos ? std::nullopt : port_from(text.substr(colon + 1));
  if (!port) return refused(text, "it is not ADDRESS:PORT; write for example 127.0.0.1:9810");

  std::string host(text.substr(0, colon));
  const auto instead = [&](const char* address) {
    return std::string("; write ") + address + ":" + std::to_string(*port);
  };
  if (host == "localhost") return ListenAddress{"127.0.0.1", *port};
  if (host == "*" || host.empty()) return ListenAddress{kEverywhere, *port};
  in_addr number{};
  if (is_ipv4(host, number) || is_name(host)) return ListenAddress{std::move(host), *port};
  if (is_ipv6(host)) {
    return refused(text, "IPv6 addresses are not served" +
                             instead(host == "[::]" ? kEverywhere : "127.0.0.1"));
  }
  return refused(
      text, "\"" + host + "\" is neither an IP address nor a host's name" + instead("127.0.0.1"));
}

Result<ListenAddress> resolved(const ListenAddress& address) {
  in_addr number{};
  if (is_ipv4(address.host, number)) return address;
  auto found = resolve(address.host);
  if (found) return ListenAddress{std::move(*found), address.port};
  return Error{ErrorKind::Unavailable, "cannot listen on " + to_text(address) +
                                           ": no address is known of this name; write an IP "
                                           "address of this machine, or *:" +
                                           std::to_string(address.port) + " for all of them"};
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
