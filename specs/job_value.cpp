#include "specs/job_value.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "specs/array_indexes.h"
#include "specs/environment.h"
#include "specs/field_rules.h"
#include "specs/near_miss.h"
#include "specs/number_struct.h"
#include "specs/units.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

// Reads one field's value. A member per kind; each reports what is wrong and then has no value.
class ValueReader {
 public:
  ValueReader(const JobField& field, const Place& place, ProblemSink& problems)
      : field_(field), place_(place), problems_(problems) {}

  std::optional<FieldValue> read(const DocumentNode& node) {
    if (node.kind == NodeKind::Map && is_struct_in_rest()) return number_struct(node);
    switch (field_.kind) {
      case FieldKind::Text:
        return text(node);
      case FieldKind::Flag:
        return flag_of(node, place_, problems_);
      case FieldKind::Integer:
      case FieldKind::Number:
        return integer(node);
      case FieldKind::Minutes:
        return converted(node, minutes_from);
      case FieldKind::Seconds:
        return converted(node, seconds_from);
      case FieldKind::Mebibytes:
      case FieldKind::MebibytesInt:
        return converted(node, mebibytes_from);
      case FieldKind::Timestamp:
        return converted(node, timestamp_from);
      case FieldKind::NodeCount:
        return converted(node, node_count_from);
      case FieldKind::ArrayIndexes:
        return array(node);
      case FieldKind::TextList:
        return list(node);
      case FieldKind::Environment:
        return environment(node);
    }
    return std::nullopt;
  }

 private:
  std::nullopt_t wrong(const DocumentNode& node, std::string what, std::string remedy) {
    report(problems_, node, place_, std::move(what), std::move(remedy));
    return std::nullopt;
  }

  /// Whether the REST API has the number as {set, infinite, number}; see FieldKind.
  [[nodiscard]] bool is_struct_in_rest() const {
    return field_.kind == FieldKind::Number || field_.kind == FieldKind::Minutes ||
           field_.kind == FieldKind::Mebibytes || field_.kind == FieldKind::Timestamp;
  }

  std::optional<FieldValue> number_struct(const DocumentNode& node) {
    const auto found = read_number_struct(node, place_, problems_);
    if (!found) return std::nullopt;
    if (found->infinite) {
      if (field_.kind == FieldKind::Minutes) return FieldValue(Unlimited{});
      return wrong(node, "cannot be infinite", "give it a number, or remove it");
    }
    if (found->number == nullptr) return std::nullopt;  // nothing is asked for
    if (found->number->kind == NodeKind::Map) return not_a_number(*found->number);
    return read(*found->number);
  }

  // Text that may stand in one line of a request: no control characters but tab and line feed.
  std::optional<std::string> clean_text(const DocumentNode& node, const Place& place) {
    auto text = text_of(node, place, problems_);
    if (!text) return std::nullopt;
    const bool clean = std::none_of(text->begin(), text->end(), [](char c) {
      return (c >= 0 && c < 0x20 && c != '\t' && c != '\n') || c == 0x7F;
    });
    if (text->empty()) {
      report(problems_, node, place, "is empty", "give it a value, or remove it");
    } else if (!clean) {
      report(problems_, node, place, "holds a control character", "remove it");
    }
    return clean && !text->empty() ? text : std::nullopt;
  }

  std::optional<FieldValue> text(const DocumentNode& node) {
    auto value = clean_text(node, place_);
    if (!value) return std::nullopt;
    if (static_cast<std::int64_t>(value->size()) > field_.maximum) {
      return wrong(node, "is " + std::to_string(value->size()) + " bytes long",
                   "use at most " + std::to_string(field_.maximum) + " bytes");
    }
    if (field_.name == "current_working_directory" && value->front() != '/') {
      return wrong(node, "\"" + *value + "\" is not an absolute path",
                   "write the directory from the root, e.g. /home/alice");
    }
    return FieldValue(std::move(*value));
  }

