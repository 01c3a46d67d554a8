#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sconverge {

enum class Style { Plain, Bold, Dim, Green, Yellow, Red, Cyan };

/// Whether to colour is the terminal's matter; what to colour is not.
struct Paint {
  bool enabled{false};

  [[nodiscard]] std::string operator()(Style style, std::string_view text) const;
};

struct Cell {
  std::string text{};  ///< any text: it is made printable
  Style style{Style::Plain};
};

/// Lines with columns aligned and three spaces between them, as kubectl does; no trailing spaces.
/// Every row has as many cells as `header`.
std::string table_text(const std::vector<std::string>& header,
                       const std::vector<std::vector<Cell>>& rows, Paint paint);

}  // namespace sconverge
