#include <filesystem>
#include <map>
#include <optional>
#include <ostream>

#include "controller/app/connection.h"
#include "controller/app/file_text.h"
#include "controller/app/render_problems.h"
#include "controller/app/utf16_columns.h"
#include "controller/app/verbs.h"
#include "controller/files/file_names.h"
#include "controller/files/spec_directory.h"
#include "controller/slurm/cluster_facts_reader.h"
#include "specs/read.h"

namespace sconverge {
namespace {

namespace fs = std::filesystem;

/// What was read so far, over all paths.
struct Findings {
  int files{0};
  int specs{0};
  std::vector<Problem> problems{};
  std::vector<Problem> notes{};            ///< of what is taken, but most likely not meant
  std::map<SpecName, std::string> seen{};  ///< name → the path argument that declares it
  std::vector<JobSpec> declared{};         ///< with the path argument in `file`

  void add_problem(const std::string& file, std::string what, std::string remedy,
                   ProblemKind kind) {
    problems.push_back({file, 0, 0, "", std::move(what), std::move(remedy), kind});
  }

  /// Two paths may not declare one name; within one directory the directory itself says so.
  void add_spec(const JobSpec& spec, const std::string& file) {
    ++specs;
    declared.push_back(spec);
    declared.back().file = file;
    const auto [found, is_new] = seen.emplace(spec.name, file);
    if (is_new) return;
    problems.push_back({file, spec.line, 0, "metadata.name",
                        to_text(spec.name) + " is also declared in " + found->second,
                        "give one of them another name or namespace", ProblemKind::Duplicate});
  }
};

void validate_directory(const std::string& path, Findings& findings) {
  DirectoryOptions options{path};
  options.quiet = milliseconds{0};
  options.inotify = false;
  const Desired desired = watch_directory(options)->read();
  const auto below = [&](const std::string& file) {
    return file.empty() ? path : (fs::path(path) / file).string();
  };
  findings.files += desired.valid_files + static_cast<int>(desired.invalid_files.size());
  for (Problem problem : desired.problems) {
    problem.file = below(problem.file);
    findings.problems.push_back(std::move(problem));
  }
  for (Problem note : desired.notes) {
    note.file = below(note.file);
    findings.notes.push_back(std::move(note));
  }
  if (!desired.complete) {
    findings.add_problem(path, desired.incomplete_reason, "", ProblemKind::Io);
  }
  for (const auto& [name, spec] : desired.specs) findings.add_spec(*spec, below(spec->file));
}

void validate_file(const std::string& path, Findings& findings) {
  const NameKind kind = kind_of_name(fs::path(path).filename().string());
  if (kind != NameKind::Spec && kind != NameKind::Script) {
    findings.add_problem(path, "it is not a spec file by its name",
                         "name it .yaml, .yml or .json, or .sbatch or .slurm for an sbatch script",
                         ProblemKind::Schema);
    return;
  }
  ++findings.files;
  const FileText file = read_whole_file(path, 2 * kMaxSpecFileBytes);
  if (!file.error.empty()) {
    findings.add_problem(path, file.error, "name an existing spec file or directory",
                         ProblemKind::Io);
    return;
  }
  const ScriptReader read_script = [&](const std::string& name) -> ScriptText {
    FileText script =
        read_whole_file((fs::path(path).parent_path() / name).string(), kMaxSpecFileBytes);
    return {std::move(script.text), std::move(script.error)};
  };
  SpecFile spec_file = read_spec_file(file.text, path, read_script);
  if (spec_file.ignored) {
    findings.notes.push_back({path, 0, 0, "",
                              "it is somebody's script and no spec: it has no line "
                              "#SCONVERGE",
                              "add e.g. #SCONVERGE --name=train"});
  }
  for (const auto& problem : spec_file.problems) findings.problems.push_back(problem);
  for (const auto& note : spec_file.notes) findings.notes.push_back(note);
  for (const auto& spec : spec_file.specs) findings.add_spec(spec, path);
}

/// Holds what was read against the cluster itself. An Error if it cannot be asked.
std::optional<Error> ask_cluster(const ValidateOptions& options, const Config& config,
                                 Findings& findings, const Console& console) {
  const auto give_up = [&](const Error& error) {
    fail(console, "cluster " + options.cluster + ": " + error.message);
    return error;
  };
  const ClusterConfig* cluster = find_cluster(config, options.cluster);
  if (cluster == nullptr) {
    return give_up({ErrorKind::Rejected, "no such cluster is configured"});
  }
  auto transport = make_transport(*cluster, console.clock);
  if (!transport) return give_up(transport.error());
  const auto facts = read_cluster_facts(std::move(*transport), cluster->api_version);
  if (!facts) return give_up(facts.error());
  for (const auto& missing : facts->not_told) {
    warn(console, "cluster " + options.cluster + " does not tell " + missing);
  }
  for (const JobSpec& spec : findings.declared) {
    const std::string& wanted = spec.cluster.empty() ? config.default_cluster : spec.cluster;
    if (wanted != options.cluster) continue;
    for (auto& problem : problems_on_cluster(spec, *facts, console.clock.now())) {
      findings.problems.push_back(std::move(problem));
    }
  }
  return std::nullopt;
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::vector<RatedProblem> rated(const std::vector<Problem>& problems,
                                const std::vector<Problem>& notes) {
  std::vector<RatedProblem> out;
  out.reserve(problems.size() + notes.size());
  for (const auto& problem : problems) out.push_back({problem, ProblemLevel::Error});
  for (const auto& note : notes) out.push_back({note, ProblemLevel::Warning});
  return out;
}

/// The same, with columns as the services count them.
std::vector<RatedProblem> rated_for_services(const Findings& findings) {
  std::vector<Problem> problems = findings.problems;
  std::vector<Problem> notes = findings.notes;
  count_in_utf16(problems);
  count_in_utf16(notes);
  return rated(problems, notes);
}

void print_summary(const Findings& findings, const Console& console) {
  const std::string scope = counted(static_cast<std::size_t>(findings.specs), "valid spec") +
                            " in " + counted(static_cast<std::size_t>(findings.files), "file");
  const Paint paint = console.out_paint();
  const std::string noted =
      findings.notes.empty() ? "" : ", " + counted(findings.notes.size(), "warning");
  if (findings.problems.empty()) {
    console.out << paint(Style::Green, "ok") << ": " << scope << noted << "\n";
  } else {
    console.out << paint(Style::Red, counted(findings.problems.size(), "problem")) << noted << ", "
                << scope << "\n";
  }
}

void print(const Findings& findings, OutputFormat output, const Console& console) {
  std::error_code error;  // without a working directory all paths stay as they are
  const fs::path here = fs::current_path(error);
  if (output == OutputFormat::Table) {
    for (const auto& problem : rated(findings.problems, findings.notes)) {
      console.out << problem_line(problem) << "\n";
    }
    print_summary(findings, console);
  } else if (output == OutputFormat::Github) {
    console.out << github_commands(rated_for_services(findings), here);
    print_summary(findings, console);
  } else if (output == OutputFormat::Sarif) {
    console.out << sarif_document(rated_for_services(findings), build_info(), here);
  } else {
    console.out << validation_document(findings.files, findings.specs, findings.problems,
                                       findings.notes, document_format(output));
  }
}

}  // namespace

ExitCode verb_validate(const ValidateOptions& options, const Config& config,
                       const Console& console) {
  Findings findings;
  for (const auto& path : options.paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      validate_directory(path, findings);
    } else {
      validate_file(path, findings);
    }
  }
  std::optional<Error> unreachable;
  if (!options.cluster.empty()) unreachable = ask_cluster(options, config, findings, console);
  print(findings, options.output, console);
  if (!findings.problems.empty()) return ExitCode::Invalid;
  return unreachable ? exit_code_of(*unreachable) : ExitCode::Ok;
}

}  // namespace sconverge
