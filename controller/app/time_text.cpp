#include "controller/app/time_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace sconverge {
namespace {

/// "2h5m", without the second part if it is 0.
std::string two_parts(std::int64_t big, const char* big_unit, std::int64_t small,
                      const char* small_unit) {
  std::string text = std::to_string(big) + big_unit;
  if (small != 0) text += std::to_string(small) + small_unit;
  return text;
}

}  // namespace

std::string age_text(milliseconds duration) {
  const auto secs = std::max<std::int64_t>(0, std::chrono::floor<seconds>(duration).count());
  const std::int64_t minutes = secs / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  if (secs < 120) return std::to_string(secs) + "s";
  if (minutes < 10) return two_parts(minutes, "m", secs % 60, "s");
  if (minutes < 180) return std::to_string(minutes) + "m";
  if (hours < 8) return two_parts(hours, "h", minutes % 60, "m");
  if (hours < 48) return std::to_string(hours) + "h";
  if (days < 8) return two_parts(days, "d", hours % 24, "h");
  if (days < 730) return std::to_string(days) + "d";
  if (days < 2920) return two_parts(days / 365, "y", days % 365, "d");
  return std::to_string(days / 365) + "y";
}

std::string time_text_with_milliseconds(TimePoint time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text.data();
}

std::string time_text(TimePoint time) {
  std::string text = time_text_with_milliseconds(time);
  return text.substr(0, text.find('.')) + "Z";
}

}  // namespace sconverge
