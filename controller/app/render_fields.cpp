#include "controller/app/render_fields.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "controller/app/document_text.h"

namespace sconverge {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 80;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kHeadColumns = 10;  // of "Write     "

/// `text` from column `indent` on, in lines of at most kColumns; the first line is not indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string out;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    if (!out.empty() && column + 1 + word.size() > kColumns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!out.empty()) {
      out += " ";
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + "\n";
}

std::string headed_line(const std::string& head, const std::string& text, Paint paint) {
  if (text.empty()) return "";
  return std::string(kIndent, ' ') + paint(Style::Dim, head) +
         std::string(kHeadColumns - head.size(), ' ') + wrapped(text, kIndent + kHeadColumns);
}

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : std::string(kIndent, ' ') + wrapped(text, kIndent);
}

std::string change_of(const FieldText& field) {
  if (field.job_field == nullptr) return "";
  return field.job_field->in_place == InPlace::Pending
             ? "A pending job takes it in place and keeps its place in the queue."
             : "A pending job is replaced.";
}

std::string since_of(const FieldText& field) {
  if (field.job_field == nullptr || field.job_field->since == "v0.0.40") return "";
  return std::string(field.job_field->since) + " of Slurm's REST API.";
}

/// The example below the names of the maps that it stands in.
std::string placed_example(const FieldText& field) {
  std::string out;
  std::size_t indent = kIndent;
  std::size_t start = 0;
  for (auto dot = field.path.find('.'); dot != std::string::npos;
       dot = field.path.find('.', start)) {
    out += std::string(indent, ' ') + field.path.substr(start, dot - start) + ":\n";
    indent += 2;
    start = dot + 1;
  }
  std::istringstream lines(field.example);
  for (std::string line; std::getline(lines, line);) {
    out += std::string(indent, ' ') + line + "\n";
  }
  return out;
}

FieldTexts children_of(const FieldText& map) {
  FieldTexts children;
  const std::string start = map.path + ".";
  for (const FieldText& field : field_texts()) {
    const bool below = field.path.starts_with(start);
    if (below && field.path.find('.', start.size()) == std::string::npos) {
      children.push_back(&field);
    }
  }
  return children;
}

Json field_json(const FieldText& field) {
  Json out{{"path", field.path}, {"type", field.type}, {"summary", field.summary}};
  if (!field.details.empty()) out["details"] = field.details;
  out["forms"] = field.forms;
  out["example"] = field.example;
  if (!field.option.empty()) out["sbatch"] = field.option;
  out["required"] = field.required;
  if (field.job_field != nullptr) {
    out["inPlace"] = field.job_field->in_place == InPlace::Pending;
    out["since"] = std::string(field.job_field->since);
    const auto words = words_of(*field.job_field);
    if (!words.empty()) out["words"] = words;
  }
  return out;
}

}  // namespace

std::string fields_table(const FieldTexts& fields, Paint paint) {
  std::vector<std::vector<Cell>> rows;
  for (const FieldText* field : fields) {
    rows.push_back({{field->path}, {field->type}, {field->summary}});
  }
  return table_text({"FIELD", "TYPE", "MEANING"}, rows, paint);
}

std::string field_page(const FieldText& field, Paint paint) {
  std::string out = paint(Style::Bold, field.path) + "  " + field.type +
                    (field.required ? ", required" : "") + "\n\n";
  out += paragraph(field.summary) + paragraph(field.details) + "\n";
  out += headed_line("Write", field.forms, paint);
  out += headed_line("sbatch", field.option, paint);
  out += headed_line("Change", change_of(field), paint);
  out += headed_line("Since", since_of(field), paint);
  out += "\n" + placed_example(field);
  const FieldTexts children = children_of(field);
  if (!children.empty()) out += "\n" + fields_table(children, paint);
  return out;
}

std::string fields_document(const FieldTexts& fields, DocumentFormat format) {
  Json out{{"apiVersion", "sconverge/v1"}, {"kind", "FieldList"}, {"fields", Json::array()}};
  for (const FieldText* field : fields) out["fields"].push_back(field_json(*field));
  return document_text(out.dump(2), format == DocumentFormat::Yaml);
}

}  // namespace sconverge
