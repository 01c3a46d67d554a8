#pragma once

#include <span>
#include <string_view>

namespace sconverge {

/// What people are told about a field of `spec.job`, in `sconverge explain`, in editors and in the
/// field reference. What follows from the field's row in job_field.h (forms, range, words, first
/// version) is not repeated here.
struct JobFieldText {
  std::string_view name;
  std::string_view option;     ///< sbatch's of the same meaning, e.g. "-t, --time"; empty: none
  std::string_view example;    ///< a value as YAML, in one line
  std::string_view summary;    ///< one sentence
  std::string_view details{};  ///< further sentences; may be empty
};

/// One for each of job_fields(), in the same order.
std::span<const JobFieldText> job_field_texts();

/// Null if there is no such field.
const JobFieldText* find_job_field_text(std::string_view name);

}  // namespace sconverge
