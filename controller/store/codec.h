#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "controller/core/history.h"
#include "controller/core/request.h"
#include "controller/core/result.h"
#include "controller/ports/store.h"

namespace sconverge {

// The records of the store: one line of JSON each, readable by people, and lossless for any bytes.
// Made for upgrades: an unknown key is ignored, a missing one takes the field's default; whatever
// else does not fit is an Error (Rejected) that names the field. Pure.

/// One spec's history without the contents of `accepted` and `submitted`.
std::string history_record(const SpecHistory& entry);
/// `accepted` and `submitted` are null.
Result<SpecHistory> history_from(std::string_view record);

std::string status_record(const SpecStatus& status);
Result<SpecStatus> status_from(std::string_view record);

/// What is published about a cluster as a whole: all but `statuses`.
std::string summary_record(const Published& published);
Result<Published> summary_from(std::string_view record);

std::string request_word(RequestKind kind);  ///< "Rerun", ...
std::optional<RequestKind> request_kind_from(std::string_view word);

}  // namespace sconverge
