#include "specs/sbatch_take.h"

#include <utility>

#include "specs/array_indexes.h"
#include "specs/sbatch_choices.h"
#include "specs/sbatch_frequency.h"
#include "specs/sbatch_hosts.h"
#include "specs/sbatch_moment.h"
#include "specs/sbatch_values.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

// Slurm's specialised cores and threads share a number whose topmost bit tells which they are.
constexpr std::int64_t kMaxSpecialised = 0x7FFF;

std::string value_of(const SbatchOption& option) { return option.value.value_or(""); }

template <typename T>
void take_value(SbatchReading& reading, const SbatchOption& option, std::string_view field,
                SbatchValue<T> value) {
  auto taken_value = reading.take(option, std::move(value));
  if (taken_value) reading.set(field, std::move(*taken_value), &option);
}

// A word in a list of its own, as REST has those fields.
void take_word(SbatchReading& reading, const SbatchOption& option, std::string_view field,
               SbatchValue<std::string> word) {
  auto taken_word = reading.take(option, std::move(word));
  if (taken_word) reading.set(field, std::vector<std::string>{std::move(*taken_word)}, &option);
}

void take_checked(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule,
                  std::optional<std::string> wrong) {
  if (wrong) return reading.refuse(option, *wrong, std::string(rule.remedy));
  take_text(reading, option, rule);
}

}  // namespace

void take_text(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const std::string text = value_of(option);
  if (!text.empty()) return reading.set(rule.field, text, &option);
  reading.unset(rule.field);
  // An empty partition is the one that Slurm then looks for.
  if (rule.field == "partition") {
    reading.refuse(option, "is empty", "give it a value, or remove it");
  } else {
    reading.note(option, "is empty and asks for nothing", "give it a value, or remove it");
  }
}

void take_flag(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  reading.set(rule.field, true, &option);
}

void take_count(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  take_value(reading, option, rule.field, sbatch_count(value_of(option), 1));
}

void take_minutes(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  take_value(reading, option, rule.field, sbatch_minutes(value_of(option)));
}

void take_size(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  take_value(reading, option, rule.field, sbatch_mebibytes(value_of(option)));
}

void take_moment(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const auto seconds = reading.take(option, sbatch_moment(value_of(option)));
  if (!seconds) return;
  reading.settings.*rule.number = *seconds;
  reading.set(rule.field, *seconds, &option);
}

void take_refusal(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  reading.refuse(option, rule.what, std::string(rule.remedy), ProblemKind::Policy);
}

void take_nothing(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  reading.note(option, rule.what, std::string(rule.remedy));
}

void take_account_gather_frequency(SbatchReading& reading, const SbatchOption& option,
                                   const SbatchRule& rule) {
  take_checked(reading, option, rule, wrong_acctg_freq(value_of(option)));
}

void take_array(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  if (value_of(option).empty()) return take_text(reading, option, rule);
  const Converted array = sbatch_array_from(value_of(option));
  if (!array.value) return reading.refuse(option, array.what, array.remedy);
  reading.set(rule.field, *array.value, &option);
}

void take_chdir(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const std::string path = value_of(option);
  if (!path.empty()) return reading.set(rule.field, path, &option);
  reading.refuse(option, "is empty", "name a directory, e.g. /home/alice");
}

void take_cpu_frequency(SbatchReading& reading, const SbatchOption& option,
                        const SbatchRule& rule) {
  take_checked(reading, option, rule, wrong_cpu_freq(value_of(option)));
}

void take_delay_boot(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  take_value(reading, option, rule.field, sbatch_seconds(value_of(option)));
}

void take_exclude(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  if (option.value && option.value->empty()) {
    reading.unset(rule.field);
    return reading.note(option, "is empty and excludes nothing", "name nodes, or remove it");
  }
  auto hosts = reading.take(option, sbatch_hosts(value_of(option)));
  if (hosts) reading.set(rule.field, std::move(hosts->names), &option);
}

void take_exclusive(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  take_word(reading, option, rule.field, sbatch_exclusive(option.value));
}

void take_file(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const std::string path = value_of(option);
  if (path.empty()) {
    return reading.refuse(option, "is empty, and names the working directory, which is no file",
                          "name a file, or remove it");
  }
  reading.set(rule.field, is_same_word(path, "none") ? "/dev/null" : path, &option);
}

void take_job_flag(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  reading.settings.job_flags.emplace_back(rule.what);
  reading.request.lines["flags"] = option.line;
}

