#pragma once

#include <string>

#include "controller/core/result.h"

namespace sconverge {

/// A small file that somebody may replace at any time (a token, a certificate), as it was once.
struct ChangingFile {
  std::string text{};
  std::string stamp{};  ///< as stamp_of, of the state before it was read: a change in between shows
  bool world_readable{false};
};

/// Reads all of it. Denied, with words that fit behind the file's name, if it cannot be read, is no
/// regular file or is larger than 1 MiB. A pipe without a writer holds nobody up.
Result<ChangingFile> read_changing_file(const std::string& path);

/// Differs for two states of a file: another one, changed, or not there.
std::string stamp_of(const std::string& path);

}  // namespace sconverge
