#include "specs/job_field.h"

#include <algorithm>
#include <array>

namespace sconverge {
namespace {

using enum FieldKind;
constexpr InPlace kPending = InPlace::Pending;
constexpr InPlace kNever = InPlace::Never;

constexpr std::string_view k40 = "v0.0.40";
constexpr std::string_view k41 = "v0.0.41";
constexpr std::string_view k42 = "v0.0.42";

// Slurm keeps the two topmost values of an unsigned field for "not set" and "infinite".
constexpr std::int64_t k16 = 0xFFFF - 2;
constexpr std::int64_t k32 = 0xFFFFFFFFLL - 2;
constexpr std::int64_t kMaxMebibytes = 1LL << 40;   // an exbibyte
constexpr std::int64_t kMaxSeconds = 253402300799;  // the end of year 9999
constexpr std::int64_t kNice = 0x7FFFFFFD;          // NICE_OFFSET - 3, as sbatch takes it
constexpr std::int64_t kMaxText = std::int64_t{64} * 1024;
constexpr std::int64_t kMaxName = 200;  // Slurm takes 1024; a file name made of it must fit, too
constexpr std::int64_t kMaxComment =
    640;  // Slurm takes 1024; the rest is for the controller's mark

// Slurm's other job flags are its own book-keeping, and some (TEST_NOW_ONLY) change what a
// submission means.
constexpr std::string_view kUserFlags =
    "KILL_INVALID_DEPENDENCY NO_KILL_INVALID_DEPENDENCY GRES_BINDING_ENFORCED "
    "GRES_BINDING_DISABLED SPREAD_JOB PREFER_MINIMUM_NODE_COUNT STEPMGR_ENABLED "
    "EXACT_CPU_COUNT_REQUESTED";
constexpr std::string_view kMailTypes =
    "BEGIN END FAIL REQUEUE TIME=100% TIME=90% TIME=80% TIME=50% STAGE_OUT ARRAY_TASKS "
    "INVALID_DEPENDENCY";
constexpr std::string_view kCpuBindings =
    "CPU_BIND_TO_THREADS CPU_BIND_TO_CORES CPU_BIND_TO_SOCKETS CPU_BIND_TO_LDOMS CPU_BIND_NONE "
    "CPU_BIND_RANK CPU_BIND_MAP CPU_BIND_MASK CPU_BIND_LDRANK CPU_BIND_LDMAP CPU_BIND_LDMASK "
    "VERBOSE CPU_BIND_ONE_THREAD_PER_CORE";

// Names, kinds and first versions: the job_desc_msg schemas of Slurm's OpenAPI documents.
//
// In place: tried as an ordinary user on held jobs of Slurm 24.11, and allowed only where the
// changed job then is what a new submission would have made. So nodes, tasks and CPUs are not: an
// update leaves what was once derived from them (tasks 4 to 8 with cpus_per_task 2 keeps 8 CPUs).
// Many fields (flags, distribution, open_mode, ...) are even taken with success and ignored.
constexpr std::array kFields = {
    JobField{"account", Text, kPending, k40, 1, kMaxText},
    JobField{"account_gather_frequency", Text, kNever, k40, 1, kMaxText},
    JobField{"argv", TextList, kNever},
    JobField{"array", ArrayIndexes, kNever},
    JobField{"batch_features", Text, kNever, k40, 1, kMaxText},
    JobField{"begin_time", Timestamp, kPending, k40, 1, kMaxSeconds},
    JobField{"burst_buffer", Text, kNever, k40, 1, kMaxText},
    JobField{"cluster_constraint", Text, kNever, k40, 1, kMaxText},
    JobField{"clusters", Text, kNever, k40, 1, kMaxText},
    JobField{"comment", Text, kPending, k40, 1, kMaxComment},
    JobField{"constraints", Text, kPending, k40, 1, kMaxText},
    JobField{"container", Text, kNever, k40, 1, kMaxText},
    JobField{"container_id", Text, kNever, k40, 1, kMaxText},
    JobField{"contiguous", Flag, kNever},
    JobField{"core_specification", Integer, kNever, k40, 1, k16},
    JobField{"cpu_binding", Text, kNever, k40, 1, kMaxText},
    JobField{"cpu_binding_flags", TextList, kNever, k40, 1, kMaxText, kCpuBindings},
    JobField{"cpu_frequency", Text, kNever, k40, 1, kMaxText},
    JobField{"cpus_per_task", Integer, kNever, k40, 1, k16},
    JobField{"cpus_per_tres", Text, kNever, k40, 1, kMaxText},
    JobField{"current_working_directory", Text, kPending, k40, 1, 4096},
    JobField{"deadline", Timestamp, kNever, k40, 1, kMaxSeconds},
    JobField{"delay_boot", Seconds, kPending, k40, 0, k32},
    JobField{"dependency", Text, kPending, k40, 1, kMaxText},
    JobField{"distribution", Text, kNever, k40, 1, kMaxText},
    JobField{"distribution_plane_size", Number, kNever, k41, 1, k16},
    JobField{"environment", Environment, kNever},
    JobField{"excluded_nodes", TextList, kPending},
    JobField{"extra", Text, kPending, k40, 1, kMaxText},
    JobField{"flags", TextList, kNever, k40, 1, kMaxText, kUserFlags},
    JobField{"kill_on_node_fail", Flag, kNever},
    JobField{"kill_warning_delay", Number, kNever, k40, 0, k16},
    JobField{"kill_warning_flags", TextList, kNever, k40, 1, kMaxText, "BATCH_JOB RESERVATION_JOB"},
    JobField{"kill_warning_signal", Text, kNever, k40, 1, kMaxText},
    JobField{"licenses", Text, kPending, k40, 1, kMaxText},
    JobField{"mail_type", TextList, kPending, k40, 1, kMaxText, kMailTypes},
    JobField{"mail_user", Text, kPending, k40, 1, kMaxText},
    JobField{"maximum_cpus", Integer, kPending, k40, 1, k32},
    JobField{"maximum_nodes", Integer, kPending, k40, 1, k32},
    JobField{"mcs_label", Text, kNever, k40, 1, kMaxText},
    JobField{"memory_binding", Text, kNever, k40, 1, kMaxText},
    JobField{"memory_binding_type", TextList, kNever, k40, 1, kMaxText,
             "NONE RANK MAP MASK LOCAL VERBOSE SORT PREFER"},
    JobField{"memory_per_cpu", Mebibytes, kPending, k40, 0, kMaxMebibytes},
    JobField{"memory_per_node", Mebibytes, kPending, k40, 0, kMaxMebibytes},
    JobField{"memory_per_tres", Text, kNever, k40, 1, kMaxText},
    JobField{"minimum_boards_per_node", Integer, kNever, k40, 1, k16},
    JobField{"minimum_cpus", Integer, kNever, k40, 1, k32},
    JobField{"minimum_cpus_per_node", Integer, kNever, k40, 1, k16},
    JobField{"minimum_nodes", Integer, kNever, k40, 1, k32},
    JobField{"minimum_sockets_per_board", Integer, kNever, k40, 1, k16},
    JobField{"name", Text, kPending, k40, 1, kMaxName},
    JobField{"network", Text, kPending, k40, 1, kMaxText},
    JobField{"nice", Integer, kPending, k40, -kNice, kNice},
    JobField{"nodes", NodeCount, kNever, k40, 1, k32},
    JobField{"ntasks_per_tres", Integer, kNever, k40, 1, k16},
    JobField{"oom_kill_step", Integer, kNever, k42, 0, 1},
    JobField{"open_mode", TextList, kNever, k40, 1, kMaxText, "APPEND TRUNCATE"},
    JobField{"overcommit", Flag, kNever},
    JobField{"partition", Text, kPending, k40, 1, kMaxText},
    JobField{"prefer", Text, kPending, k40, 1, kMaxText},
    JobField{"profile", TextList, kNever, k40, 1, kMaxText, "NONE ENERGY LUSTRE NETWORK TASK"},
    JobField{"qos", Text, kPending, k40, 1, kMaxText},
    JobField{"requeue", Flag, kPending},
    JobField{"required_nodes", TextList, kPending},
    JobField{"required_switches", Number, kPending, k40, 1, k32},
    JobField{"reservation", Text, kPending, k40, 1, kMaxText},
    JobField{"segment_size", Number, kNever, k41, 1, k16},
    JobField{"selinux_context", Text, kNever, k40, 1, kMaxText},
    JobField{"shared", TextList, kNever, k40, 1, kMaxText, "none oversubscribe user mcs topo"},
    JobField{"sockets_per_node", Integer, kPending, k40, 1, k16},
    JobField{"spank_environment", Environment, kNever},
    JobField{"standard_error", Text, kPending, k40, 1, 4096},
    JobField{"standard_input", Text, kPending, k40, 1, 4096},
    JobField{"standard_output", Text, kPending, k40, 1, 4096},
    JobField{"tasks", Integer, kNever, k40, 1, k32},
    JobField{"tasks_per_board", Integer, kNever, k40, 1, k16},
    JobField{"tasks_per_core", Integer, kNever, k40, 1, 0xFFFF},  // the last: no limit
    JobField{"tasks_per_node", Integer, kNever, k40, 1, k16},
    JobField{"tasks_per_socket", Integer, kNever, k40, 1, k16},
    JobField{"temporary_disk_per_node", MebibytesInt, kPending, k40, 0, k32},
    JobField{"thread_specification", Integer, kNever, k40, 1, k16},
    JobField{"threads_per_core", Integer, kPending, k40, 1, k16},
    JobField{"time_limit", Minutes, kPending, k40, 1, k32},
    JobField{"time_minimum", Minutes, kPending, k40, 1, k32},
    JobField{"tres_bind", Text, kPending, k40, 1, kMaxText},
    JobField{"tres_freq", Text, kPending, k40, 1, kMaxText},
    JobField{"tres_per_job", Text, kPending, k40, 1, kMaxText},
    JobField{"tres_per_node", Text, kPending, k40, 1, kMaxText},
    JobField{"tres_per_socket", Text, kNever, k40, 1, kMaxText},
    JobField{"tres_per_task", Text, kPending, k40, 1, kMaxText},
    JobField{"wait_all_nodes", Flag, kNever},
    JobField{"wait_for_switch", Seconds, kNever, k40, 0, k32},
    JobField{"wckey", Text, kPending, k40, 1, kMaxText},
};

constexpr std::string_view kOwn = "is set by Slurm or by the controller, not by a spec";
constexpr std::string_view kAdmin = "may be set only by an administrator of Slurm";
constexpr std::string_view kInteractive = "has no meaning for a batch job";
constexpr std::string_view kRemove = "remove it";

constexpr std::array kRefused = {
    RefusedField{"admin_comment", kAdmin, "use `comment`"},
    RefusedField{"allocation_node_list", kInteractive, kRemove},
    RefusedField{"allocation_node_port", kInteractive, kRemove},
    RefusedField{"cores_per_socket",
                 "is not in all versions of the REST API (none of v0.0.41 to v0.0.44)",
                 "use `cpus_per_task` or `constraints`"},
    RefusedField{"crontab", "cron jobs are not yet supported", kRemove},
    RefusedField{"end_time", kOwn, "use `time_limit` or `deadline`"},
    RefusedField{"exclusive", "is no longer in the REST API since v0.0.42", "use `shared: [none]`"},
    RefusedField{"group_id", kAdmin, kRemove},
    RefusedField{"hetjob_group", "heterogeneous jobs are not yet supported", kRemove},
    RefusedField{"hold", "is set by the controller", "use `suspend: true` in `spec`"},
    RefusedField{"immediate", kInteractive, kRemove},
    RefusedField{"job_id", kOwn, kRemove},
    RefusedField{"oversubscribe", "is no longer in the REST API since v0.0.42",
                 "use `shared: [oversubscribe]`"},
    RefusedField{"power_flags", "does nothing since Slurm 24.05", kRemove},
    RefusedField{"priority", kAdmin, "use `nice` or `qos`"},
    RefusedField{"reboot", kAdmin, kRemove},
    RefusedField{"reserve_ports", kInteractive, kRemove},
    RefusedField{"resv_mpi_ports", kInteractive, kRemove},
    RefusedField{"rlimits", "resource limits are not yet supported", "use `ulimit` in the script"},
    RefusedField{"script", "the script is no field of `job`",
                 "use `script` or `scriptFile` in `spec`"},
    RefusedField{"site_factor", kAdmin, kRemove},
    RefusedField{"user_id", kAdmin, "the job belongs to the user of the configured token"},
    RefusedField{"x11", kInteractive, kRemove},
    RefusedField{"x11_magic_cookie", kInteractive, kRemove},
    RefusedField{"x11_target_host", kInteractive, kRemove},
    RefusedField{"x11_target_port", kInteractive, kRemove},
};

template <typename Table>
constexpr auto* find_in(const Table& table, std::string_view name) {
  const auto found = std::lower_bound(
      table.begin(), table.end(), name,
      [](const auto& entry, std::string_view wanted) { return entry.name < wanted; });
  return found != table.end() && found->name == name ? &*found : nullptr;
}

constexpr auto kByName = [](const auto& a, const auto& b) { return a.name < b.name; };
static_assert(std::is_sorted(kFields.begin(), kFields.end(), kByName));
static_assert(std::is_sorted(kRefused.begin(), kRefused.end(), kByName));

}  // namespace

std::span<const JobField> job_fields() { return kFields; }

const JobField* find_job_field(std::string_view name) { return find_in(kFields, name); }

std::span<const RefusedField> refused_fields() { return kRefused; }

const RefusedField* find_refused_field(std::string_view name) { return find_in(kRefused, name); }

std::vector<std::string_view> words_of(const JobField& field) {
  std::vector<std::string_view> words;
  for (std::string_view rest = field.words; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    words.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

}  // namespace sconverge
