#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sconverge {

/// A declared job's identity. Both parts are RFC 1123 labels of at most 63 characters. The file it
/// is read from is no part of it: moving or renaming a file changes nothing.
struct SpecName {
  std::string name_space;
  std::string name;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of <=> for a pointer.
  friend auto operator<=>(const SpecName&, const SpecName&) = default;
  friend bool operator==(const SpecName&, const SpecName&) = default;
};

/// "namespace/name".
std::string to_text(const SpecName& name);

/// Slurm's "infinite" for times and sizes.
struct Unlimited {
  friend bool operator==(const Unlimited&, const Unlimited&) = default;
};

/// A job field in canonical form: durations are minutes or seconds (as the field wants,
/// job_field.h), sizes are MiB, an environment is a list of "KEY=value" sorted by key.
using FieldValue =
    std::variant<bool, std::int64_t, Unlimited, std::string, std::vector<std::string>>;

/// Slurm's job description, by the REST API's field names (v0.0.40 and later). Only what the user
/// set.
using JobFields = std::map<std::string, FieldValue, std::less<>>;

/// Stands for every variable of the configured environment; no variable has such a name.
inline constexpr std::string_view kWholeEnvironment = "*";

/// What happens to a spec's live job when the spec is removed.
enum class OnDelete { Cancel, Orphan };

/// One declared job (`apiVersion: sconverge/v1`, `kind: Job`), valid and in canonical form.
struct JobSpec {
  SpecName name;
  std::map<std::string, std::string> labels{};
  std::map<std::string, std::string> annotations{};
  std::string cluster{};  ///< name from the configuration; empty: the default cluster
  JobFields job{};
  /// Sorted names of the variables that the job gets from the configured environment, beneath those
  /// of `job`; or kWholeEnvironment alone. Empty: none, unless `job` sets no environment.
  std::vector<std::string> inherit_environment{};
  std::string script{};
  bool suspend{false};
  OnDelete on_delete{OnDelete::Cancel};
  std::string file{};  ///< where it was read; relative to the watched directory
  int line{0};

  friend bool operator==(const JobSpec&, const JobSpec&) = default;
};

using JobSpecPtr = std::shared_ptr<const JobSpec>;

/// Whether the annotation `sconverge/protect: "true"` forbids cancelling this spec's job on
/// removal.
bool is_protected(const JobSpec& spec);

/// Identity of a spec's *work*: 16 lower-case hexadecimal digits of the SHA-256 over the canonical
/// job fields, what of the environment is inherited, and the script without its directives
/// (without_directives). Comments in YAML, order, units, formatting, labels, annotations,
/// `suspend`, `onDelete` and the file never change it.
using Generation = std::string;

Generation generation_of(const JobSpec& spec);

/// The whole spec as one line of JSON with sorted keys. A fixed point: reading it back with
/// `from_canonical` and writing it again gives the same bytes.
std::string canonical_text(const JobSpec& spec);

/// REQUIRES: `text` came from `canonical_text` of this or an earlier release.
/// Returns null if it did not (a damaged store): the caller treats that spec as unknown.
JobSpecPtr from_canonical(std::string_view text);

/// Lower-case hexadecimal SHA-256.
std::string sha256_hex(std::string_view bytes);

}  // namespace sconverge
