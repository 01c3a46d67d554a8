#include "controller/slurm/job_description.h"

#include <utility>

#include "controller/slurm/rest_session.h"
#include "controller/slurm/wire_job_description.h"

namespace sconverge {
namespace {

// Names of files as they were given, where accounting knows them; slurmctld shows them expanded
// (Slurm 24.11).
void take_patterns(const AccountedSubmission& kept, JobFields& fields) {
  const auto take = [&](std::string_view field, const std::string& pattern) {
    if (!pattern.empty()) fields.insert_or_assign(std::string(field), pattern);
  };
  take("standard_output", kept.standard_output);
  take("standard_error", kept.standard_error);
}

// What sbatch and slurmctld would fill in anyway.
void drop_defaults(JobFields& fields, const std::string& id) {
  const auto text = [&](std::string_view name) {
    const auto field = fields.find(name);
    return field == fields.end() ? std::string() : std::get<std::string>(field->second);
  };
  const std::string output = text("standard_output");
  const std::string folder = text("current_working_directory") + "/slurm-";
  const bool is_default = output == folder + "%j.out" || output == folder + "%A_%a.out" ||
                          output == folder + id + ".out" ||
                          output == folder + id + "_4294967294.out";
  if (text("standard_error") == output) fields.erase("standard_error");
  if (is_default) fields.erase("standard_output");
}

}  // namespace

Result<JobDescription> read_job_description(std::unique_ptr<Transport> transport,
                                            const std::string& pinned, JobId job) {
  RestSession session(std::move(transport), pinned);
  const auto version = session.version();
  if (!version) return version.error();
  const std::string id = to_text(job);
  const auto shown = session.text_of("/slurm/" + *version + "/job/" + id);
  if (!shown) return shown.error();
  auto described = described_fields_in(*shown, job.value);
  if (!described) {
    return Error{ErrorKind::Unavailable, "read of job " + id + ": the answer tells no such job"};
  }
  JobDescription found{.fields = std::move(described->fields)};
  if (described->is_array_begun) {
    found.notes.push_back(
        "some tasks of the array have begun: `array` holds what Slurm still shows");
  }
  const auto accounted =
      session.text_of("/slurmdb/" + *version + "/jobs/?step=" + id + "&show_batch_script=true");
  const auto kept = accounted ? accounted_submission_in(*accounted, job.value) : std::nullopt;
  if (kept) {
    found.script = kept->script;
    take_patterns(*kept, found.fields);
  } else {
    found.notes.push_back(
        "accounting tells nothing: the names of its files are as Slurm expanded them");
  }
  found.notes.push_back(
      "Slurm does not tell of a job: environment, signal, open mode, distribution, overcommit, "
      "no-kill, wait-all-nodes");
  drop_defaults(found.fields, id);
  return found;
}

}  // namespace sconverge
