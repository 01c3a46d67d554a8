#include "specs/field_text.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "specs/job_field_text.h"
#include "tests/specs/field_documents.h"
#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

bool is_sentence(const std::string& text) {
  return !text.empty() && !(text[0] >= 'a' && text[0] <= 'z') && text.back() == '.' &&
         text.find("  ") == std::string::npos;
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || c >= 0x20; });
}

TEST(FieldTexts, TellOfEveryJobFieldAndOfNoOther) {
  std::vector<std::string_view> fields;
  std::vector<std::string_view> told;
  for (const JobField& field : job_fields()) fields.push_back(field.name);
  for (const JobFieldText& text : job_field_texts()) told.push_back(text.name);
  EXPECT_EQ(told, fields);
  for (const std::string_view name : fields) {
    ASSERT_NE(find_job_field_text(name), nullptr) << name;
    EXPECT_EQ(find_job_field_text(name)->name, name);
  }
  EXPECT_EQ(find_job_field_text("partitio"), nullptr);
}

TEST(FieldTexts, AreSentencesWithAnExample) {
  std::set<std::string> paths;
  for (const FieldText& field : field_texts()) {
    SCOPED_TRACE(field.path);
    EXPECT_TRUE(paths.insert(field.path).second);
    EXPECT_TRUE(is_sentence(field.summary)) << field.summary;
    EXPECT_TRUE(field.details.empty() || is_sentence(field.details)) << field.details;
    EXPECT_FALSE(field.forms.empty());
    EXPECT_FALSE(field.type.empty());
    for (const auto& text : {field.summary, field.details, field.forms, field.option}) {
      EXPECT_TRUE(is_ascii(text)) << text;
    }
    const std::string key = field.path.substr(field.path.rfind('.') + 1);
    EXPECT_TRUE(field.example.starts_with(key + ":")) << field.example;
  }
}

TEST(FieldTexts, SummariesAreOneShortSentence) {
  for (const FieldText& field : field_texts()) {
    EXPECT_EQ(field.summary.find(". "), std::string::npos) << field.path;
    EXPECT_LE(field.summary.size(), 140U) << field.path;
  }
}

// The value that the field has once the example is read; what it is does not matter here.
TEST(FieldTexts, EveryExampleIsTakenAndSetsItsField) {
  const ScriptReader a_script = [](const std::string&) {
    return ScriptText{.text = "#!/bin/sh\n", .error = ""};
  };
  for (const FieldText& field : field_texts()) {
    const std::string document = document_with(field.path, field.example);
    SCOPED_TRACE(field.path + "\n" + document);
    const SpecFile file = read_spec_file(document, "a.yaml", a_script);
    for (const Problem& problem : file.problems) ADD_FAILURE() << to_text(problem);
    ASSERT_EQ(file.specs.size(), 1U);
    if (field.job_field != nullptr) {
      EXPECT_TRUE(file.specs[0].job.contains(field.job_field->name));
    }
  }
}

TEST(FieldTexts, WhatIsRequiredIsMissed) {
  for (const FieldText& field : field_texts()) {
    if (!field.required) continue;
    const bool top = field.path.find('.') == std::string::npos;
    std::string document = top ? document_with(field.path, "# nothing") : "";
    if (field.path == "metadata.name") document = document_with("metadata", "metadata: {}");
    EXPECT_THAT(problems_of(document), testing::HasSubstr(field.path + ": is missing"));
  }
}

TEST(FieldTexts, NameEveryWordOfAClosedList) {
  for (const JobField& field : job_fields()) {
    const FieldText* text = find_field_text("spec.job." + std::string(field.name));
    ASSERT_NE(text, nullptr);
    for (const std::string_view word : words_of(field)) {
      EXPECT_NE(text->forms.find(word), std::string::npos) << field.name << " " << word;
    }
  }
}

