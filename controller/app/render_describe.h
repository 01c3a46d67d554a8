#pragma once

#include <string>

#include "controller/app/table.h"
#include "controller/core/history.h"
#include "controller/ports/store.h"

namespace sconverge {

/// Everything known about one spec, for people: where it stands and why, what is declared, every
/// attempt kept with its times and outcome, and the guards that hold it back. Of the environment
/// only the names are shown, of the script only its size.
///
/// REQUIRES: `status` is of `published`.
std::string describe_text(const Published& published, const SpecStatus& status,
                          const SpecHistory& history, TimePoint now, Paint paint);

/// A job field's value as it would be written in a spec; an environment's as the names only.
std::string field_text(std::string_view field, const FieldValue& value);

/// "3 lines, 57 bytes".
std::string script_size_text(std::string_view script);

}  // namespace sconverge
