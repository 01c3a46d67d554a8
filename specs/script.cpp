#include "specs/script.h"

#include <algorithm>
#include <array>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::size_t kMaxScriptBytes =
    std::size_t{4} * 1024 * 1024;  // Slurm's default max_script_size

struct Option {
  std::string_view name;    // without dashes; one letter: a short option
  std::string_view remedy;  // the field of spec.job, or a sentence if it holds a blank
};

constexpr std::array kOptions = {
    Option{"A", "account"},
    Option{"C", "constraints"},
    Option{"D", "current_working_directory"},
    Option{"G", "tres_per_job"},
    Option{"H", "`suspend: true` in `spec`"},
    Option{"J", "name"},
    Option{"L", "licenses"},
    Option{"M", "clusters"},
    Option{"N", "nodes"},
    Option{"O", "overcommit"},
    Option{"S", "core_specification"},
    Option{"a", "array"},
    Option{"account", "account"},
    Option{"acctg-freq", "account_gather_frequency"},
    Option{"array", "array"},
    Option{"b", "begin_time"},
    Option{"batch", "batch_features"},
    Option{"bb", "burst_buffer"},
    Option{"begin", "begin_time"},
    Option{"c", "cpus_per_task"},
    Option{"chdir", "current_working_directory"},
    Option{"cluster-constraint", "cluster_constraint"},
    Option{"clusters", "clusters"},
    Option{"comment", "comment"},
    Option{"constraint", "constraints"},
    Option{"container", "container"},
    Option{"container-id", "container_id"},
    Option{"contiguous", "contiguous"},
    Option{"core-spec", "core_specification"},
    Option{"cpu-freq", "cpu_frequency"},
    Option{"cpus-per-gpu", "cpus_per_tres"},
    Option{"cpus-per-task", "cpus_per_task"},
    Option{"d", "dependency"},
    Option{"deadline", "deadline"},
    Option{"delay-boot", "delay_boot"},
    Option{"dependency", "dependency"},
    Option{"distribution", "distribution"},
    Option{"e", "standard_error"},
    Option{"error", "standard_error"},
    Option{"exclude", "excluded_nodes"},
    Option{"exclusive", "shared"},
    Option{"export", "environment"},
    Option{"extra", "extra"},
    Option{"get-user-env", "environment"},
    Option{"gpu-bind", "tres_bind"},
    Option{"gpu-freq", "tres_freq"},
    Option{"gpus", "tres_per_job"},
    Option{"gpus-per-node", "tres_per_node"},
    Option{"gpus-per-socket", "tres_per_socket"},
    Option{"gpus-per-task", "tres_per_task"},
    Option{"gres", "tres_per_node"},
    Option{"gres-flags", "flags"},
    Option{"hold", "`suspend: true` in `spec`"},
    Option{"i", "standard_input"},
    Option{"input", "standard_input"},
    Option{"job-name", "name"},
    Option{"k", "kill_on_node_fail"},
    Option{"kill-on-invalid-dep", "flags"},
    Option{"licenses", "licenses"},
    Option{"m", "distribution"},
    Option{"mail-type", "mail_type"},
    Option{"mail-user", "mail_user"},
    Option{"mcs-label", "mcs_label"},
    Option{"mem", "memory_per_node"},
    Option{"mem-bind", "memory_binding"},
    Option{"mem-per-cpu", "memory_per_cpu"},
    Option{"mem-per-gpu", "memory_per_tres"},
    Option{"mincpus", "minimum_cpus_per_node"},
    Option{"n", "tasks"},
    Option{"network", "network"},
    Option{"nice", "nice"},
    Option{"no-kill", "kill_on_node_fail"},
    Option{"no-requeue", "requeue"},
    Option{"nodelist", "required_nodes"},
    Option{"nodes", "nodes"},
    Option{"ntasks", "tasks"},
    Option{"ntasks-per-core", "tasks_per_core"},
    Option{"ntasks-per-gpu", "ntasks_per_tres"},
    Option{"ntasks-per-node", "tasks_per_node"},
    Option{"ntasks-per-socket", "tasks_per_socket"},
    Option{"o", "standard_output"},
    Option{"oom-kill-step", "oom_kill_step"},
    Option{"open-mode", "open_mode"},
    Option{"output", "standard_output"},
    Option{"overcommit", "overcommit"},
    Option{"oversubscribe", "shared"},
    Option{"p", "partition"},
    Option{"partition", "partition"},
    Option{"prefer", "prefer"},
    Option{"profile", "profile"},
    Option{"propagate", "`ulimit` in the script"},
    Option{"q", "qos"},
    Option{"qos", "qos"},
    Option{"requeue", "requeue"},
    Option{"reservation", "reservation"},
    Option{"s", "shared"},
    Option{"segment", "segment_size"},
    Option{"signal", "kill_warning_signal"},
    Option{"sockets-per-node", "sockets_per_node"},
    Option{"spread-job", "flags"},
    Option{"stepmgr", "flags"},
    Option{"switches", "required_switches"},
    Option{"t", "time_limit"},
    Option{"tasks-per-node", "tasks_per_node"},
    Option{"thread-spec", "thread_specification"},
    Option{"threads-per-core", "threads_per_core"},
    Option{"time", "time_limit"},
    Option{"time-min", "time_minimum"},
    Option{"tmp", "temporary_disk_per_node"},
    Option{"tres-bind", "tres_bind"},
    Option{"tres-per-task", "tres_per_task"},
    Option{"use-min-nodes", "flags"},
    Option{"w", "required_nodes"},
    Option{"wait-all-nodes", "wait_all_nodes"},
    Option{"wckey", "wckey"},
    Option{"x", "excluded_nodes"},
};
static_assert(std::is_sorted(kOptions.begin(), kOptions.end(),
                             [](const Option& a, const Option& b) { return a.name < b.name; }));

