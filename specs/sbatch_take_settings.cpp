// The rows of the table whose options fill the settings.

#include <utility>

#include "specs/sbatch_choices.h"
#include "specs/sbatch_dependency.h"
#include "specs/sbatch_frequency.h"
#include "specs/sbatch_hosts.h"
#include "specs/sbatch_take.h"
#include "specs/sbatch_values.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

// The longest text of this kind that Slurm's controller takes.
constexpr std::size_t kMaxResources = 1024;

std::string value_of(const SbatchOption& option) { return option.value.value_or(""); }

bool fits(SbatchReading& reading, const SbatchOption& option) {
  const std::size_t size = value_of(option).size();
  if (size <= kMaxResources) return true;
  reading.refuse(option, "is " + std::to_string(size) + " bytes long",
                 "use at most " + std::to_string(kMaxResources) + " bytes, as Slurm takes");
  return false;
}

}  // namespace

void take_raw(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  if (!fits(reading, option)) return;
  reading.settings.*rule.text = value_of(option);
  if (value_of(option).empty()) {
    reading.note(option, "is empty and asks for nothing", "give it a value, or remove it");
  }
}

void take_number(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const auto number = reading.take(option, sbatch_count(value_of(option), 1));
  if (number) reading.settings.*rule.number = *number;
}

void take_memory(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const auto size = reading.take(option, sbatch_mebibytes(value_of(option)));
  if (size) reading.settings.*rule.number = *size;
}

void take_container(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  take_text(reading, option, rule);
  reading.settings.environment[std::string(rule.what)] = value_of(option);
}

void take_dependency(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const std::string text = value_of(option);
  const auto wrong = wrong_dependency(text);
  if (wrong && !text.empty()) return reading.refuse(option, *wrong, std::string(rule.remedy));
  take_text(reading, option, rule);
  reading.settings.environment["SLURM_JOB_DEPENDENCY"] = text;
}

void take_distribution(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  auto distribution = reading.take(option, sbatch_distribution(value_of(option)));
  if (!distribution) return;
  reading.set(rule.field, rest_distribution(*distribution), &option);
  reading.settings.distribution = std::move(*distribution);
}

void take_export(SbatchReading& reading, const SbatchOption& option, const SbatchRule&) {
  auto exported = reading.take(option, sbatch_export(value_of(option)));
  if (exported) reading.settings.exported = std::move(*exported);
}

void take_get_user_env(SbatchReading& reading, const SbatchOption& option, const SbatchRule&) {
  const std::string text = value_of(option);
  const LeadingNumber number = leading_number(text);
  const std::string mode = lower_case(number.rest.substr(0, 1));
  if (!mode.empty() && mode != "s" && mode != "l") {
    return reading.refuse(option, in_quotes(text) + " is no time and mode",
                          "write --get-user-env alone");
  }
  reading.settings.login_environment = number.value >= 0;
  if (option.value) {
    reading.note(option, "time and mode are without effect in Slurm", "write --get-user-env alone");
  }
}

void take_gpu_bind(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  if (!fits(reading, option)) return;
  const std::string bind = "gres/gpu:" + value_of(option);
  if (const auto wrong = wrong_tres_bind(bind)) {
    return reading.refuse(option, *wrong, std::string(rule.remedy));
  }
  reading.settings.tres_bind = bind;
}

void take_gpu_freq(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  if (!fits(reading, option)) return;
  if (const auto wrong = wrong_gpu_freq(value_of(option))) {
    return reading.refuse(option, *wrong, std::string(rule.remedy));
  }
  reading.settings.gpu_freq = value_of(option);
}

void take_gres(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const std::string text = value_of(option);
  if (is_same_word(text, "help") || is_same_word(text, "list")) {
    return reading.refuse(option, in_quotes(text) + " lists the resources and submits nothing",
                          "write e.g. gpu:2");
  }
  take_raw(reading, option, rule);
}

void take_gres_flags(SbatchReading& reading, const SbatchOption& option, const SbatchRule&) {
  auto flags = reading.take(option, sbatch_gres_flags(value_of(option)));
  if (!flags) return;
  reading.settings.gres_flags = std::move(*flags);
  reading.request.lines["flags"] = option.line;
}

void take_hint(SbatchReading& reading, const SbatchOption& option, const SbatchRule&) {
  auto hints = reading.take(option, sbatch_hints(value_of(option)));
  if (!hints) return;
  reading.settings.hints = std::move(*hints);
  reading.settings.hint_text = value_of(option);
}

void take_hold(SbatchReading& reading, const SbatchOption& option, const SbatchRule&) {
  reading.request.hold = true;
  reading.request.lines["hold"] = option.line;
}

void take_layout(SbatchReading& reading, const SbatchOption& option, const SbatchRule&) {
  const auto layout = reading.take(option, sbatch_layout(value_of(option)));
  if (!layout) return;
  reading.settings.sockets = layout->sockets;
  reading.settings.cores = layout->cores;
  reading.settings.threads = layout->threads;
}

void take_memory_binding(SbatchReading& reading, const SbatchOption& option,
                         const SbatchRule& rule) {
  auto binding = reading.take(
      option, sbatch_memory_binding(value_of(option), reading.settings.memory_binding));
  if (!binding) return;
  reading.unset("memory_binding");
  if (!binding->map.empty()) reading.set("memory_binding", binding->map, &option);
  auto words = rest_memory_binding_type(*binding);
  if (words.empty()) {
    reading.unset(rule.field);
  } else {
    reading.set(rule.field, std::move(words), &option);
  }
  reading.settings.memory_binding = std::move(*binding);
}

void take_nodelist(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  auto hosts = reading.take(option, sbatch_hosts(value_of(option)));
  if (!hosts) return;
  reading.set(rule.field, hosts->names, &option);
  reading.settings.hosts = std::move(hosts->names);
  reading.settings.host_count = hosts->count;
  reading.settings.host_places = hosts->places;
}

void take_nodes(SbatchReading& reading, const SbatchOption& option, const SbatchRule&) {
  auto nodes = reading.take(option, sbatch_nodes(value_of(option)));
  if (nodes) reading.settings.nodes = std::move(nodes);
}

void take_overcommit(SbatchReading& reading, const SbatchOption&, const SbatchRule&) {
  reading.settings.overcommit = true;
}

void take_tres_bind(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  if (!fits(reading, option)) return;
  if (const auto wrong = wrong_tres_bind(value_of(option))) {
    return reading.refuse(option, *wrong, std::string(rule.remedy));
  }
  reading.settings.tres_bind = value_of(option);
}

}  // namespace sconverge
