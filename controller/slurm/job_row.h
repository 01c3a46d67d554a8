#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "controller/core/job_record.h"
#include "controller/slurm/json_value.h"

namespace sconverge {

/// How a job is written: as slurmctld shows it, as accounting does, or as a row of `jobs/state/`.
///
/// That list names an array's tasks "<id>_<index>", one row for each. While a task waits, the id is
/// the array's; once it has begun, it is that of the task's own record (Slurm 24.11 and 26.05), and
/// nothing in the row tells whose it is. So `group` is the array's id only of a task that waits.
enum class RowKind { Live, Accounting, State };

/// The members of a row that `job_record_in` reads.
const std::vector<std::string_view>& job_row_members(RowKind kind);

/// nullopt: without a job id or a state, a row says nothing.
std::optional<JobRecord> job_record_in(const JsonValue& row, RowKind kind);

}  // namespace sconverge
