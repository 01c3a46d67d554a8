#include <filesystem>
#include <optional>
#include <ostream>
#include <utility>

#include "controller/app/connection.h"
#include "controller/app/file_text.h"
#include "controller/app/printable.h"
#include "controller/app/render_spec.h"
#include "controller/app/state_view.h"
#include "controller/app/verbs.h"
#include "controller/slurm/job_description.h"
#include "specs/api_body.h"
#include "specs/label.h"
#include "specs/read.h"
#include "specs/sbatch_file.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

namespace fs = std::filesystem;

/// A spec to print, and what to say above it.
struct Imported {
  JobSpec spec{.name = {}};
  std::vector<std::string> remarks{};
};

std::string with_remarks(const Imported& imported) {
  std::string text;
  for (const auto& remark : imported.remarks) text += "# " + printable(remark) + "\n";
  return text + spec_yaml(imported.spec);
}

void tell(const std::vector<Problem>& problems, std::string_view level, const Console& console) {
  for (const auto& problem : problems) console.err << level << to_text(problem) << "\n";
}

/// The script as a spec, as a file of form (c) would be read. Its directives go on to count, so the
/// environment that they ask for need not be said. With a `name` that of the file does not matter.
std::optional<JobSpec> script_as_spec(const std::string& path, const std::string& text,
                                      const std::string& name, const Console& console) {
  SpecFile file =
      read_sbatch_script(text, name.empty() ? fs::path(path).filename().string() : "named.sbatch");
  for (auto* problems : {&file.problems, &file.notes}) {
    for (Problem& problem : *problems) problem.file = path;
  }
  tell(file.notes, "note: ", console);
  tell(file.problems, "", console);
  if (file.specs.empty()) return std::nullopt;
  return std::move(file.specs.front());
}

/// `spec` without what reading its script says again.
JobSpec shortest(const JobSpec& spec) {
  JobSpec shorter = spec;
  shorter.job.erase("environment");
  shorter.inherit_environment.clear();
  const auto directory = shorter.job.find("current_working_directory");
  if (directory != shorter.job.end() &&
      !std::get<std::string>(directory->second).starts_with('/')) {
    shorter.job.erase(directory);
  }
  const SpecFile again = read_spec_file(spec_yaml(shorter), "import.yaml", {});
  const bool same =
      again.specs.size() == 1 && generation_of(again.specs.front()) == generation_of(spec);
  return same ? shorter : spec;
}

/// What the controller itself submitted the job from, if its memory has it.
std::optional<JobSpec> remembered(const Config& config, const SlurmJob& job) {
  if (!job.mark || job.mark->controller != config.controller_id) return std::nullopt;
  auto states = read_state(config.state);
  if (!states) return std::nullopt;
  for (auto& cluster : *states) {
    const auto history = cluster.store->load();
    if (!history) continue;
    const auto entry = history->find(job.mark->spec);
    if (entry == history->end()) continue;
    for (const auto& content : {entry->second.submitted, entry->second.accepted}) {
      if (content && generation_of(*content) == job.mark->generation) return *content;
    }
  }
  return std::nullopt;
}

class JobImport {
 public:
  JobImport(const ImportOptions& options, const Config& config, const Console& console)
      : options_(options), config_(config), console_(console) {}

  /// How the verb ends if there is nothing to print.
  ExitCode read(const std::string& script, Imported& imported) {
    const ClusterConfig* cluster = find_cluster(config_, config_.default_cluster);
    if (cluster == nullptr) return fail(console_, "no cluster is configured", ExitCode::Usage);
    auto client = make_client(*cluster, console_.clock);
    if (!client) return fail(console_, client.error().message, ExitCode::Usage);
    const JobId id{*options_.job};
    const auto job = (*client)->read(id);
    if (!job) return fail(console_, job.error().message, exit_code_of(job.error()));
    if (!*job) {
      return fail(console_,
                  "Slurm has no job " + to_text(id) + "; it forgets ended jobs after MinJobAge");
    }
    if (auto known = remembered(config_, **job)) {
      imported.spec = std::move(*known);
      imported.remarks.push_back("job " + to_text(id) + ", as this controller submitted it");
      return ExitCode::Ok;
    }
    return describe(*cluster, **job, script, imported);
  }

