#include "controller/app/render_problems.h"

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "controller/app/printable.h"

namespace sconverge {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kKinds = {
    ProblemKind::Syntax,     ProblemKind::Schema, ProblemKind::Duplicate, ProblemKind::TooLarge,
    ProblemKind::Permission, ProblemKind::Io,     ProblemKind::Policy};

struct RuleText {
  std::string_view name;
  std::string_view summary;
  std::string_view help;
};

RuleText rule_text(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::Syntax:
      return {"Syntax", "The file is not valid YAML or JSON",
              "Check indentation, quotes, brackets and colons up to the line that is named. Save "
              "the file as UTF-8 without a byte order mark."};
    case ProblemKind::Schema:
      return {"Schema", "A field is unknown, missing, or has a value it cannot take",
              "`sconverge explain FIELD` tells how a field is written."};
    case ProblemKind::Duplicate:
      return {"Duplicate", "Something is declared twice",
              "Keep one of the two keys or variables, or give one of the specs another name or "
              "namespace."};
    case ProblemKind::TooLarge:
      return {"TooLarge", "A file, script or value is larger than is taken",
              "Split the file, or keep what is large on the cluster's shared storage."};
    case ProblemKind::Permission:
      return {"Permission", "A path leads out of the watched directory",
              "Use a path relative to the spec file, without `..` and without links that leave the "
              "directory."};
    case ProblemKind::Io:
      return {"Io", "A file cannot be read",
              "Check that the file exists and may be read, also the one named by `scriptFile`."};
    case ProblemKind::Policy:
      return {"Policy", "Something that is known, but may not be said in a spec",
              "Follow the remedy that the message names; what is not supported is refused and "
              "never ignored."};
  }
  std::abort();
}

Json rule_json(ProblemKind kind) {
  const RuleText text = rule_text(kind);
  const std::string help(text.help);
  return {{"id", std::string(to_text(kind))},
          {"name", std::string(text.name)},
          {"shortDescription", {{"text", std::string(text.summary)}}},
          {"fullDescription", {{"text", std::string(text.summary) + ". " + help}}},
          {"help", {{"text", help}, {"markdown", help}}},
          {"defaultConfiguration", {{"level", "error"}}}};
}

std::string sentence(const Problem& problem) {
  std::string out = problem.field.empty() ? "" : problem.field + ": ";
  out += problem.what;
  if (!problem.remedy.empty()) out += " (" + problem.remedy + ")";
  return out;
}

/// In a message of SARIF `[text](target)` is a link.
std::string without_links(std::string text) {
  for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at)) {
    text.replace(at, 2, "] (");
  }
  return text;
}

/// RFC 3986: all but unreserved characters and `/` is written %XX.
std::string uri_path(std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view unreserved = "-._~/";
  std::string out;
  for (const char c : path) {
    const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (alnum || unreserved.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', digits[byte >> 4U], digits[byte & 0xFU]};
  }
  return out;
}

/// A path below `directory` as it is from there; any other stays as it is, but for `.` and `//`.
std::filesystem::path path_from(const std::filesystem::path& directory, const std::string& file) {
  std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  if (!path.is_absolute()) return path;
  std::filesystem::path below = path.lexically_relative(directory.lexically_normal());
  return below.empty() || *below.begin() == ".." ? path : below;
}

Json artifact_json(const std::string& file, const std::filesystem::path& directory) {
  const std::filesystem::path path = path_from(directory, file);
  if (path.is_absolute()) return {{"uri", "file://" + uri_path(path.string())}};
  return {{"uri", uri_path(path.string())}, {"uriBaseId", "%SRCROOT%"}};
}

std::string_view level_word(ProblemLevel level) {
  switch (level) {
    case ProblemLevel::Error:
      return "error";
    case ProblemLevel::Warning:
      return "warning";
  }
  std::abort();
}

Json result_json(const RatedProblem& rated, const std::filesystem::path& directory) {
  const Problem& problem = rated.problem;
  Json region{{"startLine", std::max(problem.line, 1)}};
  if (problem.line > 0 && problem.column > 0) region["startColumn"] = problem.column;
  std::size_t index = 0;
  while (kKinds.at(index) != problem.kind) ++index;
  return {
      {"ruleId", std::string(to_text(problem.kind))},
      {"ruleIndex", index},
      {"level", std::string(level_word(rated.level))},
      {"message", {{"text", without_links(printable(sentence(problem)))}}},
      {"locations", Json::array({{{"physicalLocation",
                                   {{"artifactLocation", artifact_json(problem.file, directory)},
                                    {"region", std::move(region)}}}}})}};
}

/// The text of a workflow command, in which GitHub Actions reads %25, %0D and %0A, and in a
/// property's value %3A and %2C, too. Other control characters could drive a terminal.
std::string command_text(std::string_view text, bool property) {
  std::string out;
  std::string plain;
  const auto flush = [&] {
    out += printable(plain);
    plain.clear();
  };
  const auto escape = [&](std::string_view code) {
    flush();
    out += code;
  };
  for (const char c : text) {
    if (c == '%') {
      escape("%25");
    } else if (c == '\r') {
      escape("%0D");
    } else if (c == '\n') {
      escape("%0A");
    } else if (property && c == ':') {
      escape("%3A");
    } else if (property && c == ',') {
      escape("%2C");
    } else {
      plain += c;
    }
  }
  flush();
  return out;
}

}  // namespace

std::string problem_line(const RatedProblem& rated) {
  if (rated.level == ProblemLevel::Error) return to_text(rated.problem);
  Problem told = rated.problem;
  told.field =
      std::string(level_word(rated.level)) + (told.field.empty() ? "" : ": " + rated.problem.field);
  return to_text(told);
}

std::string sarif_document(const std::vector<RatedProblem>& problems, const BuildInfo& build,
                           const std::filesystem::path& directory) {
  Json rules = Json::array();
  for (const ProblemKind kind : kKinds) rules.push_back(rule_json(kind));
  Json results = Json::array();
  for (const RatedProblem& rated : problems) results.push_back(result_json(rated, directory));
  const Json driver{{"name", "sconverge"}, {"version", build.version}, {"rules", std::move(rules)}};
  const Json run{{"tool", {{"driver", driver}}},
                 {"columnKind", "utf16CodeUnits"},
                 {"results", std::move(results)}};
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({run})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string github_commands(const std::vector<RatedProblem>& problems,
                            const std::filesystem::path& directory) {
  std::string out;
  for (const RatedProblem& rated : problems) {
    const Problem& problem = rated.problem;
    out += "::" + std::string(level_word(rated.level)) +
           " file=" + command_text(path_from(directory, problem.file).string(), true);
    if (problem.line > 0) out += ",line=" + std::to_string(problem.line);
    if (problem.line > 0 && problem.column > 0) out += ",col=" + std::to_string(problem.column);
    out += "::" + command_text(sentence(problem), false) + "\n";
  }
  return out;
}

}  // namespace sconverge
