#pragma once

#include <string>
#include <vector>

#include "controller/app/config.h"
#include "controller/app/console.h"
#include "controller/app/document.h"
#include "controller/app/exit_code.h"
#include "controller/app/reload.h"
#include "controller/core/result.h"

namespace sconverge {

// One function per verb, each in a file of its own. They print, and return how the process ends.

enum class OutputFormat { Table, Wide, Json, Yaml, Name, Sarif, Github, Schema };

/// REQUIRES: `format` is Json or Yaml.
DocumentFormat document_format(OutputFormat format);

/// "sconverge: MESSAGE", printable, on the error stream. Returns `code` for convenience.
ExitCode fail(const Console& console, const std::string& message, ExitCode code = ExitCode::Error);

/// How a verb ends that failed because Slurm could not be reached, or said no.
ExitCode exit_code_of(const Error& error);

/// "warning: MESSAGE", likewise.
void warn(const Console& console, const std::string& message);

struct ValidateOptions {
  std::vector<std::string> paths;
  std::string cluster{};  ///< a configured one, to hold the specs against; empty: none
  OutputFormat output{OutputFormat::Table};
};
/// Reads files and directories as the controller would and lists every problem; with a cluster,
/// also what that cluster would refuse, never start or silently leave out. Without one it needs
/// neither a configuration nor Slurm. Invalid if there is any problem; SlurmUnreachable or Error if
/// the cluster could not be asked.
ExitCode verb_validate(const ValidateOptions& options, const Config& config,
                       const Console& console);

struct ExplainOptions {
  std::vector<std::string> fields{};  ///< empty: all of them, in a list
  OutputFormat output{OutputFormat::Table};
};
/// Tells what fields of a spec mean and how they are written. Error if one is none, with what was
/// probably meant.
ExitCode verb_explain(const ExplainOptions& options, const Console& console);

struct ImportOptions {
  std::string script{};                ///< path of an sbatch script; empty: none
  std::optional<std::uint32_t> job{};  ///< id of a job of the default cluster
  std::string name{};                  ///< of the spec; empty: made from the script's or the job's
  std::string name_space{};
};
/// Prints a spec in YAML: of an sbatch script, or of a job that Slurm still knows (then a script is
/// the job's, which Slurm seldom tells). Invalid if sbatch or Slurm would refuse what it says.
/// REQUIRES: a script or a job.
ExitCode verb_import(const ImportOptions& options, const Config& config, const Console& console);

struct GetOptions {
  std::vector<std::string> names{};  ///< empty: all
  std::string name_space{};          ///< empty: all
  bool namespaces{false};            ///< always show the column
  OutputFormat output{OutputFormat::Table};
};
ExitCode verb_get(const GetOptions& options, const Config& config, const Console& console);

struct DescribeOptions {
  std::vector<std::string> names;
  OutputFormat output{OutputFormat::Table};
};
ExitCode verb_describe(const DescribeOptions& options, const Config& config,
                       const Console& console);

/// Asks the controller to run specs again. All names or none.
ExitCode verb_rerun(const std::vector<std::string>& names, const Config& config,
                    const Console& console);

/// Approves what guards hold back: the named specs, or all of them. All names or none.
ExitCode verb_approve(const std::vector<std::string>& names, const Config& config,
                      const Console& console);

/// Asks every cluster whether it can be used. SlurmUnreachable if one does not answer, Error if one
/// refuses.
ExitCode verb_check(OutputFormat output, const Config& config, const Console& console);

struct ApiOptions {
  std::string method;  ///< GET, POST, DELETE or the Job API's HTTP_METHOD_*, in any case
  std::string path;    ///< "/slurm/v0.0.42/jobs/"
  std::string body{};  ///< JSON, "@FILE", or "-" for the standard input
};
/// Sends one request to the default cluster, whichever way it is reached, and prints what Slurm
/// answered. Error if Slurm's status is not a success; that goes to the error stream.
ExitCode verb_api(const ApiOptions& options, const Config& config, const Console& console);

/// Serves Google's Slurm Job API in front of a slurmrestd until SIGTERM or SIGINT.
ExitCode verb_gateway(const Config& config, const Console& console);

struct PlanOptions {
  bool detailed_exitcode{false};
  OutputFormat output{OutputFormat::Table};
};
/// Shows what would happen, and changes nothing, not even in the state directory.
ExitCode verb_plan(const PlanOptions& options, const Config& config, const Console& console);

struct ApplyOptions {
  bool wait{false};
  milliseconds timeout{0};  ///< of the wait; 0: none
};
/// One tick, or with `wait` as many as it takes until every spec stands still.
ExitCode verb_apply(const ApplyOptions& options, const Config& config, const Console& console);

/// Keeps Slurm as declared until SIGTERM or SIGINT; SIGHUP has the configuration read again.
ExitCode verb_run(const Config& config, const Reread& reread, const Console& console);

ExitCode verb_version(OutputFormat output, const Console& console);

BuildInfo build_info();

}  // namespace sconverge