// The field that stands for a word of a directive such as `--time=2h` or `-N4`; empty if unknown.
std::string_view field_for(std::string_view word) {
  std::string_view name;
  if (word.starts_with("--")) {
    name = word.substr(2, word.find('=') - 2);
  } else if (word.size() > 1 && word[0] == '-') {
    name = word.substr(1, 1);
  }
  const auto found =
      std::lower_bound(kOptions.begin(), kOptions.end(), name,
                       [](const Option& o, std::string_view n) { return o.name < n; });
  return found != kOptions.end() && found->name == name ? found->remedy : std::string_view{};
}

std::string directive_remedy(std::string_view directive) {
  std::string fields;
  std::string others;
  while (!directive.empty()) {
    const std::size_t start = std::min(directive.find_first_not_of(" \t"), directive.size());
    directive.remove_prefix(start);
    const std::size_t end = std::min(directive.find_first_of(" \t"), directive.size());
    const std::string_view field = field_for(directive.substr(0, end));
    directive.remove_prefix(end);
    if (field.empty()) continue;
    if (field.find(' ') != std::string_view::npos) {
      others += (others.empty() ? "" : ", ") + std::string(field);
    } else {
      fields += (fields.empty() ? "`" : ", `") + std::string(field) + "`";
    }
  }
  if (fields.empty() && others.empty()) return "write the option as a field of `job:`";
  if (!others.empty()) others = (fields.empty() ? "use " : "; use ") + others;
  return (fields.empty() ? "" : "write " + fields + " under `job:`") + others;
}

void check_directives(std::string_view script, std::vector<ScriptProblem>& problems) {
  constexpr std::string_view prefix = "#SBATCH";
  int line = 0;
  while (!script.empty()) {
    ++line;
    const std::size_t end = std::min(script.find('\n'), script.size());
    const std::string_view text = script.substr(0, end);
    script.remove_prefix(std::min(end + 1, script.size()));
    const std::size_t first = text.find_first_not_of(" \t\v\f\r");
    // sbatch stops looking at the first line that is neither blank nor a remark.
    if (first != std::string_view::npos && text[first] != '#') return;
    if (!text.starts_with(prefix)) continue;
    problems.push_back({.line = line,
                        .what = "`#SBATCH` lines are not yet supported (slurmrestd ignores them)",
                        .remedy = directive_remedy(text.substr(prefix.size())),
                        .kind = ProblemKind::Policy});
  }
}

int line_of(std::string_view script, std::size_t offset) {
  return 1 + static_cast<int>(std::count(
                 script.begin(), script.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

}  // namespace

std::vector<ScriptProblem> check_script_text(std::string_view script) {
  std::vector<ScriptProblem> problems;
  if (script.size() > kMaxScriptBytes) {
    return {{.line = 0,
             .what = "the script is larger than 4 MiB, the most that Slurm takes",
             .remedy = "keep it on shared storage and call it from a short script",
             .kind = ProblemKind::TooLarge}};
  }
  if (script.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos) {
    return {{.line = 0, .what = "the script is empty", .remedy = "begin it with `#!/bin/bash`"}};
  }
  if (!script.starts_with("#!")) {
    problems.push_back(
        {.line = 1,
         .what = "the script does not begin with `#!`",
         .remedy = "make its first line e.g. `#!/bin/bash`, without blanks before it"});
  }
  if (const auto at = script.find('\0'); at != std::string_view::npos) {
    problems.push_back({.line = line_of(script, at),
                        .what = "the script holds a NUL character",
                        .remedy = "a script is text; call programs by their path"});
  }
  if (const auto at = script.find("\r\n"); at != std::string_view::npos) {
    problems.push_back({.line = line_of(script, at),
                        .what = "the script has DOS line breaks (CR LF)",
                        .remedy = "convert it, e.g. with dos2unix"});
  }
  if (const auto at = first_invalid_utf8(script)) {
    problems.push_back({.line = line_of(script, *at),
                        .what = "the script is not UTF-8, which the REST API cannot carry",
                        .remedy = "convert it, e.g. with iconv -f latin1 -t utf-8"});
  }
  return problems;
}

std::vector<ScriptProblem> check_script(std::string_view script) {
  std::vector<ScriptProblem> problems = check_script_text(script);
  if (script.size() <= kMaxScriptBytes) check_directives(script, problems);
  return problems;
}

}  // namespace sconverge
