#include "specs/sbatch_dependency.h"

#include <array>
#include <cstdint>
#include <set>

#include "specs/sbatch_text.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::array<std::string_view, 7> kKinds = {
    "afternotok:", "aftercorr:", "afterany:", "afterok:", "afterburstbuffer:", "after:", "expand:"};

bool begins_with_digit(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

void skip_digits(std::string_view& text) {
  while (begins_with_digit(text)) text.remove_prefix(1);
}

// An id, and what may stand behind it: _TASK, +MINUTES (with anything behind), (STATE).
bool is_job(std::string_view text, std::int64_t least) {
  if (!begins_with_digit(text)) return false;
  const std::int64_t id = leading_number(text).value;
  if (id < least || id > 0xFFFFFFFFLL) return false;
  skip_digits(text);
  if (text.starts_with('_')) {
    text.remove_prefix(1);
    if (text.starts_with('*')) text.remove_prefix(1);
    skip_digits(text);
  }
  if (text.starts_with('+')) return begins_with_digit(text.substr(1));
  return text.empty() || text.front() == '(';
}

// One condition: its kind and its job ids.
bool is_condition(std::string_view text) {
  if (begins_with_word(text, "singleton")) {
    text.remove_prefix(9);
    return text.empty() || text.front() == '(';
  }
  if (begins_with_digit(text)) return is_job(text, 0);
  for (const std::string_view kind : kKinds) {
    if (!begins_with_word(text, kind)) continue;
    text.remove_prefix(kind.size());
    while (true) {
      const std::size_t colon = text.find(':');
      if (!is_job(text.substr(0, colon), 1)) return false;
      if (colon == std::string_view::npos) return true;
      text.remove_prefix(colon + 1);
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> wrong_dependency(std::string_view text) {
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find_first_of(",?");
    const std::string_view condition = rest.substr(0, end);
    if (!is_condition(condition)) return in_quotes(condition) + " is no condition";
    if (end == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
}

std::optional<std::string> wrong_batch_features(std::string_view batch,
                                                std::string_view constraints) {
  std::set<std::string_view> features;
  for (const std::string_view word : split_words(constraints, "&|,()[]{}")) {
    features.insert(word.substr(0, word.find('*')));
  }
  const bool one_is_enough = batch.find('|') != std::string_view::npos;
  bool any = false;
  for (const std::string_view feature : split_words(batch, "&|")) {
    if (features.contains(feature)) {
      any = true;
    } else if (!one_is_enough || !any) {
      return in_quotes(feature) + " is not among the features of --constraint";
    }
  }
  return std::nullopt;
}

}  // namespace sconverge
