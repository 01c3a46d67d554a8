#include "specs/sbatch_bsub.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::array kRows = {
    OptionRow{"cwd", 'c', TakesValue::Required, "chdir"},
    OptionRow{"error_file", 'e', TakesValue::Required, "error"},
    OptionRow{"job_name", 'J', TakesValue::Required, "job-name"},
    OptionRow{"hostname", 'm', TakesValue::Required, "nodelist"},
    OptionRow{"memory_limit", 'M', TakesValue::Required, "mem-per-cpu"},
    OptionRow{"", 'n', TakesValue::Required, "ntasks"},
    OptionRow{"output_file", 'o', TakesValue::Required, "output"},
    OptionRow{"queue_name", 'q', TakesValue::Required, "partition"},
    OptionRow{"time", 'W', TakesValue::Required, "time"},
    OptionRow{"exclusive", 'x', TakesValue::No, "exclusive"},
};

struct Replacement {
  std::string_view option;
  std::string_view remedy;
};

constexpr std::array kReplacements = {
    Replacement{"-B", "write `#SBATCH --mail-type=BEGIN`"},
    Replacement{"-G", "write `#SBATCH --account=`"},
    Replacement{"-H", "write `#SBATCH --hold`"},
    Replacement{"-I", "leave it out: a batch job is not interactive"},
    Replacement{"-K", "leave it out: sconverge waits for the job anyway"},
    Replacement{"-L", "name the shell in the first line of the script"},
    Replacement{"-N", "write `#SBATCH --mail-type=END`"},
    Replacement{"-P", "write `#SBATCH --account=` or `#SBATCH --wckey=`"},
    Replacement{"-R", "write `#SBATCH --mem=`, `--ntasks-per-node=`, `--constraint=` or `--gres=`"},
    Replacement{"-b", "write `#SBATCH --begin=`"},
    Replacement{"-g", "write `#SBATCH --gpus=` for -gpu, or `#SBATCH --comment=` for a job group"},
    Replacement{"-i", "write `#SBATCH --input=`"},
    Replacement{"-r", "write `#SBATCH --requeue`"},
    Replacement{"-t", "write `#SBATCH --deadline=`"},
    Replacement{"-u", "write `#SBATCH --mail-user=`"},
    Replacement{"-w", "write `#SBATCH --dependency=`"},
};

std::string_view replacement(std::string_view option) {
  const auto* const found =
      std::find_if(kReplacements.begin(), kReplacements.end(),
                   [&](const Replacement& known) { return known.option == option; });
  return found == kReplacements.end() ? "write a `#SBATCH` line" : found->remedy;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The value as sbatch rewrites it; nothing, and refused, if it cannot.
std::optional<std::string> rewritten(const GivenOption& given, Translation& translation) {
  std::string value = *given.value;
  const std::string_view name = given.row->alias_of;
  if (name == "nodelist") std::replace(value.begin(), value.end(), ' ', ',');
  // LSF's limit is in KiB if nothing else is said.
  if (name == "mem-per-cpu" && !value.empty() && is_digit(value.back())) value += 'K';
  if (name != "ntasks") return value;
  const std::size_t comma = value.find(',');  // least and most
  if (comma == std::string::npos) return value;
  if (comma + 1 < value.size()) return value.substr(comma + 1);
  translation.refuse(given, name, "the number of tasks " + in_quotes(value) + " ends with a comma",
                     "write `#SBATCH --ntasks=` and one number");
  return std::nullopt;
}

void note_meaning(const GivenOption& given, Translation& translation) {
  const std::string_view name = given.row->alias_of;
  const std::string text = in_quotes(translation.text_of(given));
  if (name == "time" && std::count(given.value->begin(), given.value->end(), ':') == 1) {
    translation.note(given, name, "sbatch reads " + text + " as minutes and seconds",
                     "write `#SBATCH --time=` with hours:minutes:seconds");
  } else if (name == "job-name" && given.value->find('[') != std::string::npos) {
    translation.note(given, name, "sbatch makes no job array of " + text,
                     "write `#SBATCH --array=`");
  }
}

}  // namespace

void translate_bsub(std::span<const Directive> lines, Translation& translation,
                    SbatchFindings& findings) {
  std::vector<SbatchWord> words = sbatch_words(lines, findings);
  // sbatch looks for this one option with a long name only where it expects options: at every
  // second word.
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (words[i].text == "-cwd") words[i].text = "-c";
  }
  const OptionGrammar grammar{.directive = "#BSUB", .rows = kRows, .replacement = replacement};
  for (const GivenOption& given : read_options(words, grammar, findings)) {
    if (translation.is_full()) break;
    if (!given.value) {
      translation.add(given, given.row->alias_of, std::nullopt);
    } else if (std::optional<std::string> value = rewritten(given, translation)) {
      note_meaning(given, translation);
      translation.add(given, given.row->alias_of, std::move(value));
    }
  }
}

}  // namespace sconverge
