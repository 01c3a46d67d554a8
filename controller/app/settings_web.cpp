#include "controller/app/settings_web.h"

#include "controller/app/setting_values.h"
#include "controller/http/listen_address.h"

namespace sconverge {
namespace {

using Values = std::vector<std::string>;

Refused set_address(std::string& member, const std::string& text) {
  if (const auto address = read_listen_address(text); !address) {
    return Refusal{address.error().message, ""};
  }
  member = text;
  return {};
}

Refused set_listen(Config& config, ClusterConfig&, const Values& values) {
  return set_address(config.web.listen, values[0]);
}
Refused set_health_listen(Config& config, ClusterConfig&, const Values& values) {
  return set_address(config.web.health_listen, values[0]);
}
Refused set_tls_certificate(Config& config, ClusterConfig&, const Values& values) {
  config.web.tls.certificate = values[0];
  return {};
}
Refused set_tls_key(Config& config, ClusterConfig&, const Values& values) {
  config.web.tls.key = values[0];
  return {};
}
Refused set_token_file(Config& config, ClusterConfig&, const Values& values) {
  config.web.token_file = values[0];
  return {};
}
Refused set_insecure(Config& config, ClusterConfig&, const Values& values) {
  return set_bool(config.web.insecure, values[0]);
}

using enum SettingScope;
using enum SettingShape;

constexpr Setting kWebSettings[] = {
    {"listen", "listen", "SCONVERGE_LISTEN", "HOST:PORT",
     "address of the status page, /metrics, /api/v1/specs, /livez and /readyz (default "
     "127.0.0.1:9810); a gateway's, of all it serves (default 127.0.0.1:9820)",
     Process, Text, set_listen},
    {"tlsCert", "tls-cert", "SCONVERGE_TLS_CERT", "FILE",
     "certificate chain to serve with (PEM), read again when it changes", Process, Path,
     set_tls_certificate},
    {"tlsKey", "tls-key", "SCONVERGE_TLS_KEY", "FILE", "its key (PEM)", Process, Path, set_tls_key},
    {"listenTokenFile", "listen-token-file", "SCONVERGE_LISTEN_TOKEN_FILE", "FILE",
     "bearer tokens, one a line, that all but the probes then need; read again when it changes",
     Process, Path, set_token_file},
    {"insecureListen", "insecure-listen", "SCONVERGE_INSECURE_LISTEN", "true|false",
     "listen beyond the loopback even without TLS or tokens, as something else guards it (default "
     "false)",
     Process, Text, set_insecure},
    {"healthListen", "health-listen", "SCONVERGE_HEALTH_LISTEN", "HOST:PORT",
     "a second address with /livez, /readyz and /healthz alone, over plain HTTP (default: none)",
     Process, Text, set_health_listen},
};

}  // namespace

std::span<const Setting> web_settings() { return kWebSettings; }

}  // namespace sconverge
