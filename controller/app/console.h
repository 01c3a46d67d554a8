#pragma once

#include <iosfwd>
#include <map>
#include <string>

#include "controller/app/table.h"
#include "controller/ports/clock.h"

namespace sconverge {

/// Everything a verb shares with whoever started it. Results go to `out`; what is said about them
/// goes to `err`, logs included.
struct Console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  const Clock& clock;
  bool out_is_terminal{false};
  bool err_is_terminal{false};
  bool err_is_journal{false};                      ///< systemd's
  std::map<std::string, std::string> variables{};  ///< the process's environment
  bool root{false};

  /// Colour is for terminals, unless NO_COLOR is set to anything or TERM is "dumb".
  [[nodiscard]] Paint out_paint() const { return {out_is_terminal && wants_colour()}; }
  [[nodiscard]] Paint err_paint() const { return {err_is_terminal && wants_colour()}; }

  [[nodiscard]] bool wants_colour() const {
    const auto no_color = variables.find("NO_COLOR");
    const auto term = variables.find("TERM");
    return (no_color == variables.end() || no_color->second.empty()) &&
           (term == variables.end() || term->second != "dumb");
  }
};

}  // namespace sconverge
