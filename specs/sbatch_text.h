#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sconverge {

/// What became of the value of an option, as sbatch reads it.
///
/// With a value and a `what`, sbatch takes it without a word and most likely it is not meant.
/// Without a value, `what` says why not.
template <typename T>
struct SbatchValue {
  std::optional<T> value{};
  std::string what{};
  std::string remedy{};
};

template <typename T>
SbatchValue<T> taken(T value) {
  return {.value = std::move(value)};
}

template <typename T>
SbatchValue<T> odd(T value, const std::string& what, const std::string& remedy) {
  return {.value = std::move(value), .what = what, .remedy = remedy};
}

template <typename T>
SbatchValue<T> refused(const std::string& what, const std::string& remedy) {
  return {.value = std::nullopt, .what = what, .remedy = remedy};
}

/// The number at the beginning of a text as C's strtol reads it: blanks, a sign and digits.
struct LeadingNumber {
  bool found{false};
  std::int64_t value{0};    ///< at the ends of the range if it does not fit
  std::string_view rest{};  ///< what follows; the whole text if nothing was found
};
LeadingNumber leading_number(std::string_view text);

/// The words of a text as C's strtok finds them: empty ones do not count.
std::vector<std::string_view> split_words(std::string_view text, std::string_view separators);

/// ASCII only, as in Slurm's own comparisons.
bool is_same_word(std::string_view a, std::string_view b);
bool begins_with_word(std::string_view text, std::string_view beginning);
std::string lower_case(std::string_view text);

/// Whether there is nothing but blanks.
bool is_blank(std::string_view text);

}  // namespace sconverge
