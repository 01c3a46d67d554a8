#include "specs/read.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "specs/document.h"
#include "specs/job_value.h"
#include "specs/label.h"
#include "specs/script.h"
#include "specs/utf8.h"
#include "specs/walk.h"

namespace sconverge {
namespace {

constexpr std::string_view kApiVersion = "sconverge/v1";
constexpr std::string_view kReservedPrefix = "sconverge/";
constexpr std::string_view kProtect = "sconverge/protect";
constexpr std::size_t kMaxAnnotationBytes = 256 * 1024;

// Fields of `spec` that are known, but that this release does not act on. Ignoring one would do
// something else than what was asked.
constexpr std::array<std::string_view, 6> kNotYet = {
    "dependsOn", "fence", "onExternalCancel", "onLost", "pendingDeadline", "retry"};

// Reads one document. Reports everything that is wrong with it.
class SpecReader {
 public:
  SpecReader(const ScriptReader& script, ProblemSink& problems,
             std::vector<std::string>& script_files)
      : read_script_(script), problems_(problems), script_files_(script_files) {}

  void read(const Node& root) {
    if (root.kind == NodeKind::Null) {
      return wrong(root, kRoot, "the document declares nothing", "remove it, or write a spec");
    }
    if (is_api_body(root)) return;
    visit_map(root, kRoot, problems_,
              [this](const Node& key, const Node& value, const Place& place) {
                read_top(key, value, place);
              });
    if (root.kind != NodeKind::Map) return;
    require(root, "apiVersion", seen_api_version_, "write `apiVersion: sconverge/v1`");
    require(root, "kind", seen_kind_, "write `kind: Job`");
    require(root, "metadata", seen_metadata_, "write `metadata: {name: ...}`");
    require(root, "spec", seen_spec_, "write `spec:` with `job` and `script` in it");
    spec_.line = root.line;
  }

  /// The name, if the document tells a valid one; set even if the rest is wrong.
  [[nodiscard]] std::optional<SpecName> name() const {
    if (!name_ || !namespace_) return std::nullopt;
    return SpecName{*namespace_, *name_};
  }
  [[nodiscard]] const Node* name_node() const { return name_node_; }
  JobSpec take() {
    spec_.name = name().value_or(SpecName{});
    return std::move(spec_);
  }

 private:
  static constexpr Place kRoot{};

  void wrong(const Node& node, const Place& place, std::string what, std::string remedy) {
    report(problems_, node, place, std::move(what), std::move(remedy));
  }
  void not_yet(const Node& node, const Place& place, const std::string& what, std::string remedy) {
    report(problems_, node, place, what + " not yet supported", std::move(remedy),
           ProblemKind::Policy);
  }
  void require(const Node& node, std::string_view key, bool seen, std::string remedy,
               const Place& parent = kRoot) {
    if (!seen) wrong(node, Place{&parent, key}, "is missing", std::move(remedy));
  }

  // A body for the Slurm Job API has `job` where a spec has `apiVersion`.
  bool is_api_body(const Node& root) {
    if (root.kind != NodeKind::Map) return false;
    const Node* body = nullptr;
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
      const Node& key = *root.items[i];
      if (key.kind != NodeKind::Scalar) continue;
      if (key.text == "apiVersion" || key.text == "kind") return false;
      if (key.text == "job" || key.text == "jobs") body = &key;
    }
    if (body == nullptr) return false;
    const Place place{&kRoot, body->text};
    if (body->text == "jobs") {
      not_yet(*body, place, "heterogeneous jobs are", "declare one spec for each part");
    } else {
      not_yet(*body, place, "a bare Slurm Job API body is",
              "put `job` and `script` under `spec` of a `kind: Job` document");
    }
    return true;
  }

  void read_top(const Node& key, const Node& value, const Place& place) {
    static constexpr std::array<std::string_view, 4> known = {"apiVersion", "kind", "metadata",
                                                              "spec"};
    if (key.text == "apiVersion") {
      seen_api_version_ = true;
      exactly(value, place, kApiVersion);
    } else if (key.text == "kind") {
      seen_kind_ = true;
      exactly(value, place, "Job");
    } else if (key.text == "metadata") {
      seen_metadata_ = true;
      read_metadata(value, place);
    } else if (key.text == "spec") {
      seen_spec_ = true;
      read_spec(value, place);
    } else {
      report_unknown(problems_, key, place, known);
    }
  }

