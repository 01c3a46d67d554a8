#include "specs/spec_document.h"

#include <algorithm>
#include <array>
#include <utility>

#include "specs/directives.h"
#include "specs/environment.h"
#include "specs/job_value.h"
#include "specs/label.h"
#include "specs/metadata.h"
#include "specs/script_node.h"
#include "specs/utf8.h"
#include "specs/walk.h"

namespace sconverge {
namespace {

constexpr std::string_view kApiVersion = "sconverge/v1";

// Fields of `spec` that are known, but that this release does not act on. Ignoring one would do
// something else than what was asked.
constexpr std::array<std::string_view, 6> kNotYet = {
    "dependsOn", "fence", "onExternalCancel", "onLost", "pendingDeadline", "retry"};

// Reads one document. Reports everything that is wrong with it.
class SpecReader {
 public:
  SpecReader(const ScriptReader& script, ProblemSink& problems,
             std::vector<std::string>& script_files, ScriptForm form)
      : read_script_(script), problems_(problems), script_files_(script_files), form_(form) {}

  void read(const DocumentNode& root) {
    if (root.kind == NodeKind::Null) {
      return wrong(root, kRoot, "the document declares nothing", "remove it, or write a spec");
    }
    visit_map(root, kRoot, problems_,
              [this](const DocumentNode& key, const DocumentNode& value, const Place& place) {
                read_top(key, value, place);
              });
    if (root.kind != NodeKind::Map) return;
    require(root, "apiVersion", seen_api_version_, "write `apiVersion: sconverge/v1`");
    require(root, "kind", seen_kind_, "write `kind: Job`");
    require(root, "metadata", seen_metadata_, "write `metadata: {name: ...}`");
    require(root, "spec", seen_spec_, "write `spec:` with `job` and `script` in it");
    spec_.line = root.line;
  }

  SpecDocument take() {
    spec_.name = metadata_.name.value_or(SpecName{});
    spec_.labels = std::move(metadata_.labels);
    spec_.annotations = std::move(metadata_.annotations);
    return {.spec = std::move(spec_), .name = metadata_.name, .name_node = metadata_.name_node};
  }

 private:
  static constexpr Place kRoot{};

  void wrong(const DocumentNode& node, const Place& place, std::string what, std::string remedy) {
    report(problems_, node, place, std::move(what), std::move(remedy));
  }
  void not_yet(const DocumentNode& node, const Place& place, const std::string& what,
               std::string remedy) {
    report(problems_, node, place, what + " not yet supported", std::move(remedy),
           ProblemKind::Policy);
  }
  void require(const DocumentNode& node, std::string_view key, bool seen, std::string remedy) {
    if (!seen) wrong(node, Place{&kRoot, key}, "is missing", std::move(remedy));
  }

  void read_top(const DocumentNode& key, const DocumentNode& value, const Place& place) {
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
      metadata_ = read_metadata(value, place, problems_);
    } else if (key.text == "spec") {
      seen_spec_ = true;
      read_spec(value, place);
    } else {
      report_unknown(problems_, key, place, known);
    }
  }

  void exactly(const DocumentNode& node, const Place& place, std::string_view wanted) {
    const auto text = text_of(node, place, problems_);
    if (text && *text != wanted) {
      wrong(node, place, in_quotes(*text) + " is not known", "write " + std::string(wanted));
    }
  }

  void read_spec(const DocumentNode& node, const Place& place) {
    visit_map(node, place, problems_,
              [this](const DocumentNode& key, const DocumentNode& value, const Place& here) {
                read_spec_field(key, value, here);
              });
    if (node.kind != NodeKind::Map) return;
    read_directives();
    check_environment(place);
    if (seen_script_ && seen_script_file_) {
      wrong(node, place, "has both `script` and `scriptFile`", "keep one of them");
    } else if (!seen_script_ && !seen_script_file_) {
      wrong(node, place, "has no script",
            "add `script: |` with the lines of a batch script, or `scriptFile`");
    }
  }

