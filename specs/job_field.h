#pragma once

#include <span>
#include <string_view>

namespace sconverge {

/// How a job description field is written in a spec and sent over REST.
enum class FieldKind {
  Text,          ///< string
  Flag,          ///< true or false
  Integer,       ///< plain integer (plain in REST, e.g. tasks, nice)
  Number,        ///< integer or UNLIMITED; REST wants {set, infinite, number}
  Minutes,       ///< friendly duration; REST wants {set, infinite, number} in minutes
  Seconds,       ///< friendly duration; REST wants plain seconds
  Mebibytes,     ///< friendly size; REST wants {set, infinite, number} in MiB
  MebibytesInt,  ///< friendly size; REST wants a plain integer of MiB
  Timestamp,     ///< UNIX seconds or RFC 3339; REST wants {set, infinite, number}
  TextList,      ///< list of strings, order kept
  Environment,   ///< map, or list of KEY=value; REST wants the list
  NodeCount,     ///< "2" or "2-4", or an integer; REST wants the string
};

/// What Slurm lets an unprivileged user do to the field of a PENDING job (slurm-rest facts of Slurm
/// 24.11: script, environment, argv and the array set can never be changed).
enum class InPlace { Pending, Never };

struct JobField {
  std::string_view name;
  FieldKind kind;
  InPlace in_place;
  std::string_view since;  ///< first API version that has it, e.g. "v0.0.40"
};

/// Every field of Slurm's job description that a spec may set, sorted by name.
std::span<const JobField> job_fields();

/// Null if there is no such field.
const JobField* find_job_field(std::string_view name);

}  // namespace sconverge
