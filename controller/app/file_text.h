#pragma once

#include <cstddef>
#include <string>

namespace sconverge {

/// A file's text, or why it cannot be had, as a clause: "there is no such file", "permission
/// denied", "it is not a regular file", "it is larger than ...".
struct FileText {
  std::string text{};
  std::string error{};  ///< empty: `text` is whole
};

/// Reads a regular file of at most `limit` bytes. Never waits for a pipe or a device.
FileText read_whole_file(const std::string& path, std::size_t limit);

}  // namespace sconverge
