#include "specs/sbatch_lines.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "specs/near_miss.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";
constexpr std::string_view kSbatch = "#SBATCH";
constexpr std::string_view kSlurm = "#SLURM";

// Hands out the lines of a text one by one, without their end, cut at a NUL as sbatch's C strings.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    ++number_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line.substr(0, line.find('\0'));
  }
  int number() const { return number_; }

 private:
  std::string_view rest_;
  int number_{0};
};

std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

bool is_command(std::string_view line) {
  const std::string_view text = without_blanks_before(line);
  return !text.empty() && text.front() != '#';
}

Directive behind_prefix(std::string_view line, std::string_view prefix, int number) {
  return {.line = number,
          .column = static_cast<int>(prefix.size()) + 1,
          .text = line.substr(prefix.size())};
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// Whether a remark is meant as a directive: ` #SBATCH -N1`, `# SBATCH -N1`, `#sbatch -N1`, `#SBACTH
// -N1`; never `##SBATCH`, which is how people switch a directive off.
bool looks_like_directive(std::string_view line) {
  std::string_view text = without_blanks_before(line);
  if (!text.starts_with('#')) return false;
  text = without_blanks_before(text.substr(1));
  if (text.starts_with('#')) return false;
  const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
  if (end > kSbatch.size() + 1 || !without_blanks_before(text.substr(end)).starts_with('-')) {
    return false;
  }
  std::string word(text.substr(0, end));
  std::transform(word.begin(), word.end(), word.begin(), upper);
  const std::array candidates = {kSbatch.substr(1)};
  return !near_miss(word, candidates).empty();
}

void note_near_miss(std::string_view line, int number, SbatchFindings& findings) {
  if (!looks_like_directive(line)) return;
  const std::string_view text = without_blanks_before(line);
  findings.note(
      {.line = number,
       .column = static_cast<int>(line.size() - text.size()) + 1,
       .what = in_quotes(text) + " is a remark to sbatch, not a directive",
       .remedy = "begin the line with `#SBATCH`, or with `##` if it is to stay a remark"});
}

void note_rest(Lines& lines, SbatchFindings& findings) {
  while (const auto line = lines.next()) {
    if (!line->starts_with(kSbatch)) continue;
    findings.note(
        {.line = lines.number(),
         .column = 1,
         .what =
             "sbatch does not read " + in_quotes(*line) + ": it stands behind the first command",
         .remedy = "move it up, before the first line that is neither blank nor a remark"});
  }
}

// One scan of sbatch_lines().
struct Scan {
  SbatchFindings& findings;
  std::vector<std::vector<Directive>> components{{}};
  bool slurm_noted{false};

  void slurm_line(int number) {
    if (slurm_noted) return;
    slurm_noted = true;
    findings.note({.line = number,
                   .column = 1,
                   .what = "sbatch reads `#SLURM` like `#SBATCH`, but complains about it",
                   .remedy = "write `#SBATCH`"});
  }
  void directive(const Directive& found) {
    const std::string_view text = without_blanks_before(found.text);
    if (component_word(text) == 0) {
      components.back().push_back(found);
      return;
    }
    const int column = found.column + static_cast<int>(found.text.size() - text.size());
    if (components.size() == 1) {
      findings.refuse({.line = found.line,
                       .column = column,
                       .what = "heterogeneous jobs are not yet supported",
                       .remedy = "write one spec for each component",
                       .kind = ProblemKind::Policy});
    }
    components.emplace_back();
  }
};

}  // namespace

bool is_sbatch_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

std::size_t component_word(std::string_view text) {
  for (const std::string_view word : {"HETJOB", "PACKJOB"}) {
    if (text.size() < word.size() || !std::equal(word.begin(), word.end(), text.begin(),
                                                 [](char w, char c) { return w == upper(c); })) {
      continue;
    }
    if (text.size() == word.size() || is_sbatch_blank(text[word.size()])) return word.size();
  }
  return 0;
}

std::vector<std::vector<Directive>> sbatch_lines(std::string_view script,
                                                 SbatchFindings& findings) {
  Scan scan{.findings = findings};
  Lines lines(script);
  while (const auto line = lines.next()) {
    if (line->starts_with(kSbatch)) {
      scan.directive(behind_prefix(*line, kSbatch, lines.number()));
    } else if (line->starts_with(kSlurm)) {
      scan.slurm_line(lines.number());
      scan.directive(behind_prefix(*line, kSlurm, lines.number()));
    } else if (is_command(*line)) {
      note_rest(lines, findings);
    } else {
      note_near_miss(*line, lines.number(), findings);
    }
  }
  return std::move(scan.components);
}

std::vector<Directive> foreign_lines(std::string_view script, std::string_view prefix,
                                     SbatchFindings& findings) {
  constexpr int last = 100;
  std::vector<Directive> directives;
  Lines lines(script);
  int others = 0;
  bool command_seen = false;
  while (const auto line = lines.next()) {
    if (!line->starts_with(prefix)) {
      others += line->starts_with('#') ? 0 : 1;
      command_seen = command_seen || is_command(*line);
    } else if (others <= last) {
      directives.push_back(behind_prefix(*line, prefix, lines.number()));
      if (!command_seen) continue;
      findings.note({.line = lines.number(),
                     .column = 1,
                     .what = "sbatch reads " + in_quotes(*line) +
                             " though it stands behind the first command",
                     .remedy = "begin the line otherwise if it is text, e.g. with a blank"});
    } else {
      findings.note({.line = lines.number(),
                     .column = 1,
                     .what = "sbatch does not read " + in_quotes(*line) +
                             ": more than 100 lines without `#` stand before it",
                     .remedy = "write it as a `#SBATCH` line at the top"});
      break;
    }
  }
  return directives;
}

}  // namespace sconverge
