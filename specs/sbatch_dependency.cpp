#include "specs/sbatch_dependency.h"

#include <array>
#include <set>

#include "specs/sbatch_text.h"

namespace sconverge {
namespace {

constexpr std::array<std::string_view, 7> kKinds = {
    "afternotok:", "aftercorr:", "afterany:", "afterok:", "afterburstbuffer:", "after:", "expand:"};

bool begins_with_digit(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

// One condition: its kind and its job ids (which may have _TASK, +MINUTES or (STATE) behind them).
bool is_condition(std::string_view text) {
  if (begins_with_word(text, "singleton")) {
    text.remove_prefix(9);
    return text.empty() || text.front() == '(';
  }
  if (begins_with_digit(text)) return text.find(':') == std::string_view::npos;
  for (const std::string_view kind : kKinds) {
    if (!begins_with_word(text, kind)) continue;
    text.remove_prefix(kind.size());
    while (true) {
      if (!begins_with_digit(text)) return false;
      const std::size_t colon = text.find(':');
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
    if (!is_condition(condition)) return quote(condition) + " is no condition";
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
      return quote(feature) + " is not among the features of --constraint";
    }
  }
  return std::nullopt;
}

}  // namespace sconverge