  void read_spec_field(const DocumentNode& key, const DocumentNode& value, const Place& place) {
    static constexpr std::array<std::string_view, 14> known = {
        "cluster",    "dependsOn",        "fence",  "inheritEnvironment", "job",   "onChange",
        "onDelete",   "onExternalCancel", "onLost", "pendingDeadline",    "retry", "script",
        "scriptFile", "suspend"};
    if (key.text == "job") {
      job_node_ = &value;
      spec_.job = read_job(value, place, problems_);
    } else if (key.text == "inheritEnvironment") {
      said_.inherit_environment = true;
      const ProblemSink::Mark before = problems_.mark();
      spec_.inherit_environment = read_inherited_environment(value, place, problems_);
      const bool nothing = spec_.inherit_environment.empty() && problems_.mark() == before;
      if (nothing) inherits_nothing_ = &value;
    } else if (key.text == "script") {
      seen_script_ = true;
      take_script(value, place, read_inline_script(value, place, problems_), "");
    } else if (key.text == "scriptFile") {
      seen_script_file_ = true;
      read_script_file(value, place);
    } else if (key.text == "cluster") {
      read_cluster(value, place);
    } else if (key.text == "suspend") {
      said_.suspend = true;
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

  void read_cluster(const DocumentNode& node, const Place& place) {
    const auto text = text_of(node, place, problems_);
    if (!text) return;
    if (text->empty() || !is_label_value(*text)) {
      wrong(node, place, in_quotes(*text) + " is not a cluster's name",
            "use a name from the configuration, or remove it for the default cluster");
    }
    spec_.cluster = *text;
  }

  void read_on_delete(const DocumentNode& node, const Place& place) {
    const auto text = text_of(node, place, problems_);
    if (!text) return;
    if (*text != "Cancel" && *text != "Orphan") {
      wrong(node, place, in_quotes(*text) + " is not known", "write Cancel or Orphan");
    }
    spec_.on_delete = *text == "Orphan" ? OnDelete::Orphan : OnDelete::Cancel;
  }

  void read_on_change(const DocumentNode& node, const Place& place) {
    const auto text = text_of(node, place, problems_);
    if (!text || *text == "Queue") return;
    if (*text == "Replace" || *text == "Ignore") {
      not_yet(node, place, "`" + *text + "` is", "write Queue, or remove it");
    } else {
      wrong(node, place, in_quotes(*text) + " is not known", "write Queue");
    }
  }

  void read_script_file(const DocumentNode& node, const Place& place) {
    const auto path = text_of(node, place, problems_);
    if (!path || !is_path_below(node, place, *path)) return;
    script_files_.push_back(*path);
    ScriptText script = read_script_(*path);
    if (!script.error.empty()) {
      return report(problems_, node, place, in_quotes(*path) + ": " + script.error,
                    "give the path of a readable file, relative to this file", ProblemKind::Io);
    }
    take_script(node, place, std::move(script.text), *path);
  }

  void take_script(const DocumentNode& node, const Place& place, std::optional<std::string> text,
                   const std::string& file_name) {
    if (!text) return;
    spec_.script = std::move(*text);
    script_place_ = ScriptPlace{&node, place.text(), file_name};
  }

  // Only when the whole of `spec` is known can it be told which directives count.
  void read_directives() {
    if (!script_place_) return;
    DirectiveFindings found = apply_directives(spec_, said_, form_);
    for (auto& problem : found.problems) {
      problems_.add(problem_at(*script_place_, std::move(problem)));
    }
    for (auto& note : found.notes) problems_.note(problem_at(*script_place_, std::move(note)));
  }

  // Nothing inherited and nothing set would be read as nothing said, which inherits everything.
  void check_environment(const Place& place) {
    if (inherits_nothing_ == nullptr || spec_.job.contains("environment")) return;
    if (job_node_ != nullptr && has_key(*job_node_, "environment")) return;
    wrong(*inherits_nothing_, Place{&place, "inheritEnvironment"},
          "leaves the job without any variable, which Slurm refuses",
          "name some, e.g. [PATH, HOME], or set `environment` under `job`");
  }

  static bool has_key(const DocumentNode& map, std::string_view key) {
    if (map.kind != NodeKind::Map) return false;
    for (std::size_t i = 0; i + 1 < map.items.size(); i += 2) {
      if (map.items[i]->text == key) return true;
    }
    return false;
  }

  bool is_path_below(const DocumentNode& node, const Place& place, const std::string& path) {
    const bool printable = std::none_of(path.begin(), path.end(),
                                        [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; });
    if (path.empty() || !printable) {
      wrong(node, place, in_quotes(path) + " is not a path", "write e.g. `scriptFile: train.sh`");
      return false;
    }
    const std::string bounded = "/" + path + "/";
    if (path[0] == '/' || bounded.find("/../") != std::string::npos) {
      report(problems_, node, place, in_quotes(path) + " may lead out of the watched directory",
             "use a path relative to this file, without `..`", ProblemKind::Permission);
      return false;
    }
    return true;
  }

  const ScriptReader& read_script_;
  ProblemSink& problems_;
  std::vector<std::string>& script_files_;
  const ScriptForm form_;
  JobSpec spec_{.name = {}};
  Said said_{};
  std::optional<ScriptPlace> script_place_{};
  const DocumentNode* job_node_{nullptr};
  const DocumentNode* inherits_nothing_{nullptr};  // `inheritEnvironment`, if it is false or []
  Metadata metadata_{};
  bool seen_api_version_{false};
  bool seen_kind_{false};
  bool seen_metadata_{false};
  bool seen_spec_{false};
  bool seen_script_{false};
  bool seen_script_file_{false};
};

}  // namespace

SpecDocument read_spec_document(const DocumentNode& root, const ScriptReader& script,
                                std::vector<std::string>& script_files, ProblemSink& problems,
                                ScriptForm form) {
  SpecReader reader(script, problems, script_files, form);
  reader.read(root);
  return reader.take();
}

}  // namespace sconverge
