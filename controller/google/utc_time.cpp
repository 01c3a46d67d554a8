#include "controller/google/utc_time.h"

#include <algorithm>
#include <charconv>

namespace sconverge {
namespace {

/// Takes pieces off the front of a text; once one is missing, all are.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : rest_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    const std::string_view piece = rest_.substr(0, count);
    const bool good = piece.size() == count && std::all_of(piece.begin(), piece.end(), is_digit);
    if (good) std::from_chars(piece.data(), piece.data() + count, value);
    take(good, count);
    return value;
  }
  /// Which of these stands here.
  char one_of(std::string_view allowed) {
    const bool good = !rest_.empty() && allowed.find(rest_.front()) != allowed.npos;
    const char found = good ? rest_.front() : '\0';
    take(good, 1);
    return found;
  }
  milliseconds fraction() {
    if (!rest_.starts_with('.')) return milliseconds{0};
    rest_.remove_prefix(1);
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_digit);
    std::string thousandths(rest_.begin(), end);
    take(!thousandths.empty(), thousandths.size());
    thousandths.resize(3, '0');
    return milliseconds{Pieces(thousandths).digits(3)};
  }
  [[nodiscard]] bool all_found() const { return good_ && rest_.empty(); }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  void take(bool good, std::size_t count) {
    good_ = good_ && good;
    rest_.remove_prefix(good_ ? count : rest_.size());
  }

  std::string_view rest_;
  bool good_{true};
};

std::string two_digits(long value) { return (value < 10 ? "0" : "") + std::to_string(value); }

}  // namespace

std::optional<TimePoint> time_in(std::string_view text) {
  Pieces pieces(text);
  const int year = pieces.digits(4);
  pieces.one_of("-");
  const int month = pieces.digits(2);
  pieces.one_of("-");
  const int day = pieces.digits(2);
  pieces.one_of("Tt ");
  const int hour = pieces.digits(2);
  pieces.one_of(":");
  const int minute = pieces.digits(2);
  pieces.one_of(":");
  const int second = pieces.digits(2);
  const milliseconds fraction = pieces.fraction();
  std::chrono::minutes offset{0};
  if (const char zone = pieces.one_of("Zz+-"); zone == '+' || zone == '-') {
    const std::chrono::hours hours{pieces.digits(2)};
    pieces.one_of(":");
    offset = (hours + std::chrono::minutes{pieces.digits(2)}) * (zone == '-' ? -1 : 1);
  }
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  // A minute may have a 61st second.
  if (!pieces.all_found() || !date.ok() || hour > 23 || minute > 59 || second > 60) return {};
  return std::chrono::sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
         seconds{second} + fraction - offset;
}

std::string utc_text(TimePoint time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{std::chrono::floor<seconds>(time - day)};
  return std::to_string(static_cast<int>(date.year())) + "-" +
         two_digits(static_cast<unsigned>(date.month())) + "-" +
         two_digits(static_cast<unsigned>(date.day())) + "T" + two_digits(clock.hours().count()) +
         ":" + two_digits(clock.minutes().count()) + ":" + two_digits(clock.seconds().count()) +
         "Z";
}

}  // namespace sconverge
