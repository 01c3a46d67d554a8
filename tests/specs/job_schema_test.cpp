// The schema and the reader say the same of a document. The verdicts on the schema's side come from
// python3-jsonschema; the YAML is turned into JSON by the rules of YAML 1.2's core schema, as
// editors do.
#include "specs/job_schema.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "specs/document.h"
#include "specs/field_text.h"
#include "specs/walk.h"
#include "tests/specs/field_documents.h"
#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kSource = SCONVERGE_SOURCE_DIR;
const fs::path kSchemaFile = kSource / "specs/job_spec.schema.json";

std::string slurp(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

json json_of(const DocumentNode& node) {
  json out;
  if (node.kind == NodeKind::Sequence) {
    out = json::array();
    for (const auto* item : node.items) out.push_back(json_of(*item));
  } else if (node.kind == NodeKind::Map) {
    out = json::object();
    for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
      out[node.items[i]->text] = json_of(*node.items[i + 1]);
    }
  } else if (node.kind == NodeKind::Scalar) {
    const bool text = !node.plain || plain_type(node.text) == PlainType::Text;
    out = text ? json(node.text) : json::parse(node.text, nullptr, false);
  }
  return out;
}

std::vector<json> documents_of(const std::string& text) {
  ProblemSink problems("");
  const Documents documents = parse_documents(text, false, problems);
  std::vector<json> out;
  for (const DocumentNode* root : documents.roots) out.push_back(json_of(*root));
  return out;
}

/// "valid", or "invalid" and why, of each document. One run of the validator for all of them.
std::vector<std::string> schema_verdicts(const std::vector<json>& documents) {
  const fs::path folder =
      fs::temp_directory_path() / ("sconverge-schema-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  {
    std::ofstream lines(folder / "documents");
    for (const json& document : documents) lines << document.dump() << "\n";
    std::ofstream(folder / "schema") << job_schema();
  }
  const std::string command =
      "/usr/bin/python3 '" + (kSource / "tests/specs/schema_verdicts.py").string() + "' '" +
      (folder / "schema").string() + "' '" + (folder / "documents").string() + "' >'" +
      (folder / "verdicts").string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << "is python3-jsonschema installed? (tests/packages)";
  std::ifstream verdicts(folder / "verdicts");
  std::vector<std::string> out;
  for (std::string line; std::getline(verdicts, line);) out.push_back(line);
  fs::remove_all(folder);
  EXPECT_EQ(out.size(), documents.size());
  out.resize(documents.size());
  return out;
}

ScriptText a_script(const std::string& /*path*/) { return {.text = "#!/bin/sh\n", .error = ""}; }

std::string reader_verdict(const std::string& text) {
  std::string out;
  for (const Problem& problem : read_spec_file(text, "a.yaml", a_script).problems) {
    out += to_text(problem) + "\n";
  }
  return out.empty() ? "valid" : "invalid\t" + out;
}

/// Expects both to say `verdict` of each of `texts`, one document each.
void expect_both(const std::vector<std::string>& texts, const std::string& verdict) {
  std::vector<json> documents;
  for (const std::string& text : texts) {
    const auto read = documents_of(text);
    ASSERT_EQ(read.size(), 1U) << text;
    documents.push_back(read[0]);
  }
  const auto verdicts = schema_verdicts(documents);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_TRUE(verdicts[i].starts_with(verdict)) << "schema: " << verdicts[i] << "\n" << texts[i];
    const std::string reader = reader_verdict(texts[i]);
    EXPECT_TRUE(reader.starts_with(verdict)) << "reader: " << reader << "\n" << texts[i];
  }
}

std::vector<std::string> job_documents(const std::vector<std::string>& lines) {
  std::vector<std::string> out;
  out.reserve(lines.size());
  for (const auto& line : lines) {
    out.push_back(document_with("spec.job." + line.substr(0, line.find(':')), line));
  }
  return out;
}

