#include "controller/slurm/utf8_repair.h"

#include <algorithm>
#include <cstddef>

namespace sconverge {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// What follows a lead byte: how many bytes, and the range of the first of them (which rules out
/// overlong forms, surrogates and values above U+10FFFF).
struct Lead {
  std::size_t followers{0};  ///< 0: no lead byte
  unsigned char low{0x80};
  unsigned char high{0xBF};
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {1};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  if (byte >= 0xF1 && byte <= 0xF3) return {3};
  return {};
}

struct Piece {
  std::size_t size{1};
  bool good{false};
  bool cut_off{false};  ///< all of it is good so far, and the text ends before the character does
};

/// REQUIRES: `text` begins with a byte above 0x7F.
Piece first_piece(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const Lead lead = lead_of(byte(0));
  Piece piece;
  for (; piece.size <= lead.followers; ++piece.size) {
    if (piece.size == text.size()) {
      piece.cut_off = true;
      return piece;
    }
    const bool first = piece.size == 1;
    const unsigned char low = first ? lead.low : 0x80;
    const unsigned char high = first ? lead.high : 0xBF;
    if (byte(piece.size) < low || byte(piece.size) > high) return piece;
  }
  piece.good = lead.followers > 0;
  return piece;
}

}  // namespace

std::string_view Utf8Repair::next() {
  out_.clear();
  while (out_.empty()) {
    const std::string_view bytes = raw_.next();
    if (bytes.empty()) {
      if (rest_.empty()) return {};
      rest_.clear();
      return kReplacement;
    }
    std::string joined;
    std::string_view text = bytes;
    if (!rest_.empty()) {
      joined = rest_ + std::string(bytes);
      rest_.clear();
      text = joined;
    }
    while (!text.empty()) {
      const auto end_of_ascii = std::find_if(
          text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > 0x7F; });
      const auto ascii = static_cast<std::size_t>(end_of_ascii - text.begin());
      out_.append(text.substr(0, ascii));
      text.remove_prefix(ascii);
      if (text.empty()) break;
      const Piece piece = first_piece(text);
      if (piece.cut_off) {
        rest_ = text;
        break;
      }
      out_.append(piece.good ? text.substr(0, piece.size) : kReplacement);
      text.remove_prefix(piece.size);
    }
  }
  return out_;
}

}  // namespace sconverge
