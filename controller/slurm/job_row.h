#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "controller/core/job_record.h"
#include "controller/slurm/json_value.h"

namespace sconverge {

/// How a job is written: as slurmctld shows it, or as accounting does.
enum class RowKind { Live, Accounting };

/// The members of a row that `job_record_in` reads.
const std::vector<std::string_view>& job_row_members(RowKind kind);

/// nullopt: without a job id or a state, a row says nothing.
std::optional<JobRecord> job_record_in(const JsonValue& row, RowKind kind);

}  // namespace sconverge
