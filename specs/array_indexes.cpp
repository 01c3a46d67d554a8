#include "specs/array_indexes.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::string_view kForms =
    "write e.g. 5, 0-9, \"1,3,7\" or 0-30:10, and %4 behind it for at most 4 tasks at a time";
constexpr std::uint64_t kTooLarge = std::uint64_t{0xFFFFFFFF} + 1;

/// `first-last:step`, `last` being the last index that it really names.
struct Piece {
  std::uint32_t first{0};
  std::uint32_t last{0};
  std::uint32_t step{1};

  friend bool operator<(const Piece& a, const Piece& b) {
    return std::tie(a.first, a.last, a.step) < std::tie(b.first, b.last, b.step);
  }
  friend bool operator==(const Piece&, const Piece&) = default;
};

std::string text_of(const Piece& piece) {
  std::string text = std::to_string(piece.first);
  if (piece.last != piece.first) text += "-" + std::to_string(piece.last);
  if (piece.step != 1) text += ":" + std::to_string(piece.step);
  return text;
}

struct Wrong {
  std::string what{};
  std::string remedy{};
};

struct Parsed {
  std::vector<Piece> pieces{};  ///< sorted, each once
  ArrayIndexes array{};
  std::optional<Wrong> wrong{};
};

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// One reader for both grammars: slurmctld's (strtol and a look at what follows), and ours, which
/// refuses what slurmctld takes but nobody can have meant.
class ArrayReader {
 public:
  ArrayReader(std::string_view text, bool strict) : text_(text), strict_(strict) {}

  Parsed read() {
    if (text_.size() > kMaxArrayText) {
      fail("is " + std::to_string(text_.size()) + " bytes long",
           "use at most " + std::to_string(kMaxArrayText) + " bytes");
      return std::move(parsed_);
    }
    const std::size_t percent = text_.find('%');
    if (percent != text_.npos) throttle(text_.substr(percent + 1));
    std::string_view list = text_;
    if (strict_) list = list.substr(0, percent);
    while (!parsed_.wrong) {
      const std::size_t comma = list.find(',');
      part(list.substr(0, comma));
      if (comma == list.npos) break;
      list.remove_prefix(comma + 1);
    }
    if (!parsed_.wrong && parsed_.pieces.empty()) not_an_array();
    if (!parsed_.wrong) collect();
    return std::move(parsed_);
  }

 private:
  void fail(std::string what, std::string remedy) {
    if (!parsed_.wrong) parsed_.wrong = Wrong{std::move(what), std::move(remedy)};
  }

  void not_an_array() {
    fail(in_quotes(text_) + " is not the tasks of an array", std::string(kForms));
  }

  void throttle(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    const bool digit = !text.empty() && is_digit(text.front());
    const auto number = take_number(text);
    while (!text.empty() && (is_blank(text.back()) || text.back() == ']')) text.remove_suffix(1);
    if (strict_ && text.starts_with(',')) {
      fail("its `%` stands before its end", "write the throttle last, e.g. 0-9,20%4");
    } else if (strict_ && (!digit || !text.empty() || number > 0xFFFFFFFE)) {
      fail("what follows its `%` is no number of tasks",
           "write e.g. %4 for at most 4 tasks at a time, or leave it out");
    }
    parsed_.array.throttle = number > 0xFFFFFFFE ? 0 : static_cast<std::uint32_t>(number);
  }

