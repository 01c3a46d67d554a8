#include "specs/sbatch_fields.h"

#include <algorithm>
#include <array>

namespace sconverge {
namespace {

struct Option {
  std::string_view name;
  std::string_view field;
};

constexpr std::array kOptions = {
    Option{"account", "account"},
    Option{"acctg-freq", "account_gather_frequency"},
    Option{"array", "array"},
    Option{"batch", "batch_features"},
    Option{"bb", "burst_buffer"},
    Option{"begin", "begin_time"},
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
    Option{"deadline", "deadline"},
    Option{"delay-boot", "delay_boot"},
    Option{"dependency", "dependency"},
    Option{"distribution", "distribution"},
    Option{"error", "standard_error"},
    Option{"exclude", "excluded_nodes"},
    Option{"exclusive", "shared"},
    Option{"extra", "extra"},
    Option{"gpu-bind", "tres_bind"},
    Option{"gpu-freq", "tres_freq"},
    Option{"gpus", "tres_per_job"},
    Option{"gpus-per-node", "tres_per_node"},
    Option{"gpus-per-socket", "tres_per_socket"},
    Option{"gpus-per-task", "tres_per_task"},
    Option{"gres", "tres_per_node"},
    Option{"gres-flags", "flags"},
    Option{"input", "standard_input"},
    Option{"job-name", "name"},
    Option{"kill-on-invalid-dep", "flags"},
    Option{"licenses", "licenses"},
    Option{"mail-type", "mail_type"},
    Option{"mail-user", "mail_user"},
    Option{"mcs-label", "mcs_label"},
    Option{"mem", "memory_per_node"},
    Option{"mem-bind", "memory_binding"},
    Option{"mem-per-cpu", "memory_per_cpu"},
    Option{"mem-per-gpu", "memory_per_tres"},
    Option{"mincpus", "minimum_cpus_per_node"},
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
    Option{"ntasks-per-tres", "ntasks_per_tres"},
    Option{"oom-kill-step", "oom_kill_step"},
    Option{"open-mode", "open_mode"},
    Option{"output", "standard_output"},
    Option{"overcommit", "overcommit"},
    Option{"oversubscribe", "shared"},
    Option{"partition", "partition"},
    Option{"prefer", "prefer"},
    Option{"profile", "profile"},
    Option{"qos", "qos"},
    Option{"requeue", "requeue"},
    Option{"reservation", "reservation"},
    Option{"segment", "segment_size"},
    Option{"signal", "kill_warning_signal"},
    Option{"sockets-per-node", "sockets_per_node"},
    Option{"spread-job", "flags"},
    Option{"stepmgr", "flags"},
    Option{"switches", "required_switches"},
    Option{"thread-spec", "thread_specification"},
    Option{"threads-per-core", "threads_per_core"},
    Option{"time", "time_limit"},
    Option{"time-min", "time_minimum"},
    Option{"tmp", "temporary_disk_per_node"},
    Option{"tres-bind", "tres_bind"},
    Option{"tres-per-task", "tres_per_task"},
    Option{"use-min-nodes", "flags"},
    Option{"wait-all-nodes", "wait_all_nodes"},
    Option{"wckey", "wckey"},
};
static_assert(std::is_sorted(kOptions.begin(), kOptions.end(),
                             [](const Option& a, const Option& b) { return a.name < b.name; }));

}  // namespace

std::string_view field_of_option(std::string_view option) {
  const auto found =
      std::lower_bound(kOptions.begin(), kOptions.end(), option,
                       [](const Option& o, std::string_view name) { return o.name < name; });
  return found != kOptions.end() && found->name == option ? found->field : std::string_view{};
}

}  // namespace sconverge
