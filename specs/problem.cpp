#include "specs/problem.h"

namespace sconverge {
namespace {

void append_printable(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // C1 controls are two bytes of UTF-8, C2 80 to C2 9F; some terminals obey them, too.
    const bool c1 = byte == 0xC2 && i + 1 < text.size() &&
                    static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
                    static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (byte >= 0x20 && byte != 0x7F && !c1) {
      out += text[i];
      continue;
    }
    const auto shown = c1 ? static_cast<unsigned char>(text[++i]) : byte;
    out += "\\x";
    out += digits[shown >> 4U];
    out += digits[shown & 0xFU];
  }
}

}  // namespace

std::string to_text(const Problem& problem) {
  std::string out;
  if (!problem.file.empty()) {
    append_printable(out, problem.file);
    if (problem.line > 0) out += ":" + std::to_string(problem.line);
    if (problem.line > 0 && problem.column > 0) out += ":" + std::to_string(problem.column);
    out += ": ";
  }
  if (!problem.field.empty()) {
    append_printable(out, problem.field);
    out += ": ";
  }
  append_printable(out, problem.what);
  if (!problem.remedy.empty()) {
    out += " (";
    append_printable(out, problem.remedy);
    out += ")";
  }
  return out;
}

std::string_view to_text(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::Syntax:
      return "syntax";
    case ProblemKind::Schema:
      return "schema";
    case ProblemKind::Duplicate:
      return "duplicate";
    case ProblemKind::TooLarge:
      return "too_large";
    case ProblemKind::Permission:
      return "permission";
    case ProblemKind::Io:
      return "io";
    case ProblemKind::Policy:
      return "policy";
  }
  return "schema";
}

}  // namespace sconverge
