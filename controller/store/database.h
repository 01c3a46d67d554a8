#pragma once

#include <memory>
#include <string>

#include "controller/core/result.h"
#include "controller/core/time.h"
#include "controller/store/connection.h"

namespace sconverge {

std::string database_path(const std::string& directory);

/// Makes an empty store if there is none, and proves that the one there can be used.
/// REQUIRES: the lock of `directory` is held, and this process has no connection to its store.
Result<Done> create_database(const std::string& directory);

/// A store that does not exist, is foreign or of a newer release is an Error.
Result<std::unique_ptr<Connection>> open_database(const std::string& directory,
                                                  milliseconds busy_timeout);

}  // namespace sconverge