  std::optional<FieldValue> in_range(const DocumentNode& node, const FieldValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) return value;
    if (*number < field_.minimum) {
      return wrong(node, "is too small", "the smallest value is " + std::to_string(field_.minimum));
    }
    if (*number > field_.maximum) {
      return wrong(node, "is too large",
                   "the largest value is " + std::to_string(field_.maximum) + std::string(unit()));
    }
    return value;
  }

  [[nodiscard]] std::string_view unit() const {
    if (field_.kind == FieldKind::Minutes) return " minutes";
    if (field_.kind == FieldKind::Seconds) return " seconds";
    const bool size = field_.kind == FieldKind::Mebibytes || field_.kind == FieldKind::MebibytesInt;
    return size ? " MiB" : "";
  }

  std::optional<FieldValue> integer(const DocumentNode& node) {
    if (node.kind != NodeKind::Scalar) return not_a_number(node);
    const auto number = integer_from(node.text);
    if (!number) return not_a_number(node);
    if (!node.plain) return wrong(node, "is text, not a number", "remove the quotes: " + node.text);
    return in_range(node, *number);
  }

  std::nullopt_t not_a_number(const DocumentNode& node) {
    const bool map = node.kind == NodeKind::Map;
    const std::string found =
        node.kind == NodeKind::Scalar ? in_quotes(node.text) : std::string(describe(node));
    return wrong(node, "is " + found + ", not a whole number",
                 map ? "write the number alone, without set, infinite and number"
                     : "write decimal digits without leading zeros");
  }

  std::optional<FieldValue> converted(const DocumentNode& node,
                                      Converted (*convert)(std::string_view)) {
    if (node.kind == NodeKind::Map) {
      return wrong(node, "is a map, not one value",
                   "write the value alone, without set, infinite and number");
    }
    if (node.kind != NodeKind::Scalar) {
      return wrong(node, "is " + std::string(describe(node)) + ", not one value",
                   "write one value, or remove the field");
    }
    const Converted result = convert(node.text);
    if (!result.value) return wrong(node, result.what, result.remedy);
    return in_range(node, *result.value);
  }

  // `[1, 3, 5-7]` is a list to YAML, and an array with brackets to sbatch.
  std::optional<FieldValue> array(const DocumentNode& node) {
    if (node.kind != NodeKind::Sequence) return converted(node, array_indexes_from);
    if (node.items.empty()) return wrong(node, "is an empty list", "name a task, or remove it");
    std::string text;
    for (const auto& item : node.items) {
      if (item->kind != NodeKind::Scalar) {
        return wrong(*item,
                     "is " + std::string(describe(*item)) + ", not a task or a range of them",
                     "write e.g. [1, 3, 5-7]");
      }
      if (!text.empty()) text += ',';
      text += item->text;
    }
    const Converted result = array_indexes_from(text);
    if (!result.value) return wrong(node, result.what, result.remedy);
    return result.value;
  }

  std::optional<FieldValue> list(const DocumentNode& node) {
    if (node.kind != NodeKind::Sequence) {
      return wrong(node, "is " + std::string(describe(node)) + ", not a list",
                   node.kind == NodeKind::Scalar ? "write [" + node.text.substr(0, 60) + "]"
                                                 : "write [one, two]");
    }
    if (node.items.empty()) return wrong(node, "is an empty list", "name something, or remove it");
    std::vector<std::string> values;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::string index = "[" + std::to_string(i) + "]";
      const Place here{&place_, index};
      if (auto value = clean_text(*node.items[i], here)) {
        if (is_allowed(*node.items[i], here, *value)) values.push_back(std::move(*value));
      }
    }
    if (values.size() != node.items.size()) return std::nullopt;
    return FieldValue(std::move(values));
  }

  bool is_allowed(const DocumentNode& node, const Place& place, const std::string& word) {
    if (field_.words.empty()) return true;
    const std::vector<std::string_view> words = words_of(field_);
    if (std::find(words.begin(), words.end(), word) != words.end()) return true;
    const auto near = near_miss(word, words);
    std::string remedy = near.empty() ? "known: " + std::string(field_.words)
                                      : "did you mean `" + std::string(near) + "`?";
    report(problems_, node, place, in_quotes(word) + " is not known here", std::move(remedy));
    return false;
  }

  std::optional<FieldValue> environment(const DocumentNode& node) {
    auto variables = read_environment(node, place_, problems_);
    if (!variables) return std::nullopt;
    return FieldValue(std::move(*variables));
  }

  const JobField& field_;
  const Place& place_;
  ProblemSink& problems_;
};

std::vector<std::string_view> field_names() {
  std::vector<std::string_view> names;
  for (const JobField& field : job_fields()) names.push_back(field.name);
  return names;
}

}  // namespace

std::optional<FieldValue> read_job_value(const JobField& field, const DocumentNode& node,
                                         const Place& place, ProblemSink& problems) {
  return ValueReader(field, place, problems).read(node);
}

JobFields read_job(const DocumentNode& node, const Place& place, ProblemSink& problems) {
  static const std::vector<std::string_view> names = field_names();
  JobFields fields;
  visit_map(node, place, problems,
            [&](const DocumentNode& key, const DocumentNode& value, const Place& here) {
              if (const JobField* field = find_job_field(key.text)) {
                if (auto read = read_job_value(*field, value, here, problems))
                  fields[key.text] = *read;
              } else if (const RefusedField* refused = find_refused_field(key.text)) {
                report(problems, key, here, std::string(refused->what),
                       std::string(refused->remedy), ProblemKind::Policy);
              } else {
                report_unknown(problems, key, here, names);
              }
            });
  check_field_rules(fields, node, place, problems);
  return fields;
}

}  // namespace sconverge