// SCONVERGE_ACCEPT=1 in the environment writes the file anew.
TEST(JobSchema, IsWhatTheFileHolds) {
  if (std::getenv("SCONVERGE_ACCEPT") != nullptr) {
    std::ofstream(kSchemaFile) << job_schema();
    return;
  }
  EXPECT_EQ(slurp(kSchemaFile), job_schema());
}

TEST(JobSchema, HasEveryFieldThatIsToldOfWithItsText) {
  const json schema = json::parse(job_schema());
  const json& definitions = schema["definitions"];
  const json& top = definitions["specDocument"]["properties"];
  for (const FieldText& field : field_texts()) {
    json found;
    if (field.job_field != nullptr) {
      found = definitions["job"]["properties"].value(std::string(field.job_field->name), json());
    } else if (field.path == "spec.job" || field.path == "spec.script") {
      found = definitions.value(field.path.substr(5), json());
    } else {
      std::string pointer = "/" + field.path;
      for (auto dot = pointer.find('.'); dot != std::string::npos; dot = pointer.find('.')) {
        const auto slash = pointer.find("sconverge/");
        if (slash != std::string::npos && dot > slash) break;
        pointer.replace(dot, 1, "/properties/");
      }
      const auto reserved = pointer.find("sconverge/protect");
      if (reserved != std::string::npos) pointer.replace(reserved + 9, 1, "~1");
      found = top.value(json::json_pointer(pointer), json());
    }
    ASSERT_TRUE(found.is_object()) << field.path;
    EXPECT_TRUE(found.value("description", "").starts_with(field.summary)) << field.path;
    if (field.type != "map") {
      EXPECT_EQ(found["examples"].size(), 1U) << field.path;
    }
  }
}

TEST(JobSchema, TellsRefusedFieldsWithTheRemedy) {
  const json job = json::parse(job_schema())["definitions"]["job"]["properties"];
  for (const RefusedField& field : refused_fields()) {
    const std::string told = job[std::string(field.name)].value("errorMessage", "");
    EXPECT_NE(told.find(field.remedy), std::string::npos) << field.name;
  }
}

TEST(SchemaAndReader, TakeEveryExampleFile) {
  std::vector<std::string> files;
  std::vector<json> documents;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "specs/examples")) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".yaml" && ending != ".yml" && ending != ".json") continue;
    const std::string text = slurp(entry.path());
    EXPECT_EQ(reader_verdict(text), "valid") << entry.path();
    for (json& document : documents_of(text)) {
      documents.push_back(std::move(document));
      files.push_back(entry.path().filename().string());
    }
  }
  EXPECT_GE(documents.size(), 5U);
  const auto verdicts = schema_verdicts(documents);
  for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ(verdicts[i], "valid") << files[i];
}

TEST(SchemaAndReader, TakeTheExampleOfEveryField) {
  std::vector<std::string> texts;
  for (const FieldText& field : field_texts()) {
    texts.push_back(document_with(field.path, field.example));
  }
  expect_both(texts, "valid");
}

