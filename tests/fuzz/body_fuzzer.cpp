// Reads any bytes as a body of the Slurm Job API: the first line is the name of the file, without
// its ending, the rest its text. Aborts if the reading is not total: one spec or problems, never
// both and never neither, a name that is valid whatever the file's, and a spec that survives its
// canonical form.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "specs/label.h"
#include "specs/read.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void read_as(std::string_view text, const std::string& file) {
  const sconverge::SpecFile result = sconverge::read_spec_file(
      text, file, [](const std::string& path) { return sconverge::ScriptText{.text = path}; });
  check(result.specs.empty() != result.problems.empty());
  for (sconverge::JobSpec spec : result.specs) {
    check(sconverge::is_dns_label(spec.name.name) && sconverge::is_dns_label(spec.name.name_space));
    const std::string canonical = sconverge::canonical_text(spec);
    const sconverge::JobSpecPtr again = sconverge::from_canonical(canonical);
    check(again != nullptr);
    spec.file =
        again->file;  // the one part that need not be UTF-8, and is then kept as text for people
    check(*again == spec && sconverge::canonical_text(*again) == canonical);
  }
  for (const sconverge::Problem& problem : result.problems) {
    check(!problem.what.empty() && !sconverge::to_text(problem).empty());
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view text = input.substr(std::min(end + 1, input.size()));
  const std::string name(input.substr(0, end));
  read_as(text, name + ".json");
  read_as(text, name + ".yaml");
  return 0;
}