 private:
  ExitCode describe(const ClusterConfig& cluster, const SlurmJob& job, const std::string& script,
                    Imported& imported) {
    auto transport = make_transport(cluster, console_.clock);
    if (!transport) return fail(console_, transport.error().message, ExitCode::Usage);
    auto found = read_job_description(std::move(*transport), cluster.api_version, job.id);
    if (!found) return fail(console_, found.error().message, exit_code_of(found.error()));
    JobSpec& spec = imported.spec;
    spec.script = script.empty() ? found->script : script;
    if (spec.script.empty()) {
      return fail(console_, "Slurm does not tell the script of job " + to_text(job.id) +
                                " (AccountingStoreFlags has no job_script); give it with --script "
                                "FILE");
    }
    spec.job = std::move(found->fields);
    imported.remarks.push_back("job " + to_text(job.id) + " of " + cluster.name);
    for (auto& note : found->notes) imported.remarks.push_back(std::move(note));
    if (!job.state.final()) {
      // A second copy of a live job is the one thing that importing must not lead to.
      spec.suspend = true;
      imported.remarks.push_back("job " + to_text(job.id) +
                                 " is alive, and no job of this spec: with `suspend` it is not "
                                 "submitted once more; remove that when the job has ended");
    }
    if (const auto name = name_from(job.name)) spec.name = *name;
    return ExitCode::Ok;
  }

  static std::optional<SpecName> name_from(const std::string& job_name) {
    return name_of_file(job_name + ".job");
  }

  const ImportOptions& options_;
  const Config& config_;
  const Console& console_;
};

/// What the flags say about the name, over what was found.
std::optional<std::string> apply_name(const ImportOptions& options, JobSpec& spec) {
  if (!options.name.empty()) spec.name.name = options.name;
  if (!options.name_space.empty()) spec.name.name_space = options.name_space;
  if (spec.name.name_space.empty()) spec.name.name_space = "default";
  for (const auto& part : {spec.name.name, spec.name.name_space}) {
    if (!is_dns_label(part)) {
      return in_quotes(part) +
             " is not a valid name: use --name with 1 to 63 of a-z, 0-9 and -, with a letter or "
             "digit at both ends";
    }
  }
  // The name of a spec is the default of its job's.
  const auto job_name = spec.job.find("name");
  if (job_name != spec.job.end() && job_name->second == FieldValue(spec.name.name)) {
    spec.job.erase(job_name);
  }
  return std::nullopt;
}

}  // namespace

ExitCode verb_import(const ImportOptions& options, const Config& config, const Console& console) {
  Imported imported;
  std::string script;
  if (!options.script.empty()) {
    FileText file = read_whole_file(options.script, kMaxSpecFileBytes);
    if (!file.error.empty()) return fail(console, options.script + ": " + file.error);
    script = std::move(file.text);
  }
  if (options.job) {
    const ExitCode code = JobImport(options, config, console).read(script, imported);
    if (code != ExitCode::Ok) return code;
  } else {
    auto spec = script_as_spec(options.script, script, options.name, console);
    if (!spec) return ExitCode::Invalid;
    imported.spec = std::move(*spec);
    imported.remarks.push_back("from " + fs::path(options.script).filename().string());
  }
  if (const auto wrong = apply_name(options, imported.spec)) {
    return fail(console, *wrong, ExitCode::Usage);
  }
  // In YAML these lines would say nothing.
  imported.spec.script = without_marked_lines(imported.spec.script);
  imported.spec = shortest(imported.spec);
  const std::string text = with_remarks(imported);
  const SpecFile again = read_spec_file(text, "import.yaml", {});
  tell(again.problems, "", console);
  console.out << text;
  return again.problems.empty() ? ExitCode::Ok : ExitCode::Invalid;
}

}  // namespace sconverge
