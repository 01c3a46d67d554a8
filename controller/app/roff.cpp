#include "controller/app/roff.h"

#include <sstream>

namespace sconverge {
namespace {

/// A dash is what people copy into a shell, so it is never made a hyphen. At the begin of a line a
/// period or an apostrophe would be a request.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    const bool begin = out.empty() || out.back() == '\n';
    if (begin && (letter == '.' || letter == '\'')) out += "\\&";
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else {
      out += letter;
    }
  }
  return out;
}

}  // namespace

Roff::Roff(std::string_view title, int section, std::string_view source, std::string_view manual) {
  text_ = ".TH " + escaped(title) + " " + std::to_string(section) + " \"\" \"" + escaped(source) +
          "\" \"" + escaped(manual) + "\"\n" +
          ".nh\n.ad l\n";  // no flag is broken at its dashes, no list of flags is stretched
}

void Roff::heading(std::string_view text) { text_ += ".SH " + escaped(text) + "\n"; }

void Roff::subheading(std::string_view text) { text_ += ".SS " + escaped(text) + "\n"; }

void Roff::paragraph(std::string_view text) { text_ += ".PP\n" + escaped(text) + "\n"; }

void Roff::item(std::string_view word, std::string_view placeholder, std::string_view explanation) {
  text_ += ".TP\n\\fB" + escaped(word) + "\\fR";
  if (!placeholder.empty()) text_ += " \\fI" + escaped(placeholder) + "\\fR";
  text_ += "\n" + escaped(explanation) + "\n";
}

void Roff::example(std::string_view lines) {
  text_ += ".PP\n.RS 4\n.EX\n";
  std::istringstream in{std::string(lines)};
  for (std::string line; std::getline(in, line);) text_ += escaped(line) + "\n";
  text_ += ".EE\n.RE\n";
}

}  // namespace sconverge
