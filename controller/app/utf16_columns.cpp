#include "controller/app/utf16_columns.h"

#include <algorithm>
#include <map>
#include <string>

#include "controller/app/file_text.h"
#include "specs/read.h"

namespace sconverge {
namespace {

/// How many bytes the character at the front of `text` has; 1 if it is none.
std::size_t character_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  if (bytes > text.size() || first >= 0xF8) return 1;
  const bool whole =
      std::all_of(text.begin() + 1, text.begin() + static_cast<long>(bytes),
                  [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
  return whole ? bytes : 1;
}

/// The lines of one file, without what ends them.
std::vector<std::string> lines_of(const std::string& file) {
  const FileText read = read_whole_file(file, 2 * kMaxSpecFileBytes);
  std::vector<std::string> lines;
  std::string_view rest = read.text;
  while (read.error.empty() && !rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

}  // namespace

int utf16_column(std::string_view line, int column) {
  std::size_t left = column > 1 ? static_cast<std::size_t>(column) - 1 : 0;
  int units = 1;
  while (left > 0 && !line.empty()) {
    const std::size_t bytes = character_bytes(line);
    if (bytes > left) break;  // within a character: the character's own column
    units += bytes == 4 ? 2 : 1;
    left -= bytes;
    line.remove_prefix(bytes);
  }
  return line.empty() ? units + static_cast<int>(left) : units;
}

void count_in_utf16(std::vector<Problem>& problems) {
  std::map<std::string, std::vector<std::string>> files;
  for (Problem& problem : problems) {
    if (problem.line < 1 || problem.column < 1) continue;
    auto found = files.find(problem.file);
    if (found == files.end()) found = files.emplace(problem.file, lines_of(problem.file)).first;
    const auto line = static_cast<std::size_t>(problem.line) - 1;
    if (line < found->second.size()) {
      problem.column = utf16_column(found->second[line], problem.column);
    }
  }
}

}  // namespace sconverge