  void exactly(const Node& node, const Place& place, std::string_view wanted) {
    const auto text = text_of(node, place, problems_);
    if (text && *text != wanted) {
      wrong(node, place, quoted(*text) + " is not known", "write " + std::string(wanted));
    }
  }

  void read_metadata(const Node& node, const Place& place) {
    static constexpr std::array<std::string_view, 4> known = {"annotations", "labels", "name",
                                                              "namespace"};
    namespace_ = "default";
    visit_map(node, place, problems_, [&](const Node& key, const Node& value, const Place& here) {
      if (key.text == "name") {
        name_node_ = &value;
        name_ = read_name(value, here);
      } else if (key.text == "namespace") {
        namespace_ = read_name(value, here);
      } else if (key.text == "labels") {
        read_labels(value, here);
      } else if (key.text == "annotations") {
        read_annotations(value, here);
      } else {
        report_unknown(problems_, key, here, known);
      }
    });
    if (node.kind == NodeKind::Map) {
      require(node, "name", name_node_ != nullptr, "write e.g. `name: train-resnet`", place);
    }
  }

  std::optional<std::string> read_name(const Node& node, const Place& place) {
    auto text = text_of(node, place, problems_);
    if (!text || is_dns_label(*text)) return text;
    wrong(node, place, quoted(*text) + " is not a valid name",
          "use 1 to 63 of a-z, 0-9 and -, with a letter or digit at both ends");
    return std::nullopt;
  }

  void read_labels(const Node& node, const Place& place) {
    visit_map(
        node, place, problems_, [this](const Node& key, const Node& value, const Place& here) {
          check_key(key, here);
          const auto text = text_of(value, here, problems_);
          if (text && !is_label_value(*text)) {
            wrong(
                value, here, quoted(*text) + " is not a label value",
                "use at most 63 of A-Z, a-z, 0-9, -, _ and ., with a letter or digit at both ends");
          }
          if (text) spec_.labels[key.text] = *text;
        });
  }

  void read_annotations(const Node& node, const Place& place) {
    static constexpr std::array<std::string_view, 1> known = {kProtect};
    std::size_t bytes = 0;
    visit_map(node, place, problems_, [&](const Node& key, const Node& value, const Place& here) {
      check_key(key, here);
      const auto text = text_of(value, here, problems_);
      if (!text) return;
      bytes += key.text.size() + text->size();
      if (key.text.starts_with(kReservedPrefix) && key.text != kProtect) {
        report_unknown(problems_, key, here, known);
      }
      if (key.text == kProtect && *text != "true" && *text != "false") {
        wrong(value, here, quoted(*text) + " is not \"true\" or \"false\"", "write \"true\"");
      }
      spec_.annotations[key.text] = *text;
    });
    if (bytes > kMaxAnnotationBytes) {
      report(problems_, node, place, "the annotations are larger than 256 KiB", "keep them shorter",
             ProblemKind::TooLarge);
    }
  }

  void check_key(const Node& key, const Place& place) {
    if (is_label_key(key.text)) return;
    wrong(key, place, quoted(key.text) + " is not a valid key",
          "use at most 63 of A-Z, a-z, 0-9, -, _ and ., after an optional DNS name and /");
  }

  void read_spec(const Node& node, const Place& place) {
    visit_map(node, place, problems_,
              [this](const Node& key, const Node& value, const Place& here) {
                read_spec_field(key, value, here);
              });
    if (node.kind != NodeKind::Map) return;
    if (seen_script_ && seen_script_file_) {
      wrong(node, place, "has both `script` and `scriptFile`", "keep one of them");
    } else if (!seen_script_ && !seen_script_file_) {
      wrong(node, place, "has no script",
            "add `script: |` with the lines of a batch script, or `scriptFile`");
    }
  }

