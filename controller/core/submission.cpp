#include "controller/core/submission.h"

#include <algorithm>

#include "specs/environment.h"

namespace sconverge {
namespace {

bool inherits(const JobSpec& spec, std::string_view name) {
  const auto& names = spec.inherit_environment;
  return std::find(names.begin(), names.end(), kWholeEnvironment) != names.end() ||
         std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> inherited(const JobSpec& spec,
                                   const std::vector<std::string>& configured) {
  std::vector<std::string> variables;
  for (const auto& variable : configured) {
    if (inherits(spec, std::string_view(variable).substr(0, variable.find('=')))) {
      variables.push_back(variable);
    }
  }
  return variables;
}

}  // namespace

JobFields default_fields(const JobSpec& spec, const SubmitDefaults& defaults) {
  JobFields fields;
  const auto add = [&](std::string_view name, FieldValue value) {
    if (spec.job.find(name) == spec.job.end()) fields.emplace(name, std::move(value));
  };
  add("name", spec.name.name);
  const auto directory = spec.job.find("current_working_directory");
  if (directory == spec.job.end()) {
    fields["current_working_directory"] = defaults.working_directory;
  } else if (const auto& path = std::get<std::string>(directory->second); path[0] != '/') {
    // Glued and not cleaned, as sbatch does with the directory that it is called in.
    fields["current_working_directory"] = defaults.working_directory + "/" + path;
  }
  if (spec.inherit_environment.empty()) {
    add("environment", defaults.environment);
  } else {
    const auto own = spec.job.find("environment");
    auto variables = inherited(spec, defaults.environment);
    if (own != spec.job.end()) {
      variables = overlaid(variables, std::get<std::vector<std::string>>(own->second));
    }
    fields["environment"] = std::move(variables);
  }
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

std::string array_of(const JobSpec& spec) {
  const auto set = spec.job.find("array");
  const auto* text = set == spec.job.end() ? nullptr : std::get_if<std::string>(&set->second);
  return text == nullptr ? "" : *text;
}

Submission submission_of(const JobSpec& spec, const Mark& mark, const SubmitDefaults& defaults) {
  Submission submission{spec.job, spec.script};
  for (auto& [name, value] : default_fields(spec, defaults)) {
    submission.fields.insert_or_assign(name, std::move(value));
  }
  submission.fields.insert_or_assign("comment", comment_of(spec, mark));
  return submission;
}

std::string digest_of(const JobSpec& spec, const SubmitDefaults& defaults) {
  JobSpec whole = spec;
  for (auto& [name, value] : default_fields(spec, defaults)) {
    whole.job.insert_or_assign(name, std::move(value));
  }
  return sha256_hex(canonical_text(whole));
}

}  // namespace sconverge
