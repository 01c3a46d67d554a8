#include "controller/core/cluster_findings.h"

#include <algorithm>
#include <utility>

#include "specs/near_miss.h"
#include "specs/sbatch_file.h"
#include "specs/sbatch_options.h"
#include "specs/sbatch_request.h"
#include "specs/sbatch_text.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::size_t kMostNamesBytes = 200;
constexpr std::size_t kMostListed = 5;

// The line of the directive that set the field to what it is; 0: none did, e.g. because a line
// #SCONVERGE overrules it.
int directive_line(const SbatchRequest& request, const JobSpec& spec, const std::string& field) {
  const auto line = request.lines.find(field);
  const auto asked = request.fields.find(field);
  const auto is = spec.job.find(field);
  if (line == request.lines.end() || asked == request.fields.end() || is == spec.job.end())
    return 0;
  return asked->second == is->second ? line->second : 0;
}

}  // namespace

void ClusterFindings::add(std::string_view field, std::string what, std::string remedy) {
  problems_.push_back({spec_.file, spec_.line, 0, "job." + std::string(field), std::move(what),
                       std::move(remedy), ProblemKind::Policy});
  fields_.emplace_back(field);
}

const std::string* ClusterFindings::text(std::string_view field) const {
  const auto found = spec_.job.find(field);
  return found == spec_.job.end() ? nullptr : std::get_if<std::string>(&found->second);
}

std::optional<std::int64_t> ClusterFindings::number(std::string_view field) const {
  const auto found = spec_.job.find(field);
  if (found == spec_.job.end()) return std::nullopt;
  const auto* number = std::get_if<std::int64_t>(&found->second);
  if (number == nullptr) return std::nullopt;
  return *number;
}

const std::vector<std::string>* ClusterFindings::list(std::string_view field) const {
  const auto found = spec_.job.find(field);
  return found == spec_.job.end() ? nullptr : std::get_if<std::vector<std::string>>(&found->second);
}

std::vector<Problem> ClusterFindings::problems() && {
  if (!problems_.empty() && is_sbatch_name(spec_.file)) {
    const SbatchRequest request = sbatch_request(read_sbatch_options(spec_.script));
    for (std::size_t i = 0; i < problems_.size(); ++i) {
      const int line = directive_line(request, spec_, fields_[i]);
      if (line > 0) problems_[i].line = line;
    }
  }
  return std::move(problems_);
}

std::string known_or_near(std::string_view word, const std::vector<std::string_view>& known) {
  const auto same = std::find_if(known.begin(), known.end(), [&](std::string_view name) {
    return is_same_word(name, word);  // but for its case, which counts
  });
  const auto near = same == known.end() ? near_miss(word, known) : *same;
  if (!near.empty()) return "did you mean " + std::string(near) + "?";
  std::string all;
  for (const auto name : known) {
    if (all.size() >= kMostNamesBytes) break;
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  return all.empty() ? "remove it" : "there are: " + all.substr(0, kMostNamesBytes);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) {
    text += (text.empty() ? "" : ", ") + in_quotes(names[i]);
  }
  if (names.size() <= kMostListed) return text;
  return text + " and " + std::to_string(names.size() - kMostListed) + " more";
}

}  // namespace sconverge
