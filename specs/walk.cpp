#include "specs/walk.h"

#include <algorithm>
#include <unordered_map>

#include "specs/near_miss.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// Integers, octal and hexadecimal ones, fractions and exponents, infinities and not-a-numbers.
bool is_number(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0o")) {
    return text.size() > 2 &&
           text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
  }
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  for (const std::string_view word : {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"}) {
    if (text == word) return true;
  }
  std::size_t at = skip_digits(text, 0);
  std::size_t digits = at;
  if (at < text.size() && text[at] == '.') {
    const std::size_t end = skip_digits(text, at + 1);
    digits += end - at - 1;
    at = end;
  }
  if (digits == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const std::size_t end = skip_digits(text, at);
    return end > at && end == text.size();
  }
  return at == text.size();
}

std::optional<bool> flag_from(std::string_view text) {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

std::string code(std::string_view name) { return "`" + std::string(name.substr(0, 60)) + "`"; }

}  // namespace

std::string Place::text() const {
  std::string path = parent != nullptr ? parent->text() : "";
  if (!path.empty() && !key.starts_with('[')) path += '.';
  return path.append(key.substr(0, 100));
}

void report(ProblemSink& problems, const DocumentNode& node, const Place& place, std::string what,
            std::string remedy, ProblemKind kind) {
  problems.add({.file = "",
                .line = node.line,
                .column = node.column,
                .field = place.text(),
                .what = std::move(what),
                .remedy = std::move(remedy),
                .kind = kind});
}

void visit_map(
    const DocumentNode& node, const Place& place, ProblemSink& problems,
    const std::function<void(const DocumentNode&, const DocumentNode&, const Place&)>& visit) {
  if (node.kind != NodeKind::Map) {
    return report(problems, node, place, "is " + std::string(describe(node)) + ", not a map",
                  "write `key: value` lines below it");
  }
  std::unordered_map<std::string_view, int> first_lines;
  for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
    const DocumentNode& key = *node.items[i];
    const DocumentNode& value = *node.items[i + 1];
    if (key.kind != NodeKind::Scalar) {
      report(problems, key, place, "has " + std::string(describe(key)) + " as a key",
             "keys are text; put quotes around a word like `null`");
      continue;
    }
    const Place here{&place, key.text};
    if (key.plain && key.text == "<<") {
      report(problems, key, here, "merge keys are not supported", "write the fields out");
      continue;
    }
    const auto [first, is_new] = first_lines.emplace(key.text, key.line);
    if (!is_new) {
      report(problems, key, here,
             "duplicate key, first given in line " + std::to_string(first->second),
             "keep one of them", ProblemKind::Duplicate);
      continue;
    }
    visit(key, value, here);
  }
}

void report_unknown(ProblemSink& problems, const DocumentNode& key, const Place& place,
                    std::span<const std::string_view> known) {
  std::string remedy;
  if (const auto near = near_miss(key.text, known); !problems.full() && !near.empty()) {
    remedy = "did you mean " + code(near) + "?";
  } else if (known.size() <= 20) {
    for (const std::string_view name : known)
      remedy += (remedy.empty() ? "known: " : ", ") + std::string(name);
  } else {
    remedy = "remove it; `sconverge explain` lists all fields";
  }
  report(problems, key, place, "unknown field " + code(key.text), std::move(remedy));
}

std::optional<std::string> text_of(const DocumentNode& node, const Place& place,
                                   ProblemSink& problems) {
  if (node.kind == NodeKind::Null) {
    report(problems, node, place, "has no value", "give it one, or remove it");
    return std::nullopt;
  }
  if (node.kind != NodeKind::Scalar) {
    report(problems, node, place, "is " + std::string(describe(node)) + ", not text",
           "write one value");
    return std::nullopt;
  }
  if (node.plain && plain_type(node.text) != PlainType::Text) {
    report(problems, node, place, "is " + std::string(describe(node)) + ", not text",
           "put quotes around it: \"" + node.text.substr(0, 60) + "\"");
    return std::nullopt;
  }
  if (node.text.find('\0') != std::string::npos) {
    report(problems, node, place, "holds a NUL character", "remove it");
    return std::nullopt;
  }
  return node.text;
}

std::optional<bool> flag_of(const DocumentNode& node, const Place& place, ProblemSink& problems) {
  const auto flag = node.kind == NodeKind::Scalar ? flag_from(node.text) : std::nullopt;
  if (flag && node.plain) return flag;
  const std::string found =
      node.kind == NodeKind::Scalar ? in_quotes(node.text) : std::string(describe(node));
  report(problems, node, place, "is " + found + ", not true or false",
         flag ? "remove the quotes" : "write true or false");
  return std::nullopt;
}

PlainType plain_type(std::string_view text) {
  if (flag_from(text)) return PlainType::Flag;
  return is_number(text) ? PlainType::Number : PlainType::Text;
}

std::string_view describe(const DocumentNode& node) {
  switch (node.kind) {
    case NodeKind::Null:
      return "empty";
    case NodeKind::Sequence:
      return "a list";
    case NodeKind::Map:
      return "a map";
    case NodeKind::Scalar:
      break;
  }
  if (!node.plain) return "text";
  switch (plain_type(node.text)) {
    case PlainType::Flag:
      return "true or false";
    case PlainType::Number:
      return "a number";
    case PlainType::Text:
      break;
  }
  return "text";
}

}  // namespace sconverge