  void read_spec_field(const Node& key, const Node& value, const Place& place) {
    static constexpr std::array<std::string_view, 13> known = {
        "cluster",          "dependsOn", "fence",           "job",   "onChange", "onDelete",
        "onExternalCancel", "onLost",    "pendingDeadline", "retry", "script",   "scriptFile",
        "suspend"};
    if (key.text == "job") {
      spec_.job = read_job(value, place, problems_);
    } else if (key.text == "script") {
      seen_script_ = true;
      read_inline_script(value, place);
    } else if (key.text == "scriptFile") {
      seen_script_file_ = true;
      read_script_file(value, place);
    } else if (key.text == "cluster") {
      read_cluster(value, place);
    } else if (key.text == "suspend") {
      spec_.suspend = flag_of(value, place, problems_).value_or(false);
    } else if (key.text == "onDelete") {
      read_on_delete(value, place);
    } else if (key.text == "onChange") {
      read_on_change(value, place);
    } else if (std::find(kNotYet.begin(), kNotYet.end(), key.text) != kNotYet.end()) {
      not_yet(key, place, "`" + key.text + "` is", "remove it");
    } else if (key.text == "jobs") {
      not_yet(key, place, "heterogeneous jobs are", "declare one spec for each part");
    } else {
      report_unknown(problems_, key, place, known);
    }
  }

  void read_cluster(const Node& node, const Place& place) {
    const auto text = text_of(node, place, problems_);
    if (!text) return;
    if (text->empty() || !is_label_value(*text)) {
      wrong(node, place, quoted(*text) + " is not a cluster's name",
            "use a name from the configuration, or remove it for the default cluster");
    }
    spec_.cluster = *text;
  }

  void read_on_delete(const Node& node, const Place& place) {
    const auto text = text_of(node, place, problems_);
    if (!text) return;
    if (*text != "Cancel" && *text != "Orphan") {
      wrong(node, place, quoted(*text) + " is not known", "write Cancel or Orphan");
    }
    spec_.on_delete = *text == "Orphan" ? OnDelete::Orphan : OnDelete::Cancel;
  }

  void read_on_change(const Node& node, const Place& place) {
    const auto text = text_of(node, place, problems_);
    if (!text || *text == "Queue") return;
    if (*text == "Replace" || *text == "Ignore") {
      not_yet(node, place, "`" + *text + "` is", "write Queue, or remove it");
    } else {
      wrong(node, place, quoted(*text) + " is not known", "write Queue");
    }
  }

  void read_inline_script(const Node& node, const Place& place) {
    if (node.kind != NodeKind::Scalar) {
      return wrong(node, place, "is " + std::string(describe(node)) + ", not text",
                   "write `script: |` and the lines below it, indented");
    }
    for (ScriptProblem& problem : check_script(node.text)) {
      const bool known_line = node.first_content_line > 0 && problem.line > 0;
      problems_.add({.file = "",
                     .line = known_line ? node.first_content_line + problem.line - 1 : node.line,
                     .column = known_line ? 0 : node.column,
                     .field = place.text(),
                     .what = std::move(problem.what),
                     .remedy = std::move(problem.remedy),
                     .kind = problem.kind});
    }
    spec_.script = node.text;
  }

  void read_script_file(const Node& node, const Place& place) {
    const auto path = text_of(node, place, problems_);
    if (!path || !is_path_below(node, place, *path)) return;
    script_files_.push_back(*path);
    ScriptText script = read_script_(*path);
    if (!script.error.empty()) {
      return report(problems_, node, place, quoted(*path) + ": " + script.error,
                    "give the path of a readable file, relative to this file", ProblemKind::Io);
    }
    for (ScriptProblem& problem : check_script(script.text)) {
      const std::string line = problem.line > 0 ? " line " + std::to_string(problem.line) : "";
      report(problems_, node, place, quoted(*path) + line + ": " + problem.what,
             std::move(problem.remedy), problem.kind);
    }
    spec_.script = std::move(script.text);
  }