void take_kill_on_invalid_dep(SbatchReading& reading, const SbatchOption& option,
                              const SbatchRule&) {
  const auto kill = reading.take(option, sbatch_yes_or_no(value_of(option)));
  if (!kill) return;
  reading.settings.job_flags.emplace_back(*kill ? "KILL_INVALID_DEPENDENCY"
                                                : "NO_KILL_INVALID_DEPENDENCY");
  reading.request.lines["flags"] = option.line;
}

void take_mail_type(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const auto types = reading.take(option, sbatch_mail_types(value_of(option)));
  if (!types) return;
  auto& all = reading.settings.mail_types;
  all.insert(all.end(), types->begin(), types->end());
  if (!types->empty()) reading.request.lines[std::string(rule.field)] = option.line;
}

void take_nice(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  take_value(reading, option, rule.field, sbatch_nice(option.value));
}

void take_no_kill(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const auto keep = reading.take(option, sbatch_no_kill(option.value));
  if (!keep) return;
  if (*keep) {
    reading.set(rule.field, false, &option);
  } else {
    reading.unset(rule.field);
  }
}

void take_no_requeue(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  reading.set(rule.field, false, &option);
}

void take_oom_kill_step(SbatchReading& reading, const SbatchOption& option,
                        const SbatchRule& rule) {
  take_value(reading, option, rule.field,
             option.value ? sbatch_small_count(*option.value) : taken(std::int64_t{1}));
}

void take_open_mode(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  take_word(reading, option, rule.field, sbatch_open_mode(value_of(option)));
}

void take_oversubscribe(SbatchReading& reading, const SbatchOption& option,
                        const SbatchRule& rule) {
  take_word(reading, option, rule.field, taken(std::string("oversubscribe")));
}

void take_priority(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const std::string text = value_of(option);
  const LeadingNumber number = leading_number(text);
  if (!is_same_word(text, "TOP") && (number.value < 0 || number.value > 0xFFFFFFFDLL)) {
    return reading.refuse(option, in_quotes(text) + " is out of range",
                          "write a number from 0 to 4294967293");
  }
  reading.note(option, rule.what, std::string(rule.remedy));
}

void take_profile(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  auto words = reading.take(option, sbatch_profile(value_of(option)));
  if (words) reading.set(rule.field, std::move(*words), &option);
}

void take_propagate(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const std::string text = option.value.value_or("ALL");
  if (const auto wrong = wrong_propagate(text)) {
    return reading.refuse(option, *wrong, "write ALL, NONE or names such as NOFILE,STACK");
  }
  if (text != "NONE") reading.note(option, rule.what, std::string(rule.remedy));
}

void take_segment(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  take_value(reading, option, rule.field, sbatch_small_count(value_of(option)));
}

void take_signal(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  auto signal = reading.take(option, sbatch_signal(value_of(option)));
  if (!signal) return;
  reading.set(rule.field, std::move(signal->name), &option);
  reading.set("kill_warning_delay", signal->delay, &option);
  // Letters add up over the options of a script.
  auto& flags = reading.settings.signal_flags;
  flags.insert(signal->flags.begin(), signal->flags.end());
  if (flags.empty()) return;
  reading.set("kill_warning_flags", std::vector<std::string>(flags.begin(), flags.end()), &option);
}

void take_specialised(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const auto count = reading.take(option, sbatch_count(value_of(option), 1));
  if (!count) return;
  if (*count > kMaxSpecialised) {
    return reading.refuse(option, std::to_string(*count) + " is too large",
                          "the largest value is " + std::to_string(kMaxSpecialised));
  }
  reading.set(rule.field, *count, &option);
}

void take_switches(SbatchReading& reading, const SbatchOption& option, const SbatchRule& rule) {
  const std::string text = value_of(option);
  const std::size_t at = text.find('@');
  take_value(reading, option, rule.field, sbatch_count(text.substr(0, at), 1));
  if (at == std::string::npos) return;
  const auto wait = sbatch_seconds(std::string_view(text).substr(at + 1));
  if (wait.value && std::holds_alternative<std::int64_t>(*wait.value)) {
    return reading.set("wait_for_switch", *wait.value, &option);
  }
  reading.note(option, "the time behind @ sets no limit to sbatch",
               "write e.g. 1@30 (minutes), or leave it out");
}

void take_wait_all_nodes(SbatchReading& reading, const SbatchOption& option,
                         const SbatchRule& rule) {
  const auto count = reading.take(option, sbatch_count(value_of(option), 0));
  if (!count) return;
  if (*count > 1) return reading.refuse(option, "is neither 0 nor 1", "write 0 or 1");
  reading.set(rule.field, *count == 1, &option);
}

}  // namespace sconverge
