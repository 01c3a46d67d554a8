#include "controller/core/one_line.h"

namespace sconverge {

std::string one_line(std::string_view text, std::size_t most) {
  std::string line;
  for (const char c : text) {
    const bool blank = (c >= 0 && c <= ' ') || c == 0x7F;
    if (blank && (line.empty() || line.back() == ' ')) continue;
    line.push_back(blank ? ' ' : c);
    if (line.size() > most) break;
  }
  if (line.size() > most) {
    line.resize(most);
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    while (!line.empty() && continues(line.back())) line.pop_back();
    if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0xC0U) line.pop_back();
    return line + "...";
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace sconverge
