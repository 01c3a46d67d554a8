#include "specs/sbatch_moment.h"

#include <array>
#include <ctime>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::int64_t kLeastUts = 1000000;
constexpr std::string_view kAbsolute = "write an absolute time, e.g. 2027-01-31T08:00:00";

struct NamedHour {
  std::string_view word;
  int hour;
};
constexpr std::array kHours = {NamedHour{"midnight", 0}, NamedHour{"noon", 12},
                               NamedHour{"elevenses", 11}, NamedHour{"fika", 15},
                               NamedHour{"teatime", 16}};
constexpr std::array<std::string_view, 3> kRelative = {"today", "tomorrow", "now"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads a text piece by piece. Behind the end every character is NUL.
class MomentReader {
 public:
  explicit MomentReader(std::string_view text) : text_(text) {}

  // False: sbatch refuses the text.
  bool read() {
    while (at_ < text_.size() && peek() != '\n') {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '-' || c == 'T') {
        ++at_;
      } else if (!take_word() && !take_number()) {
        return false;
      }
      if (relative_) return true;
    }
    return has_time_ || has_date_;
  }

  [[nodiscard]] bool is_relative() const { return relative_ || !has_date_ || year_ < 0; }

  [[nodiscard]] std::int64_t seconds() const {
    std::tm local{};
    local.tm_year = year_;
    local.tm_mon = month_ - 1;
    local.tm_mday = day_;
    local.tm_hour = hour_;
    local.tm_min = minute_;
    local.tm_sec = second_;
    local.tm_isdst = -1;
    return std::mktime(&local);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  bool take_word() {
    const std::string_view rest = text_.substr(at_);
    for (const NamedHour& named : kHours) {
      if (!begins_with_word(rest, named.word)) continue;
      set_time(named.hour, 0, 0);
      at_ += named.word.size();
      return true;
    }
    for (const std::string_view word : kRelative) {
      if (begins_with_word(rest, word)) relative_ = true;
    }
    return relative_;
  }

  bool take_number() {
    if (!is_digit(peek())) return false;
    if (peek(1) == ':' || peek(2) == ':') return take_time();
    if (peek(4) == '-' && peek(7) == '-') return take_iso_date();
    return take_american_date();
  }

  void set_time(int hour, int minute, int second) {
    has_time_ = true;
    hour_ = hour;
    minute_ = minute;
    second_ = second;
  }

  // Exactly two digits.
  bool two_digits(int& out, int most) {
    if (!is_digit(peek()) || !is_digit(peek(1))) return false;
    out = (peek() - '0') * 10 + (peek(1) - '0');
    at_ += 2;
    return out <= most;
  }

  // One or two digits.
  bool digits(int& out, int least, int most) {
    if (!is_digit(peek())) return false;
    out = peek() - '0';
    ++at_;
    if (is_digit(peek())) {
      out = out * 10 + (peek() - '0');
      ++at_;
    }
    return out >= least && out <= most;
  }

  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  bool take_time() {
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (!digits(hour, 0, 23) || !take(':') || !two_digits(minute, 59)) return false;
    if (take(':') && !two_digits(second, 59)) return false;
    std::size_t blanks = at_;
    while (blanks < text_.size() && is_blank(text_.substr(blanks, 1))) ++blanks;
    at_ = blanks;
    const std::string_view rest = text_.substr(at_);
    if (begins_with_word(rest, "pm")) {
      if (hour > 12) return false;
      hour = hour == 12 ? 12 : hour + 12;
      at_ += 2;
    } else if (begins_with_word(rest, "am")) {
      if (hour > 12) return false;
      hour = hour == 12 ? 0 : hour;
      at_ += 2;
    }
    set_time(hour, minute, second);
    return true;
  }

  bool take_iso_date() {
    int century = 0;
    int year = 0;
    if (!two_digits(century, 99) || !two_digits(year, 99) || !take('-')) return false;
    year_ = century * 100 + year - 1900;
    has_date_ = true;
    return digits(month_, 1, 12) && take('-') && digits(day_, 1, 31);
  }

  bool take_american_date() {
    if (!digits(month_, 1, 12)) return false;
    if (peek() == '.' || peek() == '/') ++at_;
    if (!digits(day_, 1, 31)) return false;
    if (peek() == '.' || peek() == '/') ++at_;
    has_date_ = true;
    if (!is_digit(peek())) return true;
    int year = 0;
    if (!two_digits(year, 99)) return false;
    if (year > 0) year_ = year + 100;
    return true;
  }

  std::string_view text_;
  std::size_t at_{0};
  bool relative_{false};
  bool has_time_{false};
  bool has_date_{false};
  int year_{-1};  // since 1900
  int month_{0};  // 1 to 12
  int day_{0};
  int hour_{0};
  int minute_{0};
  int second_{0};
};

}  // namespace

SbatchValue<std::int64_t> sbatch_moment(std::string_view text) {
  const auto not_a_time = [&] {
    return refused<std::int64_t>(in_quotes(text) + " is not a point in time",
                                 std::string(kAbsolute));
  };
  if (begins_with_word(text, "uts")) {
    const LeadingNumber number = leading_number(text.substr(3));
    constexpr std::int64_t most = 253402300799;  // the end of year 9999
    const bool good = number.found && number.rest.empty() && number.value >= kLeastUts;
    return good && number.value <= most ? taken(number.value) : not_a_time();
  }
  MomentReader reader(text);
  if (!reader.read()) return not_a_time();
  if (reader.is_relative()) {
    return refused<std::int64_t>(
        in_quotes(text) +
            " moves with the moment of submission, and a spec is read again and again",
        std::string(kAbsolute));
  }
  const std::int64_t seconds = reader.seconds();
  return seconds > 0 ? taken(seconds) : not_a_time();
}

}  // namespace sconverge
