#include "controller/core/submission.h"

namespace sconverge {

JobFields default_fields(const JobSpec& spec, const SubmitDefaults& defaults) {
  JobFields fields;
  const auto add = [&](std::string_view name, FieldValue value) {
    if (spec.job.find(name) == spec.job.end()) fields.emplace(name, std::move(value));
  };
  add("name", spec.name.name);
  add("current_working_directory", defaults.working_directory);
  add("environment", defaults.environment);
  return fields;
}

std::string job_name_of(const JobSpec& spec) {
  const auto set = spec.job.find("name");
  return set == spec.job.end() ? spec.name.name : std::get<std::string>(set->second);
}

std::string comment_of(const JobSpec& spec, const Mark& mark) {
  const auto set = spec.job.find("comment");
  return comment_with_mark(set == spec.job.end() ? "" : std::get<std::string>(set->second), mark);
}

Submission submission_of(const JobSpec& spec, const Mark& mark, const SubmitDefaults& defaults) {
  Submission submission{spec.job, spec.script};
  submission.fields.merge(default_fields(spec, defaults));
  submission.fields.insert_or_assign("comment", comment_of(spec, mark));
  return submission;
}

std::string digest_of(const JobSpec& spec, const SubmitDefaults& defaults) {
  JobSpec whole = spec;
  whole.job.merge(default_fields(spec, defaults));
  return sha256_hex(canonical_text(whole));
}

}  // namespace sconverge
