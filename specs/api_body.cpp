#include "specs/api_body.h"

#include <array>
#include <string_view>
#include <utility>

#include "specs/directives.h"
#include "specs/job_value.h"
#include "specs/script_node.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::size_t kLongestLabel = 63;

bool has_key(const DocumentNode& root, std::initializer_list<std::string_view> keys) {
  for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
    for (const std::string_view key : keys) {
      if (root.items[i]->kind == NodeKind::Scalar && root.items[i]->text == key) return true;
    }
  }
  return false;
}

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

}  // namespace

bool is_api_body(const DocumentNode& root) {
  return root.kind == NodeKind::Map && !has_key(root, {"apiVersion", "kind"}) &&
         has_key(root, {"job", "jobs"});
}

SpecDocument read_api_body(const DocumentNode& root, const std::string& file,
                           ProblemSink& problems) {
  static constexpr std::array<std::string_view, 2> known = {"job", "script"};
  static constexpr Place kRoot{};
  SpecDocument document;
  document.name_node = &root;
  document.name = name_of_file(file);
  if (!document.name) {
    report(problems, root, kRoot, "the file's name " + in_quotes(file) + " makes no name of a spec",
           "give the file a name with a letter or digit in it");
  }
  bool has_script = false;
  std::optional<ScriptPlace> script_place;
  visit_map(root, kRoot, problems,
            [&](const DocumentNode& key, const DocumentNode& value, const Place& place) {
              if (key.text == "job") {
                document.spec.job = read_job(value, place, problems);
              } else if (key.text == "script") {
                has_script = true;
                script_place = ScriptPlace{&value, place.text(), ""};
                document.spec.script = read_inline_script(value, place, problems).value_or("");
              } else if (key.text == "jobs") {
                report(problems, key, place, "heterogeneous jobs are not yet supported",
                       "declare one spec for each part", ProblemKind::Policy);
              } else {
                report_unknown(problems, key, place, known);
              }
            });
  if (script_place && script_place->node->kind == NodeKind::Scalar) {
    for (auto& problem : check_body_script(document.spec)) {
      problems.add(problem_at(*script_place, std::move(problem)));
    }
  }
  if (!has_script) {
    report(problems, root, kRoot, "has no script",
           "add \"script\" with the text of a batch script");
  }
  document.spec.name = document.name.value_or(SpecName{});
  document.spec.line = root.line;
  return document;
}

std::optional<SpecName> name_of_file(const std::string& file) {
  const auto slash = file.rfind('/');
  const auto dot = file.rfind('.');
  const bool has_ending = dot != file.npos && (slash == file.npos || dot > slash + 1);
  std::string label;
  for (char c : file.substr(0, has_ending ? dot : file.npos)) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (is_letter_or_digit(c)) {
      label.push_back(c);
    } else if (!label.empty() && label.back() != '-') {
      label.push_back('-');
    }
  }
  while (label.ends_with('-')) label.pop_back();
  if (label.empty()) return std::nullopt;
  if (label.size() > kLongestLabel) {
    const std::string hash = sha256_hex(file).substr(0, 8) + "-";
    label = label.substr(label.size() - (kLongestLabel - hash.size()));
    while (label.starts_with('-')) label.erase(0, 1);
    label = hash + label;
  }
  return SpecName{"default", label};
}

}  // namespace sconverge
