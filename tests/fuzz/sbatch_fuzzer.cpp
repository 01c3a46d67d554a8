// Reads any bytes as a batch script, and aborts if the reading is not total: options of the table,
// with and without values as the table says, findings that name a place of the script, fields that
// a spec may have, and a spec that survives its canonical form, or problems.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "specs/job_field.h"
#include "specs/read.h"
#include "specs/sbatch_findings.h"
#include "specs/sbatch_option_table.h"
#include "specs/sbatch_options.h"
#include "specs/sbatch_request.h"
#include "specs/utf8.h"

namespace {

using sconverge::OptionRow;
using sconverge::SbatchOption;
using sconverge::ScriptProblem;
using sconverge::TakesValue;

void check(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Whether a place is that of a byte of the script; column 0 is the line as a whole.
bool is_place(const std::vector<std::string_view>& lines, int line, int column) {
  if (line < 1 || static_cast<std::size_t>(line) > lines.size() || column < 0) return false;
  return static_cast<std::size_t>(column) <= lines[static_cast<std::size_t>(line) - 1].size();
}

void check_option(const SbatchOption& option, const std::vector<std::string_view>& lines) {
  const auto rows = sconverge::sbatch_option_table();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const OptionRow& known) { return known.name == option.name; });
  check(row != rows.end() && row->alias_of.empty());
  check(row->takes != TakesValue::No || !option.value);
  check(row->takes != TakesValue::Required || option.value);
  check(option.column > 0 && is_place(lines, option.line, option.column));
  check(!option.text.empty());
}

void check_findings(const std::vector<ScriptProblem>& findings,
                    const std::vector<std::string_view>& lines) {
  check(findings.size() <= sconverge::kMaxFindings);
  for (const ScriptProblem& finding : findings) {
    check(!finding.what.empty() && !finding.remedy.empty());
    check(!sconverge::first_invalid_utf8(finding.what + finding.remedy));
    check(is_place(lines, finding.line, finding.column));
  }
}

void check_request(const sconverge::SbatchOptions& options,
                   const std::vector<std::string_view>& lines) {
  const sconverge::SbatchRequest request = sconverge::sbatch_request(options);
  check_findings(request.problems, lines);
  check_findings(request.notes, lines);
  if (!request.problems.empty()) return;
  for (const auto& [name, value] : request.fields)
    check(sconverge::find_job_field(name) != nullptr);
  for (const auto& variable : request.environment) check(variable.find('=') != variable.npos);
}

void check_spec(std::string_view script) {
  const sconverge::SpecFile file = sconverge::read_sbatch_script(script, "a.sbatch");
  check(file.specs.empty() != file.problems.empty());
  for (const sconverge::JobSpec& spec : file.specs) {
    const auto again = sconverge::from_canonical(sconverge::canonical_text(spec));
    check(again != nullptr && *again == spec);
  }
}

void read(std::string_view script) {
  const std::vector<std::string_view> lines = lines_of(script);
  const sconverge::SbatchOptions result = sconverge::read_sbatch_options(script);
  for (const SbatchOption& option : result.options) check_option(option, lines);
  check_findings(result.problems, lines);
  check_findings(result.notes, lines);
  // What is not UTF-8 is refused as a text, before anybody looks at what it asks for.
  if (!sconverge::first_invalid_utf8(script)) check_request(result, lines);
  check_spec(script);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read({reinterpret_cast<const char*>(data), size});
  return 0;
}
