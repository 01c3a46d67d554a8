#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "specs/job_field.h"

namespace sconverge {

/// What people are told about a field of a spec file, wherever they ask: `sconverge explain`, the
/// JSON Schema that editors read, the field reference. Texts are sentences in plain ASCII.
struct FieldText {
  std::string path;      ///< from the root of a document, e.g. "spec.job.time_limit"
  std::string type;      ///< what it takes, in a word: "duration", "map", ...
  std::string forms;     ///< how it may be written
  std::string summary;   ///< one sentence
  std::string details;   ///< further sentences; may be empty
  std::string example;   ///< lines of YAML that hold the field, without indentation in front
  std::string option;    ///< sbatch's of the same meaning; empty: none
  bool required{false};  ///< within the map it stands in
  const JobField* job_field{nullptr};  ///< its row, if it is a field of `spec.job`
};

/// Every field that a spec may set and that is acted on, in the order of a document; the job's own
/// fields last, by name.
const std::vector<FieldText>& field_texts();

/// Null if there is no such field.
const FieldText* find_field_text(std::string_view path);

/// The fields that `name` means: one by its path, or all that end in it (`time_limit`,
/// `job.time_limit`). Empty if there is none.
std::vector<const FieldText*> fields_named(std::string_view name);

/// The fields that say what this option of sbatch says: "-t", "--time" or "time". Empty if there is
/// none.
std::vector<const FieldText*> fields_of_option(std::string_view option);

/// What a field of this kind takes, in a word or two: "duration", "node count", ...
std::string_view to_text(FieldKind kind);

}  // namespace sconverge
