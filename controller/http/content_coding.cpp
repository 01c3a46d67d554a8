#include "controller/http/content_coding.h"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <optional>

namespace sconverge {
namespace {

/// Less fits into one packet anyway.
constexpr std::size_t kLeastBytes = 1400;
constexpr int kQuick = 1;
constexpr int kGzipWindow = 15 + 16;  // "+ 16" is zlib's way to say gzip

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Cuts off what stands before `separator`, and takes it and the separator away from `rest`.
std::string_view next_part(std::string_view& rest, char separator) {
  const auto end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return trimmed(part);
}

bool same_word(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

/// "0" to "1" with up to three decimals, in thousandths.
std::optional<int> weight_of(std::string_view text) {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return std::nullopt;
  int weight = text[0] - '0';
  if (text.size() > 1 && text[1] != '.') return std::nullopt;
  for (std::size_t i = 2; i < 5; ++i) {
    const char digit = i < text.size() ? text[i] : '0';
    if (digit < '0' || digit > '9') return std::nullopt;
    weight = weight * 10 + (digit - '0');
  }
  return weight <= 1000 ? std::optional(weight) : std::nullopt;
}

/// The weight after a coding's name, 1000 if there is none.
std::optional<int> weight_in(std::string_view parameters) {
  int weight = 1000;
  while (!parameters.empty()) {
    std::string_view value = next_part(parameters, ';');
    const std::string_view name = next_part(value, '=');
    const auto found = same_word(name, "q") ? weight_of(trimmed(value)) : std::nullopt;
    if (!found) return std::nullopt;
    weight = *found;
  }
  return weight;
}

}  // namespace

bool wants_gzip(std::string_view accept_encoding) {
  std::optional<int> compressed;
  std::optional<int> identity;
  std::optional<int> any;
  while (!accept_encoding.empty()) {
    std::string_view parameters = next_part(accept_encoding, ',');
    const std::string_view coding = next_part(parameters, ';');
    const auto weight = weight_in(parameters);
    if (!weight) continue;
    if (same_word(coding, "gzip") || same_word(coding, "x-gzip")) {
      compressed = std::max(compressed.value_or(0), *weight);
    } else if (same_word(coding, "identity")) {
      identity = *weight;
    } else if (coding == "*") {
      any = *weight;
    }
  }
  if (!compressed) compressed = any;
  return compressed.value_or(0) > 0 && *compressed >= identity.value_or(0);
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, kQuick, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();  // no other reason is left
  }
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int done = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (done != Z_STREAM_END) std::abort();  // deflateBound says it fits
  return packed;
}

void encode(HttpAnswer& answer, std::string_view accept_encoding) {
  if (answer.body.size() < kLeastBytes) return;
  const auto vary = std::find_if(answer.headers.begin(), answer.headers.end(),
                                 [](const auto& header) { return header.first == "Vary"; });
  if (vary == answer.headers.end()) {
    answer.headers.emplace_back("Vary", "Accept-Encoding");
  } else {
    vary->second += ", Accept-Encoding";
  }
  if (!wants_gzip(accept_encoding)) return;
  answer.body = gzip(answer.body);
  answer.headers.emplace_back("Content-Encoding", "gzip");
}

}  // namespace sconverge
