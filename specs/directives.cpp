#include "specs/directives.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "specs/environment.h"
#include "specs/sbatch_options.h"
#include "specs/sbatch_request.h"
#include "specs/sbatch_table.h"

namespace sconverge {
namespace {

void append(std::vector<ScriptProblem>& to, std::vector<ScriptProblem> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Fields of the REST API that set one thing in Slurm: with one of them said, the others of its
// group cannot come from a directive.
constexpr std::array<std::array<std::string_view, 3>, 4> kGroups{{
    {"core_specification", "thread_specification", ""},
    {"memory_per_cpu", "memory_per_node", "memory_per_tres"},
    {"maximum_nodes", "minimum_nodes", "nodes"},
    {"required_switches", "wait_for_switch", ""},
}};

// The field that an option sets first of all; empty: several, none, or the environment.
std::string_view field_of_option(std::string_view option) {
  const SbatchRule* rule = find_sbatch_rule(option);
  return rule == nullptr ? std::string_view{} : rule->field;
}

bool is_said(const JobFields& said, std::string_view field) {
  if (said.contains(field)) return true;
  return std::any_of(kGroups.begin(), kGroups.end(), [&](const auto& group) {
    return std::find(group.begin(), group.end(), field) != group.end() &&
           std::any_of(group.begin(), group.end(),
                       [&](std::string_view other) { return said.contains(other); });
  });
}

// The fields that options without one of their own set.
constexpr std::array<std::pair<std::string_view, std::array<std::string_view, 2>>, 2> kSeveral{{
    {"extra-node-info", {"sockets_per_node", "threads_per_core"}},
    {"hint", {"threads_per_core", "tasks_per_core"}},
}};

// Whether `spec` says something else for `field`, or for what excludes it, than is asked.
bool is_overruled(const JobFields& said, const SbatchRequest& request, std::string_view field) {
  if (field.empty() || !is_said(said, field)) return false;
  const auto in_yaml = said.find(field);
  const auto asked = request.fields.find(field);
  return in_yaml == said.end() || asked == request.fields.end() || in_yaml->second != asked->second;
}

// The field for which `spec` says something else than the option; empty: there is none.
std::string_view overruled_field(const JobFields& said, const SbatchRequest& request,
                                 const SbatchOption& option) {
  for (const auto& [several, fields] : kSeveral) {
    if (option.name != several) continue;
    for (const std::string_view field : fields) {
      if (is_overruled(said, request, field)) return field;
    }
  }
  const std::string_view field = field_of_option(option.name);
  return is_overruled(said, request, field) ? field : std::string_view{};
}

// What the options ask for without those that `said` overrules: nothing may be derived from these.
SbatchRequest request_beneath(SbatchOptions script, const JobFields& said,
                              std::vector<ScriptProblem>& notes) {
  SbatchRequest request = sbatch_request(script);
  const auto overruled = std::erase_if(script.options, [&](const SbatchOption& option) {
    const std::string_view field = overruled_field(said, request, option);
    if (field.empty()) return false;
    notes.push_back({.line = option.line,
                     .column = option.column,
                     .option = std::string(option.name),
                     .what = "`" + option.text + "` has no effect: `job` sets `" +
                             std::string(field) + "` or what excludes it",
                     .remedy = "remove one of them"});
    return true;
  });
  return overruled == 0 ? std::move(request) : sbatch_request(script);
}

// sbatch sets SLURM_SUBMIT_DIR whatever --export says; the controller knows its value.
std::vector<std::string> inherited_beneath(const SbatchRequest& request) {
  if (request.inherits_environment) return {std::string(kWholeEnvironment)};
  std::set<std::string> names(request.inherited_names.begin(), request.inherited_names.end());
  names.insert("SLURM_SUBMIT_DIR");
  return {names.begin(), names.end()};
}

// The environment that the directives ask for, beneath what the spec says of it.
void apply_environment(const SbatchRequest& request, const Said& said, JobSpec& spec) {
  const auto own = spec.job.find("environment");
  const bool has_own = own != spec.job.end();
  if (!has_own && !said.inherit_environment) {
    spec.inherit_environment = inherited_beneath(request);
  }
  if (has_own) {
    auto& variables = std::get<std::vector<std::string>>(own->second);
    variables = overlaid(request.environment, variables);
  } else if (!request.environment.empty()) {
    spec.job.emplace("environment", request.environment);
  } else if (request.inherits_environment && !said.inherit_environment) {
    spec.inherit_environment.clear();  // the default says the same
  }
}

}  // namespace

DirectiveFindings apply_directives(JobSpec& spec, const Said& said, ScriptForm form) {
  DirectiveFindings found{.problems = check_script_text(spec.script)};
  if (!found.problems.empty()) return found;
  SbatchOptions script = read_sbatch_options(spec.script);
  append(found.problems, std::move(script.problems));
  append(found.notes, std::move(script.notes));
  if (script.options.empty() && form == ScriptForm::Document) return found;
  SbatchRequest request = request_beneath(std::move(script), spec.job, found.notes);
  append(found.problems, std::move(request.problems));
  append(found.notes, std::move(request.notes));
  const JobFields in_yaml = spec.job;
  for (auto& [field, value] : request.fields) {
    if (!is_said(in_yaml, field)) spec.job.emplace(field, std::move(value));
  }
  apply_environment(request, said, spec);
  if (!said.suspend) spec.suspend = request.hold;
  return found;
}

std::vector<ScriptProblem> check_body_script(const JobSpec& spec) {
  std::vector<ScriptProblem> problems = check_script_text(spec.script);
  if (!problems.empty()) return problems;
  SbatchOptions script = read_sbatch_options(spec.script);
  append(problems, std::move(script.problems));
  for (const SbatchOption& option : script.options) {
    const std::string_view field = field_of_option(option.name);
    if (!field.empty() && is_said(spec.job, field)) continue;
    problems.push_back(
        {.line = option.line,
         .column = option.column,
         .what = "`" + option.text +
                 "`: slurmrestd ignores directives, and the body does not ask for it",
         .remedy =
             field.empty() ? "remove it" : "write `" + std::string(field) + "` under \"job\""});
  }
  return problems;
}

}  // namespace sconverge
