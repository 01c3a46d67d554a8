#include "specs/sbatch_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "specs/api_body.h"
#include "specs/job_field.h"
#include "specs/near_miss.h"
#include "specs/sbatch_words.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::string_view kMark = "#SCONVERGE";
constexpr std::array<std::string_view, 4> kMetadata = {"annotations", "labels", "name",
                                                       "namespace"};
constexpr std::array<std::string_view, 12> kSpec = {
    "cluster",  "dependsOn",        "fence",  "inheritEnvironment", "job",   "onChange",
    "onDelete", "onExternalCancel", "onLost", "pendingDeadline",    "retry", "suspend"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_mark_line(std::string_view line) {
  return line.starts_with(kMark) && (line.size() == kMark.size() || is_blank(line[kMark.size()]));
}

struct Line {
  std::string_view text;   // without its end
  std::string_view whole;  // with it
  int number;
};

template <typename Visit>
void for_each_line(std::string_view script, const Visit& visit) {
  for (int number = 1; !script.empty(); ++number) {
    const std::size_t end = std::min(script.find('\n'), script.size());
    const std::string_view whole = script.substr(0, end + 1);
    if (!visit(Line{script.substr(0, end), whole, number})) return;
    script.remove_prefix(whole.size());
  }
}

bool is_command(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\v\f\r");
  return first != std::string_view::npos && line[first] != '#';
}

// The script without those lines before its first command that `leaves_out` names.
template <typename LeavesOut>
std::string without_head_lines(std::string_view script, const LeavesOut& leaves_out) {
  std::string rest;
  bool in_commands = false;
  for_each_line(script, [&](const Line& line) {
    in_commands = in_commands || is_command(line.text);
    if (in_commands || !leaves_out(line.text)) rest += line.whole;
    return true;
  });
  return rest;
}

// `--FIELD=VALUE` as it stands in a line.
struct Option {
  std::string field;
  std::optional<std::string> value{};
  int line;
  int column;
};

// What stands behind the mark in each line before the first command, where sbatch's options stand.
std::vector<Directive> marked_lines(std::string_view script, SbatchFindings& findings) {
  std::vector<Directive> marked;
  bool in_commands = false;
  for_each_line(script, [&](const Line& line) {
    if (is_mark_line(line.text)) {
      if (in_commands) {
        findings.refuse({.line = line.number,
                         .column = 1,
                         .what = "a #SCONVERGE line behind the first command",
                         .remedy = "move it above the first command"});
      } else {
        marked.push_back(
            {line.number, static_cast<int>(kMark.size()) + 1, line.text.substr(kMark.size())});
      }
    }
    in_commands = in_commands || is_command(line.text);
    return true;
  });
  return marked;
}

std::vector<Option> options_of(const std::vector<SbatchWord>& words, SbatchFindings& findings) {
  std::vector<Option> options;
  bool takes_value = false;  // the last option has none yet
  for (const SbatchWord& word : words) {
    const bool is_option = word.text.starts_with("--") && word.text.size() > 2;
    if (!is_option && takes_value) {
      options.back().value = word.text;
      takes_value = false;
    } else if (!is_option) {
      findings.refuse({.line = word.line,
                       .column = word.column,
                       .what = in_quotes(word.text) + " is no option",
                       .remedy = "write --FIELD=VALUE, and quotes around a value with blanks"});
    } else {
      const std::size_t equals = word.text.find('=');
      takes_value = equals == std::string::npos;
      options.push_back({.field = word.text.substr(2, takes_value ? equals : equals - 2),
                         .line = word.line,
                         .column = word.column});
      if (!takes_value) options.back().value = word.text.substr(equals + 1);
    }
  }
  return options;
}

// Makes the document's nodes of options.
class DocumentBuilder {
 public:
  DocumentBuilder(SbatchDocument& document, ProblemSink& problems)
      : document_(document), problems_(problems), root_(add(NodeKind::Map, 1, 1)) {
    document_.root = root_;
    put(root_, "apiVersion", text("sconverge/v1", 1, 1));
    put(root_, "kind", text("Job", 1, 1));
    metadata_ = put(root_, "metadata", add(NodeKind::Map, 1, 1));
    spec_ = put(root_, "spec", add(NodeKind::Map, 1, 1));
  }

  void take(const Option& option) {
    const std::size_t dash = option.field.find('-');
    const std::string top = option.field.substr(0, dash);
    const bool in_metadata = std::find(kMetadata.begin(), kMetadata.end(), top) != kMetadata.end();
    if (!in_metadata && std::find(kSpec.begin(), kSpec.end(), top) == kSpec.end()) {
      return unknown(option, top);
    }
    DocumentNode* parent = in_metadata ? metadata_ : spec_;
    if (dash == std::string::npos) {
      put(parent, option, top, value_of(option, in_metadata || top == "cluster"));
      return;
    }
    const std::string inner = option.field.substr(dash + 1);
    DocumentNode* map = map_in(parent, option, top);
    const JobField* field = top == "job" ? find_job_field(inner) : nullptr;
    const bool is_text = in_metadata || (field != nullptr && field->kind == FieldKind::Text);
    put(map, option, inner, value_of(option, is_text));
  }

  [[nodiscard]] bool has_name() const { return find(metadata_, "name") != nullptr; }

  void name(const std::string& label) { put(metadata_, "name", text(label, 1, 1)); }

  void script(std::string_view script_text) {
    DocumentNode* node = text(std::string(script_text), 1, 1);
    node->first_content_line = 1;
    put(spec_, "script", node);
  }

 private:
  DocumentNode* add(NodeKind kind, int line, int column) {
    DocumentNode& node = document_.nodes.emplace_back();
    node.kind = kind;
    node.line = line;
    node.column = column;
    return &node;
  }
  DocumentNode* text(std::string value, int line, int column) {
    DocumentNode* node = add(NodeKind::Scalar, line, column);
    node->text = std::move(value);
    return node;
  }
  static const DocumentNode* find(const DocumentNode* map, std::string_view key) {
    for (std::size_t i = 0; i + 1 < map->items.size(); i += 2) {
      if (map->items[i]->text == key) return map->items[i + 1];
    }
    return nullptr;
  }
  DocumentNode* put(DocumentNode* map, std::string_view key, DocumentNode* value) {
    map->items.push_back(text(std::string(key), value->line, value->column));
    map->items.push_back(value);
    return value;
  }
  void put(DocumentNode* map, const Option& option, std::string_view key,
           const DocumentNode* value) {
    map->items.push_back(text(std::string(key), option.line, option.column));
    map->items.push_back(value);
  }

  // The map that is the value of `key`. One that was given as a whole already is left alone, and
  // the key is given twice, which is a problem for the reader of documents.
  DocumentNode* map_in(DocumentNode* parent, const Option& option, const std::string& key) {
    for (auto& [name, map] : maps_) {
      if (name == key) return map;
    }
    DocumentNode* map = add(NodeKind::Map, option.line, option.column);
    put(parent, option, key, map);
    maps_.emplace_back(key, map);
    return map;
  }

  const DocumentNode* value_of(const Option& option, bool is_text) {
    if (!option.value) {
      DocumentNode* flag = text("true", option.line, option.column);
      flag->plain = true;
      return flag;
    }
    const bool is_yaml = option.value->starts_with('[') || option.value->starts_with('{');
    if (is_yaml) {
      if (const DocumentNode* value = yaml(option)) return value;
    }
    DocumentNode* value = text(*option.value, option.line, option.column);
    value->plain = !is_text;
    return value;
  }

  const DocumentNode* yaml(const Option& option) {
    ProblemSink sink("");
    Documents parsed = parse_documents(*option.value, /*json=*/false, sink);
    for (Problem& problem : sink.take()) {
      problem.line = option.line;
      problem.column = option.column;
      problem.field = option.field;
      problems_.add(std::move(problem));
    }
    if (parsed.roots.size() != 1) return nullptr;
    for (DocumentNode& node : parsed.nodes) {
      node.line = option.line;
      node.column = option.column;
    }
    const DocumentNode* value = parsed.roots[0];
    document_.values.push_back(std::move(parsed));
    return value;
  }

  void unknown(const Option& option, const std::string& top) {
    std::vector<std::string_view> known(kSpec.begin(), kSpec.end());
    known.insert(known.end(), kMetadata.begin(), kMetadata.end());
    const std::string_view near = near_miss(top, known);
    problems_.add({.file = "",
                   .line = option.line,
                   .column = option.column,
                   .field = "",
                   .what = in_quotes("--" + top) + " is no field of `spec` or `metadata`",
                   .remedy = near.empty() ? "options of sbatch stand in #SBATCH lines"
                                          : "did you mean `--" + std::string(near) + "`?"});
  }

  SbatchDocument& document_;
  ProblemSink& problems_;
  DocumentNode* root_;
  DocumentNode* metadata_{nullptr};
  DocumentNode* spec_{nullptr};
  std::vector<std::pair<std::string, DocumentNode*>> maps_{};
};

}  // namespace

