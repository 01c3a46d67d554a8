#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "specs/job_field.h"
#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
  const std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool is_spec_file(const fs::path& path) {
  const std::set<std::string> endings{".json", ".sbatch", ".yaml", ".yml"};
  return endings.contains(path.extension().string());
}

TEST(Examples, AreValidAndHaveDistinctNames) {
  std::set<SpecName> names;
  std::size_t specs = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(SCONVERGE_SOURCE_DIR) / "specs/examples")) {
    if (!is_spec_file(entry.path())) continue;
    const SpecFile file = read_spec_file(
        slurp(entry.path()), entry.path().filename().string(), [&](const std::string& path) {
          const fs::path script = entry.path().parent_path() / path;
          return fs::exists(script) ? ScriptText{.text = slurp(script)}
                                    : ScriptText{.text = "", .error = "no such file"};
        });
    for (const Problem& problem : file.problems) ADD_FAILURE() << to_text(problem);
    for (const JobSpec& spec : file.specs) {
      ++specs;
      EXPECT_TRUE(names.insert(spec.name).second) << to_text(spec.name);
      EXPECT_EQ(spec.job.at("partition"), FieldValue("main")) << to_text(spec.name);
    }
  }
  EXPECT_GE(specs, 7U);
}

// The YAML blocks of the field reference that are whole specs.
TEST(Readme, ShowsValidSpecs) {
  const std::string readme = slurp(fs::path(SCONVERGE_SOURCE_DIR) / "specs/README.md");
  const std::string start = "```yaml\napiVersion:";
  int shown = 0;
  for (std::size_t at = readme.find(start); at != std::string::npos;
       at = readme.find(start, at + 1)) {
    const std::size_t begin = at + std::string("```yaml\n").size();
    EXPECT_EQ(problems_of(readme.substr(begin, readme.find("```", begin) - begin)), "");
    ++shown;
  }
  EXPECT_GE(shown, 1);
}

TEST(Readme, SaysOfEveryFieldWhetherItChangesInPlace) {
  const std::string readme = slurp(fs::path(SCONVERGE_SOURCE_DIR) / "specs/README.md");
  for (const JobField& field : job_fields()) {
    const std::string start = "| `" + std::string(field.name) + "` | ";
    const std::size_t row = readme.find(start);
    ASSERT_NE(row, std::string::npos) << field.name;
    const std::size_t cell = readme.find(" | ", row + start.size());
    EXPECT_EQ(readme.substr(cell, 8), field.in_place == InPlace::Pending ? " | yes |" : " | no | ")
        << field.name;
  }
}

}  // namespace
}  // namespace sconverge::test
