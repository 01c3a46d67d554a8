#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "specs/job_spec.h"

namespace sconverge {

/// A value in canonical form, or what is wrong with its text (clauses for a Problem).
struct Converted {
  std::optional<FieldValue> value{};
  std::string what{};
  std::string remedy{};
};

/// Minutes, rounded up, or Unlimited: `2h`, `90m`, `1d12h`, `45s`; Slurm's `M`, `M:S`, `H:M:S`,
/// `D-H`, `D-H:M`, `D-H:M:S`; `UNLIMITED` or `INFINITE` in any case. Zero is refused: Slurm takes
/// it for unlimited.
Converted minutes_from(std::string_view text);

/// Seconds, in the same forms, but a plain number is seconds, zero is allowed and UNLIMITED is not.
Converted seconds_from(std::string_view text);

/// MiB, rounded up: a plain number of MiB, or an integer with K, M, G or T in any case, with or
/// without `B` or `iB` behind it; all are powers of 1024, as in Slurm.
Converted mebibytes_from(std::string_view text);

/// UNIX seconds: a plain number, or RFC 3339 with a zone, e.g. `2027-01-31T08:00:00Z`.
Converted timestamp_from(std::string_view text);

/// Slurm's node count as the shortest text: `2`, `2-4` (`2-2` is `2`), `1k` (1024), and as they
/// are the lists `1,2,4` and steps `1-15:4`.
Converted node_count_from(std::string_view text);

/// A decimal integer without leading zeros or sign (but `-`); nothing if `text` is none or does not
/// fit.
std::optional<std::int64_t> integer_from(std::string_view text);

}  // namespace sconverge
