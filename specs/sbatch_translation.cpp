#include "specs/sbatch_translation.h"

#include <algorithm>
#include <utility>

namespace sconverge {

void Translation::add(const GivenOption& from, std::string_view name,
                      std::optional<std::string> value) {
  if (is_full()) return;
  if (++added_ > kMaxTranslated) {
    refuse(from, {}, "more than 200 options come of " + std::string(directive_) + " lines",
           "write `#SBATCH` lines");
    return;
  }
  options_.push_back({.name = name,
                      .value = std::move(value),
                      .line = from.line,
                      .column = from.column,
                      .text = text_of(from)});
}

std::optional<std::string> Translation::take(std::string_view name) {
  const auto is_it = [&](const SbatchOption& option) { return option.name == name; };
  const auto found = std::find_if(options_.begin(), options_.end(), is_it);
  if (found != options_.end()) {
    std::optional<std::string> value = std::move(found->value);
    options_.erase(found);
    return value;
  }
  const auto earlier = std::find_if(before_.rbegin(), before_.rend(), is_it);
  return earlier == before_.rend() ? std::nullopt : earlier->value;
}

void Translation::refuse(const GivenOption& from, std::string_view name, std::string what,
                         std::string remedy) {
  findings_.refuse(at(from, name, std::move(what), std::move(remedy)));
}

void Translation::note(const GivenOption& from, std::string_view name, std::string what,
                       std::string remedy) {
  findings_.note(at(from, name, std::move(what), std::move(remedy)));
}

std::string Translation::text_of(const GivenOption& from) const {
  constexpr std::size_t limit = 200;
  const std::string_view text = from.text;
  std::size_t end = std::min(text.size(), limit);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) {
    --end;
  }
  return std::string(directive_) + " " + std::string(text.substr(0, end)) +
         (end < text.size() ? "..." : "");
}

ScriptProblem Translation::at(const GivenOption& from, std::string_view name, std::string what,
                              std::string remedy) const {
  return {.line = from.line,
          .column = from.column,
          .option = std::string(name),
          .what = std::move(what),
          .remedy = std::move(remedy)};
}

}  // namespace sconverge
