#include "specs/sbatch_request.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "specs/sbatch_counts.h"
#include "specs/sbatch_reading.h"
#include "specs/sbatch_rules.h"
#include "specs/sbatch_shape.h"
#include "specs/sbatch_table.h"
#include "specs/sbatch_variables.h"

namespace sconverge {
namespace {

constexpr std::array<std::string_view, 11> kMailOrder = {
    "BEGIN",    "END",      "FAIL",      "REQUEUE",     "TIME=100%",         "TIME=90%",
    "TIME=80%", "TIME=50%", "STAGE_OUT", "ARRAY_TASKS", "INVALID_DEPENDENCY"};

// Kinds of mail add up over the options of a script.
void write_mail_types(SbatchReading& reading) {
  const auto& asked = reading.settings.mail_types;
  std::vector<std::string> types;
  for (const std::string_view type : kMailOrder) {
    if (std::find(asked.begin(), asked.end(), type) != asked.end()) types.emplace_back(type);
  }
  if (!types.empty()) reading.request.fields["mail_type"] = std::move(types);
}

void write_flags(SbatchReading& reading) {
  std::set<std::string> flags(reading.settings.job_flags.begin(), reading.settings.job_flags.end());
  flags.insert(reading.settings.gres_flags.begin(), reading.settings.gres_flags.end());
  if (flags.empty()) return reading.unset("flags");
  reading.request.fields["flags"] = std::vector<std::string>(flags.begin(), flags.end());
  if (reading.request.lines.contains("flags")) return;
  if (const SbatchOption* option = reading.last_given({"cpus-per-task", "tres-per-task"})) {
    reading.request.lines["flags"] = option->line;
  }
}

}  // namespace

SbatchRequest sbatch_request(const SbatchOptions& script) {
  SbatchReading reading;
  for (const SbatchOption& option : script.options) {
    reading.begin(option);
    if (const SbatchRule* rule = find_sbatch_rule(option.name)) {
      rule->take(reading, option, *rule);
    } else {
      reading.refuse(option, "is no option of sbatch", "remove it");
    }
  }
  check_between_options(reading);
  const SbatchCounts counts = count_nodes_and_tasks(reading);
  derive_shape(reading, counts);
  write_mail_types(reading);
  write_flags(reading);
  write_environment(reading, counts);
  return std::move(reading.request);
}

}  // namespace sconverge
