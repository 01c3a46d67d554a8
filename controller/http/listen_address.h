#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "controller/core/result.h"

namespace sconverge {

/// Where a server listens.
struct ListenAddress {
  std::string host;  ///< an IPv4 address, "127.0.0.1"; until it is resolved also a host's name
  std::uint16_t port{0};

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

std::string to_text(const ListenAddress& address);  ///< "127.0.0.1:9810"

bool is_loopback(const ListenAddress& address);  ///< 127.0.0.0/8

/// Whether a server on one of them would be in the way of one on the other. REQUIRES: resolved.
bool collide(const ListenAddress& one, const ListenAddress& other);

/// Reads "127.0.0.1:9810", "localhost:9810", "*:9810" and ":9810" (every IPv4 address of the
/// machine), any other IPv4 address, and a host's name, which stays one; port 0 stands for any free
/// one. Asks nobody.
///
/// Rejected, with the reason and what to write instead: what is no address, and IPv6.
Result<ListenAddress> read_listen_address(std::string_view text);

/// The same with an IPv4 address in place of a host's name; waits for the answer. Unavailable if
/// nobody knows the name.
Result<ListenAddress> resolved(const ListenAddress& address);

/// A TCP socket that listens. It does not block.
class ListeningSocket {
 public:
  /// Unavailable if the port is in use or not allowed; the message names the address.
  static Result<ListeningSocket> open(const ListenAddress& address);

  ListeningSocket(ListeningSocket&& other) noexcept;
  ListeningSocket& operator=(ListeningSocket&&) = delete;
  ~ListeningSocket();

  /// With the real port where 0 was asked for.
  [[nodiscard]] const ListenAddress& address() const { return address_; }

  /// The descriptor, which is the caller's to close from now on.
  [[nodiscard]] int release() { return std::exchange(socket_, -1); }

 private:
  ListeningSocket(int socket, ListenAddress address)
      : socket_(socket), address_(std::move(address)) {}

  int socket_;
  ListenAddress address_;
};

/// "cannot listen on 127.0.0.1:9810: address already in use".
Error cannot_listen(const ListenAddress& address, int system_errno);

}  // namespace sconverge
