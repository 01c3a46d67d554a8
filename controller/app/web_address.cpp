#include "controller/app/web_address.h"

#include <string>

namespace sconverge {
namespace {

constexpr const char* kDefaultListen = "127.0.0.1:9810";

Result<ListenAddress> address_of(const std::string& text) {
  const auto address = read_listen_address(text);
  return address ? resolved(*address) : address;
}

/// Why the pages must not be served there.
std::optional<std::string> exposure(const WebConfig& config, const ListenAddress& address) {
  const bool tls = !config.tls.certificate.empty();
  const bool tokens = !config.token_file.empty();
  if (is_loopback(address) || config.insecure || (tls && tokens)) return std::nullopt;
  const std::string missing = tls ? "a token" : tokens ? "TLS" : "TLS and a token";
  std::string flags = tls ? "" : "--tls-cert FILE and --tls-key FILE";
  if (!tokens) flags.append(tls ? "" : ", and ").append("--listen-token-file FILE");
  return "listening on " + to_text(address) + " needs " + missing +
         ", as whoever reaches it could see every spec; give " + flags +
         ", or listen on 127.0.0.1, or say --insecure-listen true if something else guards it";
}

}  // namespace

Result<WebAddresses> web_addresses(const WebConfig& config) {
  const auto listen = address_of(config.listen.empty() ? kDefaultListen : config.listen);
  if (!listen) return listen.error();
  if (const auto why = exposure(config, *listen)) return Error{ErrorKind::Rejected, *why};
  WebAddresses addresses{*listen};
  if (config.health_listen.empty()) return addresses;
  const auto health = address_of(config.health_listen);
  if (!health) return health.error();
  if (collide(*listen, *health)) {
    return Error{ErrorKind::Rejected, "--listen " + to_text(*listen) + " and --health-listen " +
                                          to_text(*health) +
                                          " are one address; give them two ports, or leave out "
                                          "--health-listen, as the probes are on both"};
  }
  addresses.health = *health;
  return addresses;
}

}  // namespace sconverge
