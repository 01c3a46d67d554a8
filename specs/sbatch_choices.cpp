#include "specs/sbatch_choices.h"

#include <algorithm>
#include <array>

#include "specs/utf8.h"

namespace sconverge {
namespace {

struct Named {
  std::string_view word;
  std::string_view value;
};

struct NamedSignal {
  std::string_view name;
  int number;
};

// Those that Slurm has names for, with Linux's numbers.
constexpr std::array kSignals = {
    NamedSignal{"HUP", 1},   NamedSignal{"INT", 2},   NamedSignal{"QUIT", 3},
    NamedSignal{"ABRT", 6},  NamedSignal{"KILL", 9},  NamedSignal{"ALRM", 14},
    NamedSignal{"TERM", 15}, NamedSignal{"CHLD", 17}, NamedSignal{"USR1", 10},
    NamedSignal{"USR2", 12}, NamedSignal{"PIPE", 13}, NamedSignal{"URG", 23},
    NamedSignal{"CONT", 18}, NamedSignal{"STOP", 19}, NamedSignal{"TSTP", 20},
    NamedSignal{"TTIN", 21}, NamedSignal{"TTOU", 22}, NamedSignal{"XCPU", 24},
};

constexpr std::array kMailTypes = {
    Named{"BEGIN", "BEGIN"},
    Named{"END", "END"},
    Named{"FAIL", "FAIL"},
    Named{"REQUEUE", "REQUEUE"},
    Named{"TIME_LIMIT", "TIME=100%"},
    Named{"TIME_LIMIT_90", "TIME=90%"},
    Named{"TIME_LIMIT_80", "TIME=80%"},
    Named{"TIME_LIMIT_50", "TIME=50%"},
    Named{"STAGE_OUT", "STAGE_OUT"},
    Named{"ARRAY_TASKS", "ARRAY_TASKS"},
    Named{"INVALID_DEPEND", "INVALID_DEPENDENCY"},
};
constexpr std::array<std::string_view, 6> kAllMail = {"BEGIN",   "END",       "FAIL",
                                                      "REQUEUE", "STAGE_OUT", "INVALID_DEPEND"};
constexpr std::string_view kMailForms =
    "known: NONE, BEGIN, END, FAIL, REQUEUE, ALL, INVALID_DEPEND, STAGE_OUT, TIME_LIMIT, "
    "TIME_LIMIT_90, TIME_LIMIT_80, TIME_LIMIT_50, ARRAY_TASKS";

constexpr std::string_view kSignalForms = "write e.g. USR1@60 or B:TERM@120";

constexpr std::int64_t kMaxDelay = 0xFFFF - 2;

// The number of `10`, `USR1` or `sigusr1`; 0 if there is none.
std::int64_t signal_number(std::string_view text) {
  const LeadingNumber number = leading_number(text);
  if (number.found) {
    return is_blank(number.rest) && number.value > 0 && number.value <= 0xFFFF ? number.value : 0;
  }
  while (!text.empty() && is_blank(text.substr(0, 1))) text.remove_prefix(1);
  if (begins_with_word(text, "SIG")) text.remove_prefix(3);
  for (const NamedSignal& signal : kSignals) {
    if (begins_with_word(text, signal.name) && is_blank(text.substr(signal.name.size()))) {
      return signal.number;
    }
  }
  return 0;
}

std::string signal_name(std::int64_t number) {
  for (const NamedSignal& signal : kSignals) {
    if (signal.number == number) return std::string(signal.name);
  }
  return std::to_string(number);
}

// Takes a leading letter off; sbatch looks for R, B and R, in this order.
bool take_letter(std::string_view& text, std::string_view letter) {
  const bool has = begins_with_word(text, letter);
  if (has) text.remove_prefix(1);
  return has;
}

bool contains_word(std::string_view text, std::string_view word) {
  for (std::size_t i = 0; i + word.size() <= text.size(); ++i) {
    if (begins_with_word(text.substr(i), word)) return true;
  }
  return false;
}

}  // namespace

SbatchValue<SbatchSignal> sbatch_signal(std::string_view text) {
  std::string_view rest = text;
  const bool reservation_first = take_letter(rest, "R");
  const bool batch = take_letter(rest, "B");
  const bool reservation = take_letter(rest, "R") || reservation_first;
  if (!rest.empty() && rest.front() == ':') rest.remove_prefix(1);
  const std::size_t at = rest.find('@');
  const std::int64_t number = signal_number(rest.substr(0, at));
  if (number == 0) {
    return refused<SbatchSignal>(in_quotes(text) + " is not a signal", std::string(kSignalForms));
  }
  SbatchSignal signal{.name = signal_name(number)};
  if (batch) signal.flags.emplace_back("BATCH_JOB");
  if (reservation) signal.flags.emplace_back("RESERVATION_JOB");
  if (at == std::string_view::npos) return taken(std::move(signal));
  const LeadingNumber delay = leading_number(rest.substr(at + 1));
  if (!delay.rest.empty() || delay.value < 0 || delay.value > kMaxDelay) {
    return refused<SbatchSignal>(in_quotes(text) + " does not say a number of seconds from 0 to " +
                                     std::to_string(kMaxDelay),
                                 std::string(kSignalForms));
  }
  signal.delay = delay.value;
  return taken(std::move(signal));
}

SbatchValue<std::vector<std::string>> sbatch_mail_types(std::string_view text) {
  std::array<bool, kMailTypes.size()> asked{};
  std::string unknown;
  bool none = false;
  const auto ask = [&asked](std::string_view word) {
    for (std::size_t i = 0; i < kMailTypes.size(); ++i) {
      if (!is_same_word(kMailTypes[i].word, word)) continue;
      asked[i] = true;
      return true;
    }
    return false;
  };
  for (const std::string_view word : split_words(text, ",")) {
    none = is_same_word(word, "NONE");
    if (none) {
      asked = {};
      break;
    }
    if (is_same_word(word, "ALL")) {
      for (const std::string_view each : kAllMail) ask(each);
    } else if (!ask(word) && unknown.empty()) {
      unknown = in_quotes(word);
    }
  }
  std::vector<std::string> types;
  for (std::size_t i = 0; i < kMailTypes.size(); ++i) {
    if (asked[i]) types.emplace_back(kMailTypes[i].value);
  }
  if (types.empty() && !none) {
    return refused<std::vector<std::string>>(in_quotes(text) + " names no kind of mail",
                                             std::string(kMailForms));
  }
  if (unknown.empty() || none) return taken(std::move(types));
  return odd(std::move(types), unknown + " is no kind of mail, and sbatch leaves it out",
             std::string(kMailForms));
}

SbatchValue<std::vector<std::string>> sbatch_profile(std::string_view text) {
  if (contains_word(text, "none")) return taken(std::vector<std::string>{"NONE"});
  std::vector<std::string> words;
  const bool all = contains_word(text, "all");
  for (const std::string_view word : {"ENERGY", "LUSTRE", "NETWORK", "TASK"}) {
    if (all || contains_word(text, word)) words.emplace_back(word);
  }
  if (!words.empty()) return taken(std::move(words));
  return refused<std::vector<std::string>>(in_quotes(text) + " names nothing to profile",
                                           "known: None, All, Energy, Task, Lustre, Network");
}

SbatchValue<std::string> sbatch_exclusive(const std::optional<std::string>& text) {
  if (!text || is_same_word(*text, "exclusive")) return taken(std::string("none"));
  for (const std::string_view word : {"oversubscribe", "user", "mcs", "topo"}) {
    if (is_same_word(*text, word)) return taken(std::string(word));
  }
  return refused<std::string>(in_quotes(*text) + " is not known here",
                              "write --exclusive alone, or with user, mcs or topo");
}

SbatchValue<std::string> sbatch_open_mode(std::string_view text) {
  if (begins_with_word(text, "a")) return taken(std::string("APPEND"));
  if (begins_with_word(text, "t")) return taken(std::string("TRUNCATE"));
  return refused<std::string>(in_quotes(text) + " is not known here", "write append or truncate");
}

SbatchValue<std::vector<std::string>> sbatch_gres_flags(std::string_view text) {
  using Words = std::vector<std::string>;
  bool enforce = false;
  bool disable = false;
  for (const std::string_view word : split_words(text, ",")) {
    if (is_same_word(word, "enforce-binding")) {
      enforce = true;
    } else if (is_same_word(word, "disable-binding")) {
      disable = true;
    } else if (is_same_word(word, "allow-task-sharing")) {
      return refused<Words>("allow-task-sharing is for srun only", "give it to srun in the script");
    } else if (is_same_word(word, "one-task-per-sharing") ||
               is_same_word(word, "multiple-tasks-per-sharing")) {
      return refused<Words>(in_quotes(word) + " cannot be asked for through the REST API",
                            "remove it; the cluster's SelectTypeParameters decide");
    } else {
      return refused<Words>(in_quotes(word) + " is not known here",
                            "write enforce-binding or disable-binding");
    }
  }
  if (enforce && disable) {
    return refused<Words>("enforce-binding and disable-binding exclude each other",
                          "keep one of them");
  }
  Words flags;
  if (enforce) flags.emplace_back("GRES_BINDING_ENFORCED");
  if (disable) flags.emplace_back("GRES_BINDING_DISABLED");
  return taken(std::move(flags));
}

SbatchValue<bool> sbatch_no_kill(const std::optional<std::string>& text) {
  if (!text || is_same_word(*text, "set")) return taken(true);
  if (is_same_word(*text, "off") || is_same_word(*text, "no")) return taken(false);
  return refused<bool>(in_quotes(*text) + " is not known here",
                       "write --no-kill alone, or with off");
}

SbatchValue<bool> sbatch_yes_or_no(std::string_view text) {
  if (is_same_word(text, "yes")) return taken(true);
  if (is_same_word(text, "no")) return taken(false);
  return refused<bool>(in_quotes(text) + " is neither yes nor no", "write yes or no");
}

SbatchValue<std::vector<std::string>> sbatch_hints(std::string_view text) {
  using Words = std::vector<std::string>;
  Words hints;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string hint = lower_case(text.substr(0, end));
    if (hint == "help") {
      return refused<Words>("help lists the hints and submits nothing", "remove it");
    }
    if (hint != "compute_bound" && hint != "memory_bound" && hint != "multithread" &&
        hint != "nomultithread") {
      return refused<Words>(in_quotes(text.substr(0, end)) + " is not known here",
                            "write compute_bound, memory_bound, multithread or nomultithread");
    }
    hints.push_back(hint);
    if (end == text.size()) return taken(std::move(hints));
    text.remove_prefix(end + 1);
  }
}

}  // namespace sconverge