TEST(FieldTexts, AreFoundByTheirPathOrItsEnd) {
  const auto paths = [](std::string_view name) {
    std::vector<std::string> out;
    for (const FieldText* field : fields_named(name)) out.push_back(field->path);
    return out;
  };
  EXPECT_THAT(paths("spec.job.time_limit"), ElementsAre("spec.job.time_limit"));
  EXPECT_THAT(paths("job.time_limit"), ElementsAre("spec.job.time_limit"));
  EXPECT_THAT(paths("time_limit"), ElementsAre("spec.job.time_limit"));
  EXPECT_THAT(paths("name"), ElementsAre("metadata.name", "spec.job.name"));
  EXPECT_THAT(paths("spec"), ElementsAre("spec"));
  EXPECT_THAT(paths("limit"), IsEmpty());
  EXPECT_THAT(paths(""), IsEmpty());
  EXPECT_EQ(find_field_text("time_limit"), nullptr);
}

TEST(FieldTexts, AreFoundByTheOptionOfSbatch) {
  const auto paths = [](std::string_view option) {
    std::vector<std::string> out;
    for (const FieldText* field : fields_of_option(option)) out.push_back(field->path);
    return out;
  };
  for (const char* option : {"-t", "--time", "time", "t"}) {
    EXPECT_THAT(paths(option), ElementsAre("spec.job.time_limit")) << option;
  }
  EXPECT_THAT(paths("--gres"), ElementsAre("spec.job.tres_per_node"));
  EXPECT_THAT(paths("--distribution=plane=4"),
              ElementsAre("spec.job.distribution", "spec.job.distribution_plane_size"));
  for (const char* none : {"", "-", "--", "--tim", "arguments", "--wrap"}) {
    EXPECT_THAT(paths(none), IsEmpty()) << none;
  }
}

// The field reference

namespace fs = std::filesystem;

const fs::path kReadme = fs::path(SCONVERGE_SOURCE_DIR) / "specs/README.md";
const std::string kTableHead =
    "| Field | Kind | In place | sbatch | Example | Meaning |\n|---|---|---|---|---|---|\n";

std::string slurp(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string reference_table() {
  std::string out = kTableHead;
  for (const JobField& field : job_fields()) {
    const FieldText* text = find_field_text("spec.job." + std::string(field.name));
    if (text == nullptr) return "";
    std::string option = text->option;
    if (option.find('-') == 0) option = "`" + option + "`";
    const std::string since =
        field.since == "v0.0.40" ? "" : " From " + std::string(field.since) + ".";
    out += "| `" + std::string(field.name) + "` | " + text->type + " | " +
           (field.in_place == InPlace::Pending ? "yes" : "no") + " | " + option + " | `" +
           text->example.substr(field.name.size() + 2) + "` | " + text->summary + since + " |\n";
  }
  return out;
}

// SCONVERGE_ACCEPT=1 in the environment writes the table anew.
TEST(FieldReference, SaysOfJobFieldsWhatTheTextsSay) {
  std::string readme = slurp(kReadme);
  const std::size_t begin = readme.find("| Field | Kind | In place |");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = readme.find("\n\n", begin) + 1;
  if (std::getenv("SCONVERGE_ACCEPT") != nullptr) {
    readme.replace(begin, end - begin, reference_table());
    std::ofstream(kReadme) << readme;
    return;
  }
  EXPECT_EQ(readme.substr(begin, end - begin), reference_table());
}

TEST(FieldReference, HasARowForEveryOtherField) {
  const std::string readme = slurp(kReadme);
  for (const FieldText& field : field_texts()) {
    if (field.job_field != nullptr || field.path == "metadata" || field.path == "spec") continue;
    const std::string cell = field.path == "metadata.annotations.sconverge/protect"
                                 ? "`metadata.annotations.\"sconverge/protect\"`"
                                 : "`" + field.path + "`";
    const bool first = readme.find("\n| " + cell) != std::string::npos;
    EXPECT_TRUE(first || (field.path == "kind" && readme.find(", `kind` |") != std::string::npos))
        << field.path;
  }
}

}  // namespace
}  // namespace sconverge::test