  // The digits that `text` begins with, taken from it; 0 if there are none.
  static std::uint64_t take_number(std::string_view& text) {
    std::uint64_t value = 0;
    while (!text.empty() && is_digit(text.front())) {
      value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(text.front() - '0'),
                                      kTooLarge);
      text.remove_prefix(1);
    }
    return value;
  }

  // As strtol does; below zero is nothing.
  std::optional<std::uint64_t> index(std::string_view& text) {
    std::string_view rest = text;
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
    const bool minus = rest.starts_with('-');
    if (!strict_ && (minus || rest.starts_with('+'))) rest.remove_prefix(1);
    if (rest.empty() || !is_digit(rest.front())) {
      return strict_ ? std::nullopt : std::optional<std::uint64_t>(0);
    }
    text = rest;
    const std::uint64_t value = take_number(text);
    if (minus && value != 0) return std::nullopt;
    if (text.starts_with(']')) text.remove_prefix(1);
    return value;
  }

  void part(std::string_view text) {
    if (text.empty() && !strict_) return;
    const std::string_view whole = text;
    const bool had_bracket = text.starts_with('[');
    if (had_bracket) text.remove_prefix(1);
    const auto first = index(text);
    auto last = first;
    std::optional<std::uint64_t> step = 1;
    if (first && text.starts_with('-')) {
      text.remove_prefix(1);
      last = index(text);
      if (last && text.starts_with(':')) {
        text.remove_prefix(1);
        step = index(text);
      }
    }
    if (strict_) {
      while (!text.empty() && (is_blank(text.front()) || text.front() == ']'))
        text.remove_prefix(1);
    }
    if (!first || !last || !step || !(text.empty() || text.starts_with('%'))) {
      fail(in_quotes(whole) + " is not a task, or a range of tasks, of an array",
           std::string(kForms));
    } else {
      piece(whole, *first, *last, *step);
    }
  }

  void piece(std::string_view whole, std::uint64_t first, std::uint64_t last, std::uint64_t step) {
    if (last < first) {
      fail(in_quotes(whole) + " has its smaller index last",
           "write " + std::to_string(last) + "-" + std::to_string(first));
    } else if (last > kMaxArrayIndex) {
      fail(in_quotes(whole) + " names an index above " + std::to_string(kMaxArrayIndex),
           "use indexes below the cluster's MaxArraySize (1001 unless it was raised)");
    } else if (step == 0 || step > kMaxArrayIndex) {
      fail(in_quotes(whole) + " has a step of " + (step == 0 ? "0" : "more than its range"),
           "write e.g. 0-30:10 for 0, 10, 20 and 30");
    } else {
      const std::uint64_t steps = (last - first) / step;
      parsed_.pieces.push_back({static_cast<std::uint32_t>(first),
                                static_cast<std::uint32_t>(first + steps * step),
                                steps == 0 ? 1U : static_cast<std::uint32_t>(step)});
    }
  }

  void collect() {
    std::vector<Piece>& pieces = parsed_.pieces;
    std::sort(pieces.begin(), pieces.end());
    pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
    std::vector<IndexSet::Range> ranges;
    for (const Piece& piece : pieces) {
      if (piece.step == 1) {
        ranges.push_back({piece.first, piece.last});
        continue;
      }
      const std::size_t count = (piece.last - piece.first) / piece.step + 1;
      if (count > kMaxArrayIndex + 1 - std::min<std::size_t>(ranges.size(), kMaxArrayIndex + 1)) {
        fail("its steps name more than " + std::to_string(kMaxArrayIndex + 1) + " indexes",
             "remove what it names twice");
        return;
      }
      for (std::uint32_t index = piece.first; index <= piece.last; index += piece.step) {
        ranges.push_back({index, index});
      }
    }
    parsed_.array.indexes = IndexSet::of(std::move(ranges));
  }

  std::string_view text_;
  bool strict_;
  Parsed parsed_{};
};

std::string throttle_text(std::uint32_t throttle) {
  return throttle == 0 ? "" : "%" + std::to_string(throttle);
}

// The set's own text; where that is longer than Slurm takes (several steps through each other), the
// pieces as they were written, sorted.
std::string canonical(const Parsed& parsed) {
  const std::string behind = throttle_text(parsed.array.throttle);
  std::string list = to_text(parsed.array.indexes, kMaxArrayText - behind.size());
  if (list.ends_with("...")) {
    list.clear();
    for (const Piece& piece : parsed.pieces) {
      if (!list.empty()) list += ',';
      list += text_of(piece);
    }
  }
  return list + behind;
}

Converted converted(std::string_view text, bool strict) {
  const Parsed parsed = ArrayReader(text, strict).read();
  if (parsed.wrong) return {.what = parsed.wrong->what, .remedy = parsed.wrong->remedy};
  return {.value = canonical(parsed)};
}

}  // namespace

Converted array_indexes_from(std::string_view text) { return converted(text, /*strict=*/true); }

Converted sbatch_array_from(std::string_view text) { return converted(text, /*strict=*/false); }

std::optional<ArrayIndexes> read_array(std::string_view canonical) {
  Parsed parsed = ArrayReader(canonical, /*strict=*/true).read();
  if (parsed.wrong) return std::nullopt;
  return std::move(parsed.array);
}

std::string to_text(const ArrayIndexes& array) {
  return to_text(array.indexes) + throttle_text(array.throttle);
}

}  // namespace sconverge
