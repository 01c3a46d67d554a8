#include "specs/sbatch_pbs.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "specs/sbatch_pbs_resources.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

// The last column is the option of sbatch; without one, an option is ignored or read below.
constexpr std::array kRows = {
    OptionRow{"start_time", 'a', TakesValue::Required, "begin"},
    OptionRow{"account", 'A', TakesValue::Required, "account"},
    OptionRow{"checkpoint", 'c', TakesValue::Required},
    OptionRow{"working_dir", 'C', TakesValue::Required},
    OptionRow{"", 'd', TakesValue::Required, "chdir"},
    OptionRow{"error", 'e', TakesValue::Required, "error"},
    OptionRow{"hold", 'h', TakesValue::No, "hold"},
    OptionRow{"interactive", 'I', TakesValue::No},
    OptionRow{"", 'j', TakesValue::Required},
    OptionRow{"join", '\0', TakesValue::Optional},
    OptionRow{"job_array", 'J', TakesValue::Required, "array"},
    OptionRow{"keep", 'k', TakesValue::Required},
    OptionRow{"resource_list", 'l', TakesValue::Required},
    OptionRow{"mail_options", 'm', TakesValue::Required, "mail-type"},
    OptionRow{"mail_user_list", 'M', TakesValue::Required, "mail-user"},
    OptionRow{"job_name", 'N', TakesValue::Required, "job-name"},
    OptionRow{"out", 'o', TakesValue::Required, "output"},
    OptionRow{"priority", 'p', TakesValue::Required, "nice"},
    OptionRow{"destination", 'q', TakesValue::Required, "partition"},
    OptionRow{"rerunable", 'r', TakesValue::Required},
    OptionRow{"script_path", 'S', TakesValue::Required},
    OptionRow{"array", 't', TakesValue::Required, "array"},
    OptionRow{"running_user", 'u', TakesValue::Required},
    OptionRow{"variable_list", 'v', TakesValue::Required, "export"},
    OptionRow{"all_env", 'V', TakesValue::No},
    OptionRow{"", 'w', TakesValue::Required, "chdir"},
    OptionRow{"attributes", 'W', TakesValue::Required},
    OptionRow{"no_std", 'z', TakesValue::No},
};

std::string_view replacement(std::string_view option) {
  return option == "-P" ? "write `#SBATCH --account=`" : "write a `#SBATCH` line";
}

std::string_view instead_of_ignored(char letter) {
  switch (letter) {
    case 'j':
      return "leave it out: sbatch joins both outputs unless there is an `--error`";
    case 'r':
      return "write `#SBATCH --requeue` or `#SBATCH --no-requeue`";
    case 'S':
      return "name the shell in the first line of the script";
    case 'V':
      return "leave it out, or write `#SBATCH --export=`";
    default:
      return "leave it out";
  }
}

bool has(std::string_view value, char lower) {
  const char upper = static_cast<char>(lower - 'a' + 'A');
  return value.find(lower) != std::string_view::npos || value.find(upper) != std::string_view::npos;
}

void mail_options(const GivenOption& given, Translation& translation) {
  std::string types;
  const auto append = [&](std::string_view type) {
    types += (types.empty() ? "" : ",") + std::string(type);
  };
  if (has(*given.value, 'n')) {
    types = "NONE";
  } else {
    if (has(*given.value, 'b')) append("BEGIN");
    if (has(*given.value, 'e')) append("END");
    if (has(*given.value, 'a')) append("FAIL");
  }
  if (types.empty()) {
    translation.refuse(given, "mail-type", in_quotes(*given.value) + " names no event for a mail",
                       "write b, e and a, or n, or `#SBATCH --mail-type=`");
    return;
  }
  translation.add(given, "mail-type", std::move(types));
}

// Whether `text` begins with `prefix`, which is in lower case, in any case.
bool begins_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char p, char t) {
           return p == t || (p >= 'a' && p <= 'z' && t == p - 'a' + 'A');
         });
}

void attributes(const GivenOption& given, Translation& translation) {
  constexpr std::string_view depend = "depend=";
  constexpr std::string_view umask = "umask=";
  const std::string_view value = *given.value;
  if (begins_with(value, depend)) {
    translation.add(given, "dependency", std::string(value.substr(depend.size())));
  } else if (begins_with(value, umask)) {
    // sbatch has no option that says it, and a job over the REST API no field.
    translation.refuse(
        given, {}, in_quotes(translation.text_of(given)) + " is not supported",
        "write `umask " + std::string(value.substr(umask.size(), 10)) + "` in the script");
  } else {
    translation.note(given, {}, "sbatch ignores " + in_quotes(translation.text_of(given)),
                     "leave it out, or write a `#SBATCH` line");
  }
}

void translate(const GivenOption& given, Translation& translation) {
  const OptionRow& row = *given.row;
  if (row.letter == 'l') {
    translate_pbs_resources(given, translation);
  } else if (row.letter == 'W') {
    attributes(given, translation);
  } else if (row.alias_of.empty()) {
    translation.note(given, {}, "sbatch ignores " + in_quotes(translation.text_of(given)),
                     std::string(instead_of_ignored(row.name == "join" ? 'j' : row.letter)));
  } else if (row.alias_of == "mail-type") {
    mail_options(given, translation);
  } else if (row.alias_of == "export") {
    std::optional<std::string> all = translation.take("export");
    if (all) *all += ",";
    translation.add(given, "export", all.value_or("") + *given.value);
  } else {
    if (row.alias_of == "nice") {
      translation.note(given, "nice",
                       "sbatch reads " + in_quotes(translation.text_of(given)) +
                           " as --nice, which lowers the priority",
                       "write `#SBATCH --nice=` or leave it out");
    }
    translation.add(given, row.alias_of, given.value);
  }
}

}  // namespace

void translate_pbs(std::span<const Directive> lines, Translation& translation,
                   SbatchFindings& findings) {
  const OptionGrammar grammar{.directive = "#PBS", .rows = kRows, .replacement = replacement};
  for (const GivenOption& given : read_options(sbatch_words(lines, findings), grammar, findings)) {
    if (translation.is_full()) break;
    translate(given, translation);
  }
}

}  // namespace sconverge
