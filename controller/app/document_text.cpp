#include "controller/app/document_text.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace sconverge {
namespace {

using Json = nlohmann::ordered_json;

/// Words that YAML readers, old ones too, take for something else than text.
bool is_word_of_yaml(std::string text) {
  static constexpr std::array<std::string_view, 9> words{"y",   "n",    "yes",   "no",  "on",
                                                         "off", "true", "false", "null"};
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Plain only where no YAML reader could see anything but this text; else JSON's quoting, which
/// YAML understands.
std::string scalar(const Json& value) {
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool plain =
      !text.empty() && letter(text.front()) && !is_word_of_yaml(text) &&
      std::all_of(text.begin(), text.end(), [&](char c) {
        return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '/';
      });
  return plain ? text : value.dump();
}

bool is_block(const Json& value) { return value.is_structured() && !value.empty(); }

void write(const Json& value, std::size_t indent, std::string& out);

/// Whether YAML's `|` can show the text as it is: several lines, the first without a blank before
/// it, and nothing that does not print.
bool is_literal(const Json& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return text.find('\n') != std::string::npos && text[0] != ' ' && text[0] != '\t' &&
         text[0] != '\n' && std::all_of(text.begin(), text.end(), [](char c) {
           return c == '\n' || c == '\t' || (c >= 0x20 && c < 0x7F);
         });
}

/// The header says what becomes of the line ends at the end: `|` one, `|-` none, `|+` all of them.
void write_literal(const std::string& text, std::size_t indent, std::string& out) {
  const bool ends_line = text.ends_with('\n');
  out += !ends_line ? " |-\n" : text.ends_with("\n\n") ? " |+\n" : " |\n";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out += std::string(indent, ' ') + text.substr(at, end - at);
    out += '\n';
    at = end + 1;
  }
}

void write_entry(const Json& value, std::size_t indent, std::string& out) {
  if (is_literal(value)) {
    write_literal(value.get_ref<const std::string&>(), indent, out);
  } else if (is_block(value)) {
    out += '\n';
    write(value, indent, out);
  } else {
    out += ' ' + scalar(value) + '\n';
  }
}

void write(const Json& value, std::size_t indent, std::string& out) {
  const std::string margin(indent, ' ');
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      out += margin + scalar(Json(key)) + ":";
      // kubectl's habit: a list begins in the column of its key.
      write_entry(member, member.is_array() ? indent : indent + 2, out);
    }
  } else if (value.is_array()) {
    for (const auto& item : value) {
      if (!is_block(item)) {
        out += margin + "- " + scalar(item) + '\n';
        continue;
      }
      std::string block;
      write(item, indent + 2, block);
      block.replace(indent, 2, "- ");
      out += block;
    }
  } else {
    out += margin + scalar(value) + '\n';
  }
}

}  // namespace

std::string document_text(const std::string& json, bool as_yaml) {
  if (!as_yaml) return json + "\n";
  std::string out;
  write(Json::parse(json), 0, out);
  return out;
}

}  // namespace sconverge