bool is_sbatch_name(std::string_view file) {
  return file.ends_with(".sbatch") || file.ends_with(".slurm");
}

bool is_sbatch_spec(std::string_view script) {
  bool found = false;
  for_each_line(script, [&](const Line& line) {
    found = is_mark_line(line.text);
    return !found;
  });
  return found;
}

std::string without_directives(std::string_view script) {
  return without_head_lines(script, [](std::string_view line) {
    return is_mark_line(line) || line.starts_with("#SBATCH") || line.starts_with("#SLURM");
  });
}

std::string without_marked_lines(std::string_view script) {
  return without_head_lines(script, is_mark_line);
}

SbatchDocument read_sbatch_document(std::string_view script, const std::string& file,
                                    ProblemSink& problems) {
  SbatchDocument document;
  DocumentBuilder builder(document, problems);
  SbatchFindings findings;
  for (const Option& option :
       options_of(sbatch_words(marked_lines(script, findings), findings), findings)) {
    builder.take(option);
  }
  const auto to_problem = [](ScriptProblem&& found) {
    return Problem{.file = "",
                   .line = found.line,
                   .column = found.column,
                   .field = "",
                   .what = std::move(found.what),
                   .remedy = std::move(found.remedy),
                   .kind = found.kind};
  };
  for (auto& problem : findings.problems) problems.add(to_problem(std::move(problem)));
  for (auto& note : findings.notes) problems.note(to_problem(std::move(note)));
  if (!builder.has_name()) {
    if (const auto name = name_of_file(file)) builder.name(name->name);
  }
  builder.script(script);
  return document;
}

}  // namespace sconverge
