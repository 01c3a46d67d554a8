#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace sconverge {

/// How a job description field is written in a spec and sent over REST.
enum class FieldKind {
  Text,          ///< string
  Flag,          ///< true or false
  Integer,       ///< plain integer (plain in REST, e.g. tasks, nice)
  Number,        ///< plain integer; REST wants {set, infinite, number}
  Minutes,       ///< friendly duration; REST wants {set, infinite, number} in minutes
  Seconds,       ///< friendly duration; REST wants plain seconds
  Mebibytes,     ///< friendly size; REST wants {set, infinite, number} in MiB
  MebibytesInt,  ///< friendly size; REST wants a plain integer of MiB
  Timestamp,     ///< UNIX seconds or RFC 3339; REST wants {set, infinite, number}
  TextList,      ///< list of strings, order kept
  Environment,   ///< map, or list of KEY=value; REST wants the list
  NodeCount,     ///< "2" or "2-4", or an integer; REST wants the string
  ArrayIndexes,  ///< "0-9%2", an integer, or a list of such; REST wants the string
};

/// Pending: Slurm lets an unprivileged user change the field of a PENDING job, and the job then is
/// what a new submission would have made. Never: it refuses, ignores it silently, or leaves a mix
/// of old and new.
enum class InPlace { Pending, Never };

struct JobField {
  std::string_view name;
  FieldKind kind;
  InPlace in_place;
  std::string_view since{"v0.0.40"};  ///< first API version that has it

  /// Smallest and largest number (of minutes, MiB, ... as the kind wants); for Text, of bytes.
  std::int64_t minimum{1};
  std::int64_t maximum{std::numeric_limits<std::int64_t>::max()};

  /// TextList: the words that may stand in it, parted by blanks; empty: any.
  std::string_view words{};
};

/// Every field of Slurm's job description that a spec may set, sorted by name.
std::span<const JobField> job_fields();

/// Null if there is no such field.
const JobField* find_job_field(std::string_view name);

/// The words of a closed list (JobField::words), one by one; empty: any word may stand in it.
std::vector<std::string_view> words_of(const JobField& field);

/// A field of Slurm's job description that a spec may not set, and what to do instead.
struct RefusedField {
  std::string_view name;
  std::string_view what;
  std::string_view remedy;
};

/// All of them, sorted by name.
std::span<const RefusedField> refused_fields();

/// Null if `name` is not a field that is known and refused.
const RefusedField* find_refused_field(std::string_view name);

}  // namespace sconverge
