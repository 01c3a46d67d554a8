#include "controller/app/printable.h"

#include <array>
#include <cstdint>

namespace sconverge {
namespace {

struct Character {
  std::size_t bytes{0};  ///< 0: not UTF-8
  std::uint32_t code{0};
};

Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = (code << 6U) | (byte(i) & 0x3fU);
  }
  static constexpr std::array<std::uint32_t, 5> lowest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < lowest.at(bytes) || code > 0x10ffff || surrogate) return {};
  return {bytes, code};
}

bool is_harmless(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
                         code == 0x200e || code == 0x200f;
  const bool line_break = code == 0x2028 || code == 0x2029;
  return !control && !direction && !line_break;
}

}  // namespace

std::string printable(std::string_view text) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = decode(text);
    const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    if (character.bytes != 0 && is_harmless(character.code)) {
      out += text.substr(0, bytes);
    } else if (text.front() == '\n') {
      out += "\\n";
    } else if (text.front() == '\t') {
      out += "\\t";
    } else {
      for (const char c : text.substr(0, bytes)) {
        const auto value = static_cast<unsigned char>(c);
        out += "\\x";
        out += digits[value >> 4U];
        out += digits[value & 0x0fU];
      }
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xc0U) == 0x80 ? 0 : 1;
  return columns;
}

}  // namespace sconverge
