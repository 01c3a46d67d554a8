#include "controller/app/spec_filter.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "controller/app/printable.h"
#include "controller/core/url_text.h"
#include "specs/near_miss.h"

namespace sconverge {
namespace {

std::vector<std::string_view> phase_words() {
  std::vector<std::string_view> words;
  words.reserve(kPhaseCount);
  for (int i = 0; i < kPhaseCount; ++i) words.push_back(to_text(static_cast<Phase>(i)));
  return words;
}

Error refused(const std::string& what, const std::string& remedy) {
  return {ErrorKind::Rejected, what + "; " + remedy};
}

Result<Phase> phase_of(std::string_view word) {
  const auto words = phase_words();
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return static_cast<Phase>(found - words.begin());
  std::string all;
  for (const auto& one : words) all.append(all.empty() ? "" : ", ").append(one);
  const auto close = near_miss(word, words);
  return refused(
      "there is no phase \"" + printable(word) + "\"",
      close.empty() ? "write one of " + all : "did you mean " + std::string(close) + "?");
}

std::optional<Error> add_phases(std::string_view text, std::vector<Phase>& phases) {
  for (;;) {
    const auto comma = text.find(',');
    const auto phase = phase_of(text.substr(0, comma));
    if (!phase) return phase.error();
    phases.push_back(*phase);
    if (comma == std::string_view::npos) return std::nullopt;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool SpecFilter::takes(const SpecStatus& status) const {
  return (name_space.empty() || status.name.name_space == name_space) &&
         (phases.empty() ||
          std::find(phases.begin(), phases.end(), status.verdict.phase) != phases.end());
}

Result<SpecFilter> filter_of(const HttpRequest& request) {
  SpecFilter filter;
  for (const auto& [name, value] : request.parameters()) {
    if (name == "namespace") {
      if (value.empty()) return refused("namespace has no value", "write namespace=NAME");
      filter.name_space = value;
    } else if (name == "phase") {
      if (const auto error = add_phases(value, filter.phases)) return *error;
    } else {
      return refused("there is no parameter \"" + printable(name) + "\"",
                     "there are namespace and phase");
    }
  }
  return filter;
}

std::string query_text(const SpecFilter& filter) {
  std::string text;
  if (!filter.name_space.empty()) text = "?namespace=" + percent_encoded(filter.name_space);
  for (const Phase phase : filter.phases) {
    text.append(text.empty() ? "?phase=" : "&phase=").append(to_text(phase));
  }
  return text;
}

}  // namespace sconverge
