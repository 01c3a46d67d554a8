#include "controller/core/diff.h"

#include <algorithm>
#include <type_traits>

#include "specs/job_field.h"
#include "specs/sbatch_file.h"

namespace sconverge {
namespace {

std::string lines_of(const std::string& script) {
  return std::to_string(std::count(script.begin(), script.end(), '\n')) + " lines";
}

std::string shown(std::string_view field, const FieldValue& value) {
  if (field != "environment") return to_text(value);
  const auto* variables = std::get_if<std::vector<std::string>>(&value);
  return variables == nullptr ? "?" : std::to_string(variables->size()) + " variables";
}

std::string inherited(const JobSpec& spec) {
  std::string names;
  for (const auto& name : spec.inherit_environment) names += (names.empty() ? "" : ",") + name;
  return names;
}

bool can_change_in_place(std::string_view field) {
  const JobField* known = find_job_field(field);
  return known != nullptr && known->in_place == InPlace::Pending;
}

/// Slurm takes another throttle for a job array that waits, and no other tasks.
bool is_throttle_alone(std::string_view field, const FieldValue& before, const FieldValue& after) {
  const auto* from = std::get_if<std::string>(&before);
  const auto* to = std::get_if<std::string>(&after);
  if (field != "array" || from == nullptr || to == nullptr) return false;
  return from->substr(0, from->find('%')) == to->substr(0, to->find('%'));
}

}  // namespace

std::string to_text(const FieldValue& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          return v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          return std::to_string(v);
        } else if constexpr (std::is_same_v<T, Unlimited>) {
          return "UNLIMITED";
        } else if constexpr (std::is_same_v<T, std::string>) {
          return v;
        } else {
          std::string list;
          for (const auto& item : v) list += (list.empty() ? "" : ",") + item;
          return list;
        }
      },
      value);
}

SpecDiff diff(const JobSpec& before, const JobSpec& after) {
  SpecDiff result;
  for (const auto& [field, value] : after.job) {
    const auto old = before.job.find(field);
    if (old != before.job.end() && old->second == value) continue;
    const std::string from = old == before.job.end() ? "" : shown(field, old->second);
    result.changes.push_back({field, from, shown(field, value)});
    const bool throttle = old != before.job.end() && is_throttle_alone(field, old->second, value);
    result.in_place = result.in_place && (throttle || can_change_in_place(field));
  }
  for (const auto& [field, value] : before.job) {
    if (after.job.contains(field)) continue;
    result.changes.push_back({field, shown(field, value), ""});
    result.in_place = false;  // Slurm has no way to say "as if it had never been set"
  }
  if (before.inherit_environment != after.inherit_environment) {
    result.changes.push_back({"inheritEnvironment", inherited(before), inherited(after)});
    result.in_place = false;
  }
  if (without_directives(before.script) != without_directives(after.script)) {
    result.changes.push_back({"script", lines_of(before.script), lines_of(after.script)});
    result.in_place = false;
  }
  return result;
}

}  // namespace sconverge
