#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "controller/core/status.h"

namespace sconverge {

/// How what Slurm has differs from what is declared. Closed set; metric label values come from
/// here.
enum class Disagreement {
  Missing,   ///< a job is wanted, and there is none
  Drifted,   ///< the job that is there is of another generation than the one wanted
  Orphaned,  ///< the job that is there is no longer declared
  Unknown,   ///< nobody can tell: a submit without an answer, a job that was lost sight of
};
inline constexpr std::array kAllDisagreements{Disagreement::Missing, Disagreement::Drifted,
                                              Disagreement::Orphaned, Disagreement::Unknown};
std::string_view to_text(Disagreement disagreement);  ///< "missing", ...

/// Nothing if Slurm has what is declared, or if a job of it has run: how that one ended is another
/// question, see is_ready. A spec whose file is invalid counts by the one that stays in force.
/// Pure.
std::optional<Disagreement> disagreement_of(const SpecStatus& status);

/// Whether people can leave the spec alone: its job succeeded, runs, completes or waits in the
/// queue, or the spec is suspended and so is its job. A running job of an earlier generation is
/// fine (the change waits for its end); one that we are cancelling, or that waits, is not. Pure.
bool is_ready(const SpecStatus& status);

}  // namespace sconverge
