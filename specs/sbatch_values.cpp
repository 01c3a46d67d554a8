#include "specs/sbatch_values.h"

#include <algorithm>
#include <array>
#include <limits>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMaxSmall = 0xFFFF - 2;  // the two topmost mean "not set" and "infinite"
constexpr std::int64_t kMaxNice = 0x7FFFFFFD;
constexpr std::int64_t kTwoTo32 = 0x100000000LL;

constexpr std::string_view kTimeForms = "write e.g. 90 (minutes), 1:30:00, 1-12:00:00 or UNLIMITED";

// Whether the text has the shape of a time: runs of digits parted by at most one dash, in front of
// at most two colons, and a number for each part that a colon needs.
bool has_time_shape(std::string_view text) {
  int runs = 0;
  int dashes = 0;
  int colons = 0;
  bool in_digits = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      if (!in_digits) ++runs;
      in_digits = true;
      continue;
    }
    in_digits = false;
    if (c != '-' && c != ':') return false;
    if (c == '-' && colons > 0) return false;
    ++(c == '-' ? dashes : colons);
  }
  if (runs == 0 || dashes > 1 || colons > 2) return false;
  return colons == 0 || runs >= colons + 1 + dashes;
}

// The numbers of `a-b:c:d` or `a:b:c` as C's sscanf stores them: up to the first that is missing.
std::array<std::int64_t, 4> time_parts(std::string_view text, std::size_t& count) {
  std::array<std::int64_t, 4> parts{};
  for (count = 0; count < parts.size();) {
    const LeadingNumber number = leading_number(text);
    if (!number.found) break;
    parts[count++] = std::clamp(number.value, -kMaxInt - 1, kMaxInt);
    text = number.rest;
    if (text.empty()) break;
    text.remove_prefix(1);
  }
  return parts;
}

std::int64_t seconds_of(std::string_view text) {
  std::size_t count = 0;
  if (text.starts_with('-')) {  // sscanf reads the dash as a sign, then finds no second one
    return std::max(leading_number(text).value, -kMaxInt) * 86400;
  }
  const auto parts = time_parts(text, count);
  if (text.find('-') != std::string_view::npos) {
    return parts[0] * 86400 + parts[1] * 3600 + parts[2] * 60 + parts[3];
  }
  if (count == 3) return parts[0] * 3600 + parts[1] * 60 + parts[2];
  return parts[0] * 60 + parts[1];
}

SbatchValue<std::int64_t> time_of(std::string_view text) {
  if (!has_time_shape(text)) {
    return refused<std::int64_t>(in_quotes(text) + " is not a time", std::string(kTimeForms));
  }
  const std::int64_t seconds = seconds_of(text);
  if (seconds > kMaxInt || seconds < -kMaxInt) {
    return refused<std::int64_t>(
        in_quotes(text) + " is more than the 2147483647 seconds that sbatch can count",
        "write UNLIMITED for no limit");
  }
  return taken(seconds);
}

bool is_unlimited(std::string_view text) {
  return text == "-1" || is_same_word(text, "INFINITE") || is_same_word(text, "UNLIMITED");
}

}  // namespace

SbatchValue<std::int64_t> sbatch_count(std::string_view text, int least) {
  const LeadingNumber number = leading_number(text);
  if (text.empty() && least == 0) return taken(std::int64_t{0});
  if (!number.found || !number.rest.empty()) {
    return refused<std::int64_t>(in_quotes(text) + " is not a whole number", "write e.g. 4");
  }
  if (number.value < least) {
    return refused<std::int64_t>(in_quotes(text) + " is too small",
                                 "the smallest value is " + std::to_string(least));
  }
  if (number.value >= kMaxInt) {
    return refused<std::int64_t>(in_quotes(text) + " is too large",
                                 "the largest value is " + std::to_string(kMaxInt - 1));
  }
  return taken(number.value);
}

SbatchValue<std::int64_t> sbatch_small_count(std::string_view text) {
  auto count = sbatch_count(text, 0);
  if (count.value && *count.value > kMaxSmall) {
    return refused<std::int64_t>(in_quotes(text) + " is too large",
                                 "the largest value is " + std::to_string(kMaxSmall));
  }
  return count;
}

SbatchValue<FieldValue> sbatch_minutes(std::string_view text) {
  if (is_unlimited(text)) return taken(FieldValue(Unlimited{}));
  const auto seconds = time_of(text);
  if (!seconds.value) return refused<FieldValue>(seconds.what, seconds.remedy);
  if (*seconds.value >= 0) {
    const std::int64_t minutes = (*seconds.value + 59) / 60;
    return taken(minutes == 0 ? FieldValue(Unlimited{}) : FieldValue(minutes));
  }
  const std::int64_t minutes = kTwoTo32 + (*seconds.value + 59) / 60;
  return odd(
      FieldValue(minutes),
      in_quotes(text) + " is negative, and sbatch asks for " + std::to_string(minutes) + " minutes",
      std::string(kTimeForms));
}

SbatchValue<FieldValue> sbatch_seconds(std::string_view text) {
  if (is_unlimited(text)) return taken(FieldValue(Unlimited{}));
  const auto seconds = time_of(text);
  if (!seconds.value) return refused<FieldValue>(seconds.what, seconds.remedy);
  if (*seconds.value < 0) {
    return refused<FieldValue>(in_quotes(text) + " is negative", std::string(kTimeForms));
  }
  return taken(FieldValue(*seconds.value));
}

SbatchValue<std::int64_t> sbatch_mebibytes(std::string_view text) {
  const LeadingNumber number = leading_number(text);
  std::string unit = lower_case(number.rest);
  if (unit.size() == 2 && unit[1] == 'b') unit.pop_back();
  if (!number.found || number.value < 0 || unit.size() > 1 ||
      (!unit.empty() && unit.find_first_of("kmgt") != 0)) {
    return refused<std::int64_t>(in_quotes(text) + " is not a size",
                                 "write a whole number and K, M, G or T, e.g. 64G");
  }
  constexpr std::int64_t most = std::int64_t{1} << 40;
  const std::int64_t count = std::min(number.value, most * 1024);
  if (unit == "k") return taken((count + 1023) / 1024);
  const std::int64_t factor = unit == "g" ? 1024 : unit == "t" ? 1048576 : 1;
  if (count > most / factor) {
    return refused<std::int64_t>(in_quotes(text) + " is too large", "the largest size is 1048576T");
  }
  return taken(count * factor);
}

SbatchValue<std::int64_t> sbatch_nice(const std::optional<std::string>& text) {
  if (!text) return taken(std::int64_t{100});
  const LeadingNumber number = leading_number(*text);
  if (number.value > kMaxNice || number.value < -kMaxNice) {
    return refused<std::int64_t>(in_quotes(*text) + " is out of range",
                                 "write a number from -2147483645 to 2147483645");
  }
  if (number.found && number.rest.empty()) return taken(number.value);
  return odd(number.value,
             in_quotes(*text) + " is not a whole number, and sbatch takes it for " +
                 std::to_string(number.value),
             "write e.g. 100");
}

}  // namespace sconverge
