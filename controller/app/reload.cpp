#include "controller/app/reload.h"

#include <array>
#include <string_view>

namespace sconverge {
namespace {

struct FixedSetting {
  std::string_view key;
  bool (*same)(const Config&, const Config&);
  void (*keep)(const Config& from, Config& in);
};

/// `Member` takes a Config's member by reference.
template <auto Member>
constexpr FixedSetting fixed(std::string_view key) {
  return {key, [](const Config& a, const Config& b) { return Member(a) == Member(b); },
          [](const Config& from, Config& in) { Member(in) = Member(from); }};
}

/// Jobs carry the id, memory lies in the directory, and others know the addresses. What is missing
/// here is taken at a reload.
constexpr std::array kFixed{fixed < [](auto& config) -> auto& {return config.controller_id;
}  // namespace
> ("controllerId"), fixed < [](auto& config) -> auto& { return config.state; }
> ("state"), fixed < [](auto& config) -> auto& { return config.web.listen; }
> ("listen"), fixed < [](auto& config) -> auto& { return config.web.health_listen; }
> ("healthListen"), fixed < [](auto& config) -> auto& { return config.web.tls.certificate; }
> ("tlsCert"), fixed < [](auto& config) -> auto& { return config.web.tls.key; }
> ("tlsKey"), fixed < [](auto& config) -> auto& { return config.web.token_file; }
> ("listenTokenFile"), fixed < [](auto& config) -> auto& { return config.web.insecure; }
> ("insecureListen"),
};  // namespace sconverge

}  // namespace

Reload reload_of(const Config& now, const Config& read) {
  Reload reload{read};
  if (read.controller_id.empty()) reload.config.controller_id = now.controller_id;  // as kept
  for (const FixedSetting& setting : kFixed) {
    if (setting.same(now, reload.config)) continue;
    reload.needs_restart.emplace_back(setting.key);
    setting.keep(now, reload.config);
  }
  return reload;
}

std::vector<std::string> keys_that_need_a_restart() {
  std::vector<std::string> keys;
  keys.reserve(kFixed.size());
  for (const FixedSetting& setting : kFixed) keys.emplace_back(setting.key);
  return keys;
}

}  // namespace sconverge
