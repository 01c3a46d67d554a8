#include "controller/app/table.h"

#include <algorithm>

#include "controller/app/printable.h"

namespace sconverge {
namespace {

std::string_view code_of(Style style) {
  switch (style) {
    case Style::Plain:
      return "";
    case Style::Bold:
      return "\x1b[1m";
    case Style::Dim:
      return "\x1b[2m";
    case Style::Green:
      return "\x1b[32m";
    case Style::Yellow:
      return "\x1b[33m";
    case Style::Red:
      return "\x1b[31m";
    case Style::Cyan:
      return "\x1b[36m";
  }
  return "";
}

}  // namespace

std::string Paint::operator()(Style style, std::string_view text) const {
  if (!enabled || style == Style::Plain || text.empty()) return std::string(text);
  return std::string(code_of(style)) + std::string(text) + "\x1b[0m";
}

std::string table_text(const std::vector<std::string>& header,
                       const std::vector<std::vector<Cell>>& rows, Paint paint) {
  static constexpr std::size_t gap = 3;
  std::vector<std::vector<Cell>> lines;
  lines.emplace_back();
  for (const auto& title : header) lines.back().push_back({title, Style::Bold});
  lines.insert(lines.end(), rows.begin(), rows.end());

  std::vector<std::size_t> widths(header.size(), 0);
  for (auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i].text = printable(line[i].text);
      widths[i] = std::max(widths[i], columns_of(line[i].text));
    }
  }

  std::string out;
  for (const auto& line : lines) {
    std::size_t owed = 0;  // spaces are written only before further text
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (!line[i].text.empty()) {
        out.append(owed, ' ');
        owed = 0;
      }
      out += paint(line[i].style, line[i].text);
      owed += widths[i] - columns_of(line[i].text) + gap;
    }
    out += '\n';
  }
  return out;
}

}  // namespace sconverge
