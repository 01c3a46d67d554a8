#pragma once

#include <string>

#include "controller/core/result.h"

namespace sconverge {

struct FileText {
  std::string text{};
  std::string stamp{};  ///< as stamp_of, of the state before it was read
};

/// The whole of a small file. Denied, with words that fit behind the file's name, if it cannot be
/// read, is no regular file or is larger than 1 MiB.
Result<FileText> read_file(const std::string& path);

/// Differs for two states of a file: another one, changed, or not there.
std::string stamp_of(const std::string& path);

}  // namespace sconverge
