#include "specs/environment.h"

#include <algorithm>
#include <map>

#include "specs/job_spec.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

// A name that every shell can use.
bool is_variable_name(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_';
         });
}

class EnvironmentReader {
 public:
  explicit EnvironmentReader(ProblemSink& problems) : problems_(problems) {}

  // `KEY: value`; a number counts as it is written.
  void add_entry(const DocumentNode& key, const DocumentNode& value, const Place& place) {
    const bool flag = value.plain && plain_type(value.text) == PlainType::Flag;
    if (value.kind == NodeKind::Scalar && !flag) return add(key.text, value.text, key, place);
    report(problems_, value, place, "is " + std::string(describe(value)) + ", not text",
           "put quotes around the value");
  }

  void add_assignment(const DocumentNode& node, const Place& place) {
    const std::size_t equals = node.text.find('=');
    if (node.kind == NodeKind::Scalar && equals != std::string::npos) {
      return add(node.text.substr(0, equals), node.text.substr(equals + 1), node, place);
    }
    report(problems_, node, place, "is not KEY=value", "write e.g. LANG=C");
  }

  [[nodiscard]] std::vector<std::string> sorted() const {
    std::vector<std::string> assignments;
    for (const auto& [key, value] : variables_)
      assignments.push_back(std::string(key).append("=").append(value));
    return assignments;
  }

 private:
  void add(const std::string& key, const std::string& value, const DocumentNode& node,
           const Place& place) {
    if (!is_variable_name(key)) {
      report(problems_, node, place, "has a name that is no variable's name",
             "use letters, digits and _, not beginning with a digit");
    } else if (value.find('\0') != std::string::npos) {
      report(problems_, node, place, "holds a NUL character", "remove it");
    } else if (!variables_.emplace(key, value).second) {
      report(problems_, node, place, "the variable " + key + " is set twice", "keep one of them",
             ProblemKind::Duplicate);
    }
  }

  ProblemSink& problems_;
  std::map<std::string, std::string> variables_{};
};

}  // namespace

std::optional<std::vector<std::string>> read_environment(const DocumentNode& node,
                                                         const Place& place,
                                                         ProblemSink& problems) {
  const ProblemSink::Mark before = problems.mark();
  EnvironmentReader reader(problems);
  if (node.kind == NodeKind::Map) {
    visit_map(node, place, problems,
              [&](const DocumentNode& key, const DocumentNode& value, const Place& here) {
                reader.add_entry(key, value, here);
              });
  } else if (node.kind == NodeKind::Sequence) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::string index = "[" + std::to_string(i) + "]";
      reader.add_assignment(*node.items[i], Place{&place, index});
    }
  } else {
    report(problems, node, place, "is " + std::string(describe(node)) + ", not a map or a list",
           "write `KEY: value` lines, or a list of KEY=value");
  }
  if (problems.mark() != before) return std::nullopt;
  auto assignments = reader.sorted();
  if (assignments.empty()) {
    report(problems, node, place, "is empty, which Slurm refuses",
           "name a variable, or remove the field");
    return std::nullopt;
  }
  return assignments;
}

std::vector<std::string> read_inherited_environment(const DocumentNode& node, const Place& place,
                                                    ProblemSink& problems) {
  if (node.kind == NodeKind::Scalar) {
    const bool all = flag_of(node, place, problems).value_or(false);
    return all ? std::vector{std::string(kWholeEnvironment)} : std::vector<std::string>{};
  }
  std::vector<std::string> names;
  if (node.kind != NodeKind::Sequence) {
    report(problems, node, place,
           "is " + std::string(describe(node)) + ", not true, false or a list",
           "write true, or the names of variables, e.g. [PATH, HOME]");
    return names;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string index = "[" + std::to_string(i) + "]";
    const Place here{&place, index};
    const auto name = text_of(*node.items[i], here, problems);
    if (name && !is_variable_name(*name)) {
      report(problems, *node.items[i], here, in_quotes(*name) + " is not the name of a variable",
             "use letters, digits and _, beginning with no digit");
    }
    names.push_back(name.value_or(""));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> overlaid(const std::vector<std::string>& below,
                                  const std::vector<std::string>& above) {
  std::map<std::string_view, const std::string*> variables;
  for (const auto* layer : {&below, &above}) {
    for (const auto& variable : *layer) {
      variables.insert_or_assign(std::string_view(variable).substr(0, variable.find('=')),
                                 &variable);
    }
  }
  std::vector<std::string> whole;
  whole.reserve(variables.size());
  for (const auto& [name, variable] : variables) whole.push_back(*variable);
  return whole;
}

}  // namespace sconverge