TEST(SchemaAndReader, TakeEveryFormOfAValue) {
  expect_both(job_documents({"time_limit: 2h",
                             "time_limit: 90m",
                             "time_limit: 1d12h",
                             "time_limit: 45s",
                             "time_limit: 1-12:00:00",
                             "time_limit: 2:00:00",
                             "time_limit: \"12:30\"",
                             "time_limit: 120",
                             "time_limit: \"0120\"",
                             "time_limit: UNLIMITED",
                             "time_limit: infinite",
                             "time_limit: 2-0",
                             "time_limit: {infinite: true}",
                             "time_limit: {set: true, number: 120}",
                             "time_limit: {set: true, number: 2h}",
                             "time_limit: {set: false, infinite: true, number: 0}",
                             "time_limit: {}",
                             "delay_boot: 0",
                             "delay_boot: 0s",
                             "delay_boot: 10m",
                             "memory_per_node: 64G",
                             "memory_per_node: 64GiB",
                             "memory_per_node: 500mb",
                             "memory_per_node: 0",
                             "memory_per_node: {set: true, infinite: false, number: 4096}",
                             "temporary_disk_per_node: 2048K",
                             "begin_time: 1801382400",
                             "begin_time: 2027-01-31T09:00:00+01:00",
                             "begin_time: 2027-01-31 09:00:00Z",
                             "nodes: 2",
                             "nodes: \"2\"",
                             "nodes: 2-4",
                             "nodes: 2k",
                             "nodes: \"1,2,4\"",
                             "nodes: \"1-15:4\"",
                             "mail_type: [END, FAIL, TIME=90%]",
                             "environment: {PATH: /bin, N: 3}",
                             "environment: [PATH=/bin, N=3]",
                             "nice: -5",
                             "array: 5",
                             "array: 0-9",
                             "array: \"7, 5,6 ,7\"",
                             "array: [7, 1, 2-3]",
                             "array: 0-30:10%4",
                             "array: [0-3%2]",
                             "array: \"[1-3]%2\"",
                             "kill_warning_delay: {set: true, number: 60}",
                             "contiguous: false",
                             "partition: \"a,b\"",
                             "kill_warning_signal: \"10\""}),
              "valid");
  expect_both({document_with("spec.inheritEnvironment", "inheritEnvironment: [PATH, HOME]"),
               document_with("spec.inheritEnvironment",
                             "inheritEnvironment: false\njob: {environment: {A: 1}}"),
               document_with("metadata.labels", "labels: {example.com/team: a_b.c, empty: \"\"}"),
               document_with("spec.scriptFile", "scriptFile: a/..b/c..sh"),
               document_with("spec.suspend", "suspend: false"),
               R"({"job": {"partition": "main"}, "script": "#!/bin/sh\n"})"},
              "valid");
}

TEST(SchemaAndReader, RefuseValuesInAWrongForm) {
  expect_both(job_documents({"time_limit: 2hh",
                             "time_limit: 1h2d",
                             "time_limit: 0",
                             "time_limit: 0m",
                             "time_limit: \"0:00\"",
                             "time_limit: -5",
                             "time_limit: 1.5",
                             "time_limit: ''",
                             "time_limit: 1:2:3:4",
                             "time_limit: 1-2-3",
                             "time_limit: h",
                             "time_limit: {number: 120}",
                             "time_limit: {set: true}",
                             "time_limit: {set: true, nubmer: 5}",
                             "time_limit: {set: 1, number: 5}",
                             "time_limit: [2h]",
                             "time_limit: true",
                             "delay_boot: UNLIMITED",
                             "memory_per_node: 1.5G",
                             "memory_per_node: 64X",
                             "memory_per_node: G",
                             "memory_per_node: {infinite: true}",
                             "memory_per_node: -1",
                             "temporary_disk_per_node: {set: true, number: 5}",
                             "begin_time: now+1hour",
                             "begin_time: 2027-13-01T08:00:00Z",
                             "begin_time: 2027-01-31T08:00:00",
                             "begin_time: 0",
                             "nodes: 0",
                             "nodes: \"0\"",
                             "nodes: 2-",
                             "nodes: a",
                             "nodes: {set: true, number: 2}",
                             "nodes: \"2,\"",
                             "tasks: \"8\"",
                             "tasks: 0",
                             "tasks: 4294967295",
                             "tasks: {set: true, number: 5}",
                             "cpus_per_task: 65534",
                             "partition: 8",
                             "partition: \"\"",
                             "partition: [main]",
                             "contiguous: yes",
                             "array: 1-x",
                             "array: a",
                             "array: []",
                             "array: [1, [2]]",
                             "array: -1",
                             "array: 1-",
                             "array: \"1,\"",
                             "array: 1%x",
                             "array: \"1%2,3\"",
                             "array: 1.5",
                             "array: [true]",
                             "array: \"\"",
                             "array: 1:2",
                             "array: 4000001",
                             "contiguous: \"true\"",
                             "contiguous: 1",
                             "mail_type: END",
                             "mail_type: [ENDD]",
                             "mail_type: [ALL]",
                             "mail_type: []",
                             "required_nodes: [\"\"]",
                             "required_nodes: [1]",
                             "environment: {}",
                             "environment: []",
                             "environment: {1A: x}",
                             "environment: {A: true}",
                             "environment: {A: [x]}",
                             "environment: [A]",
                             "environment: A=x",
                             "current_working_directory: home/alice"}),
              "invalid");
}

TEST(SchemaAndReader, RefuseWhatIsWrongAroundTheJob) {
  expect_both({document_with("apiVersion", "apiVersion: sconverge/v2"),
               document_with("apiVersion", "apiVersion: 1"),
               document_with("kind", "kind: CronJob"),
               document_with("metadata.name", "name: Train"),
               document_with("metadata.name", "name: 8"),
               document_with("metadata.name", "name: a_b"),
               document_with("metadata.name", "name: " + std::string(64, 'a')),
               document_with("metadata.namespace", "namespace: -a"),
               document_with("metadata.labels", "labels: {team: [a]}"),
               document_with("metadata.labels", "labels: {team: 1}"),
               document_with("metadata.labels", "labels: {team: a b}"),
               document_with("metadata.labels", "labels: {_team: a}"),
               document_with("metadata.labels", "labels: {a/b/c: a}"),
               document_with("metadata.labels", "labels: [a]"),
               document_with("metadata.annotations", "annotations: {a: 1}"),
               document_with("metadata.annotations", "annotations: {sconverge/protetc: \"true\"}"),
               document_with("metadata.annotations.sconverge/protect", "sconverge/protect: yes"),
               document_with("metadata.annotations.sconverge/protect", "sconverge/protect: true"),
               document_with("spec.cluster", "cluster: \"\""),
               document_with("spec.cluster", "cluster: a b"),
               document_with("spec.suspend", "suspend: \"true\""),
               document_with("spec.inheritEnvironment", "inheritEnvironment: PATH"),
               document_with("spec.inheritEnvironment", "inheritEnvironment: [1A]"),
               document_with("spec.inheritEnvironment", "inheritEnvironment: {PATH: a}"),
               document_with("spec.onDelete", "onDelete: Delete"),
               document_with("spec.onChange", "onChange: Replace"),
               document_with("spec.script", "script: echo hello"),
               document_with("spec.script", "script: [a]"),
               document_with("spec.scriptFile", "scriptFile: /etc/passwd"),
               document_with("spec.scriptFile", "scriptFile: ../a.sh"),
               document_with("spec.scriptFile", "scriptFile: a/.."),
               document_with("spec.scriptFile", "scriptFile: \"\""),
               document_with("spec.job", "scriptFile: a.sh"),  // beside `script`
               document_with("spec.job", "job: [a]"),
               "- a",
               "text",
               "{}",
               R"({"job": {}, "script": "echo"})",
               R"({"job": {}})",
               R"({"jobs": []})",
               R"({"job": {}, "script": "#!/bin/sh\n", "name": "x"})",
               R"({"job": {"partition": 8}, "script": "#!/bin/sh\n"})"},
              "invalid");
}

TEST(SchemaAndReader, RefuseEveryFieldWithALetterTooMany) {
  std::vector<std::string> texts;
  for (const FieldText& field : field_texts()) {
    const std::size_t colon = field.example.find(':');
    std::string broken = field.example;
    broken.insert(colon, "Z");
    texts.push_back(document_with(field.path, broken));
  }
  expect_both(texts, "invalid");
}

TEST(SchemaAndReader, RefuseEveryJobFieldWithAValueOfAnotherType) {
  std::vector<std::string> lines;
  for (const JobField& field : job_fields()) {
    const std::string name(field.name);
    for (const char* value : {"~", "[[a]]", "{a: {b: c}}", "1.5", "{set: true, number: [1]}"}) {
      lines.push_back(name + ": " + value);
    }
    const bool text = field.kind == FieldKind::Text;
    if (!text) lines.push_back(name + ": some text");
    if (field.kind != FieldKind::Flag) lines.push_back(name + ": true");
    if (!field.words.empty()) lines.push_back(name + ": [WORD]");
  }
  expect_both(job_documents(lines), "invalid");
}

TEST(SchemaAndReader, RefuseWhatIsMissing) {
  std::vector<std::string> texts = {document_with("metadata", "metadata: {}"),
                                    document_with("spec", "spec: {job: {partition: main}}"),
                                    document_with("spec", "spec: {}")};
  for (const char* key : {"apiVersion", "kind", "metadata", "spec"}) {
    texts.push_back(document_with(key, "# nothing"));
  }
  expect_both(texts, "invalid");
}

TEST(SchemaAndReader, RefuseFieldsThatAreKnownAndRefused) {
  std::vector<std::string> lines;
  for (const RefusedField& field : refused_fields()) {
    for (const char* value : {"1", "~", "[a]"}) {
      lines.push_back(std::string(field.name) + ": " + value);
    }
  }
  expect_both(job_documents(lines), "invalid");
  std::vector<std::string> texts;
  for (const char* line : {"dependsOn: []", "fence: None", "onExternalCancel: Stop", "onLost: Hold",
                           "pendingDeadline: 24h", "retry: {limit: 3}"}) {
    const std::string text = line;
    texts.push_back(document_with("spec." + text.substr(0, text.find(':')), text));
  }
  expect_both(texts, "invalid");
}

std::string umlauts(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += "\xC3\xA4";
  return out;
}

// What a schema cannot say, or not in a way that editors could tell: the schema takes it and the
// reader refuses it. The list is whole as far as anybody knows; a new line needs a reason.
TEST(SchemaAndReader, DifferOnlyInWhatTheReaderAloneCanKnow) {
  std::vector<std::string> texts = job_documents({
      // rules between fields
      "memory_per_node: 1G\nmemory_per_cpu: 1G",
      "nodes: 2\nminimum_nodes: 2",
      "nodes: 2\nmaximum_nodes: 2",
      "time_limit: 1h\ntime_minimum: 2h",
      // a number's range once its unit is read, or inside {set, number}
      "time_limit: 99999999999m",
      "memory_per_node: 9999999999999G",
      "nodes: \"4-2\"",
      "nodes: \"4294967295\"",
      "kill_warning_delay: {set: true, number: 65535}",
      "time_limit: {set: true, number: 2hh}",
      "time_limit: {set: true, number: 0}",
      // the indexes of an array
      "array: 3-1",
      "array: 0-4000001",
      "array: 0-9:0",
      "array: [1%2, 3]",
      // the calendar
      "begin_time: 2027-02-30T08:00:00Z",
      // bytes: a schema counts characters
      "comment: \"" + umlauts(330) + "\"",
      // control characters, which would make every pattern unreadable
      "comment: \"a\\u0007\"",
      // how a number is written
      "tasks: 8.0",
      "tasks: 1e1",
      // a variable set twice
      "environment: [A=1, A=2]",
  });
  texts.push_back(
      document_with("metadata.labels", "labels: {" + std::string(63, 'a') + "." +
                                           std::string(63, 'b') + "." + std::string(63, 'c') + "." +
                                           std::string(63, 'd') + "/k: v}"));  // 255 of at most 253
  texts.push_back(document_with("metadata.annotations",
                                "annotations: {a: \"" + std::string(270000, 'x') + "\"}"));
  texts.push_back(document_with("spec.script", "script: \"#!/bin/sh\\r\\n\""));
  texts.push_back(document_with("spec.suspend", "suspend: true\nsuspend: true"));
  std::vector<json> documents;
  documents.reserve(texts.size());
  for (const auto& text : texts) documents.push_back(documents_of(text).at(0));
  const auto verdicts = schema_verdicts(documents);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(verdicts[i], "valid") << texts[i].substr(0, 400);
    EXPECT_TRUE(reader_verdict(texts[i]).starts_with("invalid")) << texts[i].substr(0, 400);
  }
}

}  // namespace
}  // namespace sconverge::test
