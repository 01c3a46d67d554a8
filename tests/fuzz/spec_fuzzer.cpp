// Reads any bytes as a spec file, as YAML and as JSON, and aborts if the reading is not total:
// specs or problems, never both and never neither, and specs that survive their canonical form.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "specs/read.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void read_as(std::string_view text, const std::string& file) {
  const sconverge::SpecFile result = sconverge::read_spec_file(
      text, file, [](const std::string& path) { return sconverge::ScriptText{.text = path}; });
  check(result.specs.empty() != result.problems.empty());
  for (const sconverge::JobSpec& spec : result.specs) {
    const std::string canonical = sconverge::canonical_text(spec);
    const sconverge::JobSpecPtr again = sconverge::from_canonical(canonical);
    check(again != nullptr && *again == spec && sconverge::canonical_text(*again) == canonical);
  }
  for (const sconverge::Problem& problem : result.problems) {
    check(!problem.what.empty() && !sconverge::to_text(problem).empty());
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_as(text, "fuzz.yaml");
  read_as(text, "fuzz.json");
  sconverge::from_canonical(text);
  return 0;
}
