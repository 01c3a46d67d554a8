#include "specs/sbatch_options.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "specs/sbatch_bsub.h"
#include "specs/sbatch_lines.h"
#include "specs/sbatch_option_table.h"
#include "specs/sbatch_pbs.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

std::vector<SbatchOption> component_options(std::span<const Directive> lines,
                                            SbatchFindings& findings) {
  const OptionGrammar grammar{.directive = "#SBATCH",
                              .rows = sbatch_option_table(),
                              .replacement = sbatch_option_replacement};
  std::vector<SbatchOption> options;
  for (GivenOption& given : read_options(sbatch_words(lines, findings), grammar, findings)) {
    const OptionRow& row = *given.row;
    options.push_back({.name = row.alias_of.empty() ? row.name : row.alias_of,
                       .value = std::move(given.value),
                       .line = given.line,
                       .column = given.column,
                       .text = std::move(given.text)});
  }
  return options;
}

bool has_option(const std::vector<SbatchOption>& options, std::string_view name) {
  return std::any_of(options.begin(), options.end(),
                     [&](const SbatchOption& option) { return option.name == name; });
}

// Options that a translation adds to rather than replaces.
bool adds_up(std::string_view name) {
  return name == "mail-type" || name == "export" || name == "gres" || name == "constraint";
}

void note_replaced(const std::vector<SbatchOption>& directives,
                   const std::vector<SbatchOption>& translated, SbatchFindings& findings) {
  std::map<std::string_view, const SbatchOption*> last;
  for (const SbatchOption& option : directives) last[option.name] = &option;
  for (const SbatchOption& option : translated) {
    const auto found = last.find(option.name);
    if (found == last.end() || adds_up(option.name) || found->second->value == option.value)
      continue;
    findings.note({.line = option.line,
                   .column = option.column,
                   .option = std::string(option.name),
                   .what = in_quotes(option.text) + " beats " + in_quotes(found->second->text) +
                           " of line " + std::to_string(found->second->line),
                   .remedy = "leave out one of them"});
  }
}

// Only one kind is translated, and `#BSUB` lines come first.
std::vector<SbatchOption> foreign_options(std::string_view script,
                                          const std::vector<SbatchOption>& directives,
                                          SbatchFindings& findings) {
  const std::vector<Directive> bsub = foreign_lines(script, "#BSUB", findings);
  SbatchFindings of_pbs;
  const std::vector<Directive> pbs = foreign_lines(script, "#PBS", of_pbs);
  if (bsub.empty()) {
    for (ScriptProblem& note : of_pbs.notes) findings.note(std::move(note));
    Translation translation("#PBS", directives, findings);
    translate_pbs(pbs, translation, findings);
    return translation.options();
  }
  if (!pbs.empty()) {
    findings.note({.line = pbs.front().line,
                   .column = 1,
                   .what = "sbatch does not read the `#PBS` lines: there are `#BSUB` lines, too",
                   .remedy = "leave out one kind"});
  }
  Translation translation("#BSUB", directives, findings);
  translate_bsub(bsub, translation, findings);
  return translation.options();
}

void sort_by_place(std::vector<ScriptProblem>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const ScriptProblem& a, const ScriptProblem& b) {
                     return std::pair(a.line, a.column) < std::pair(b.line, b.column);
                   });
}

}  // namespace

SbatchOptions read_sbatch_options(std::string_view script) {
  SbatchFindings findings;
  const auto components = sbatch_lines(script, findings);
  SbatchOptions result{.options = component_options(components.front(), findings)};
  for (std::size_t i = 1; i < components.size(); ++i) component_options(components[i], findings);
  if (!has_option(result.options, "ignore-pbs")) {
    std::vector<SbatchOption> translated = foreign_options(script, result.options, findings);
    note_replaced(result.options, translated, findings);
    std::move(translated.begin(), translated.end(), std::back_inserter(result.options));
  }
  sort_by_place(findings.problems);
  sort_by_place(findings.notes);
  result.problems = std::move(findings.problems);
  result.notes = std::move(findings.notes);
  return result;
}

}  // namespace sconverge
