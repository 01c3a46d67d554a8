#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "controller/core/result.h"

namespace sconverge {

/// Where a server listens: a loopback address.
struct ListenAddress {
  std::string host;  ///< "127.0.0.1"
  std::uint16_t port{0};

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

std::string to_text(const ListenAddress& address);  ///< "127.0.0.1:9810"

/// Reads "127.0.0.1:9810" or "localhost:9810"; port 0 stands for any free one. Rejected, with the
/// reason and what to write instead: what is no address, what is not loopback (nothing wider is
/// served without TLS and a token), and IPv6 (cpprestsdk 2.10 cannot listen on it). Pure.
Result<ListenAddress> read_listen_address(std::string_view text);

/// A port that is ours as long as this lives: bound, but not listening, so that a listener that
/// sets SO_REUSEADDR can be opened on it.
class ReservedPort {
 public:
  /// Unavailable if the port is in use or not allowed; the message names the address.
  static Result<ReservedPort> reserve(const ListenAddress& address);

  ReservedPort(ReservedPort&& other) noexcept;
  ReservedPort& operator=(ReservedPort&&) = delete;
  ~ReservedPort();

  /// With the real port where 0 was asked for.
  [[nodiscard]] const ListenAddress& address() const { return address_; }

 private:
  ReservedPort(int socket, ListenAddress address) : socket_(socket), address_(std::move(address)) {}

  int socket_;
  ListenAddress address_;
};

/// "cannot listen on 127.0.0.1:9810: address already in use".
Error cannot_listen(const ListenAddress& address, int system_errno);

}  // namespace sconverge