  bool is_path_below(const Node& node, const Place& place, const std::string& path) {
    const bool printable = std::none_of(path.begin(), path.end(),
                                        [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; });
    if (path.empty() || !printable) {
      wrong(node, place, quoted(path) + " is not a path", "write e.g. `scriptFile: train.sh`");
      return false;
    }
    const std::string bounded = "/" + path + "/";
    if (path[0] == '/' || bounded.find("/../") != std::string::npos) {
      report(problems_, node, place, quoted(path) + " may lead out of the watched directory",
             "use a path relative to this file, without `..`", ProblemKind::Permission);
      return false;
    }
    return true;
  }

  const ScriptReader& read_script_;
  ProblemSink& problems_;
  std::vector<std::string>& script_files_;
  JobSpec spec_{.name = {}};
  std::optional<std::string> name_{};
  std::optional<std::string> namespace_{};
  const Node* name_node_{nullptr};
  bool seen_api_version_{false};
  bool seen_kind_{false};
  bool seen_metadata_{false};
  bool seen_spec_{false};
  bool seen_script_{false};
  bool seen_script_file_{false};
};

// What forbids even to look for documents.
std::optional<Problem> unreadable(std::string_view text) {
  const auto problem = [](int line, std::string what, std::string remedy, ProblemKind kind) {
    return Problem{.file = "",
                   .line = line,
                   .column = 0,
                   .field = "",
                   .what = std::move(what),
                   .remedy = std::move(remedy),
                   .kind = kind};
  };
  const auto line_of = [&](std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  };
  if (text.size() > kMaxSpecFileBytes) {
    return problem(0, "the file is larger than 1 MiB",
                   "split it, or keep scripts in files of their own", ProblemKind::TooLarge);
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    return problem(1, "the file begins with a byte order mark", "save it as UTF-8 without one",
                   ProblemKind::Syntax);
  }
  if (const auto at = first_invalid_utf8(text)) {
    return problem(line_of(*at), "the file is not UTF-8", "save it as UTF-8", ProblemKind::Syntax);
  }
  if (const auto at = text.find('\0'); at != std::string_view::npos) {
    return problem(line_of(at), "the file holds a NUL character", "save it as plain text",
                   ProblemKind::Syntax);
  }
  return std::nullopt;
}

// Reads all documents of a file into `result`; false if some name could not be told.
bool read_documents(const Documents& documents, const ScriptReader& script, ProblemSink& problems,
                    SpecFile& result) {
  bool names_known = documents.whole;
  std::map<SpecName, int> first_lines;
  for (const Node* root : documents.roots) {
    SpecReader reader(script, problems, result.script_files);
    reader.read(*root);
    const auto name = reader.name();
    if (!name) {
      names_known = false;
      continue;
    }
    const auto [first, is_new] = first_lines.emplace(*name, reader.name_node()->line);
    if (is_new) {
      result.names.push_back(*name);
    } else {
      problems.add({.file = "",
                    .line = reader.name_node()->line,
                    .column = reader.name_node()->column,
                    .field = "metadata.name",
                    .what = to_text(*name) + " is declared twice, first in line " +
                            std::to_string(first->second),
                    .remedy = "give one of them another name or namespace",
                    .kind = ProblemKind::Duplicate});
    }
    result.specs.push_back(reader.take());
  }
  return names_known;
}

}  // namespace

SpecFile read_spec_file(std::string_view text, const std::string& file,
                        const ScriptReader& script) {
  SpecFile result;
  ProblemSink problems(file);
  if (auto problem = unreadable(text)) {
    problems.add(std::move(*problem));
    result.names_known = false;
  } else {
    const Documents documents = parse_documents(text, problems);
    result.names_known = read_documents(documents, script, problems, result);
    if (documents.whole && documents.roots.empty()) {
      problems.add({.file = "",
                    .line = 0,
                    .column = 0,
                    .field = "",
                    .what = "the file declares nothing",
                    .remedy = "write a spec in it, or remove it"});
      result.names_known = false;
    }
  }
  if (!problems.empty()) result.specs.clear();
  for (JobSpec& spec : result.specs) spec.file = file;
  result.problems = problems.take();
  return result;
}

}  // namespace sconverge
