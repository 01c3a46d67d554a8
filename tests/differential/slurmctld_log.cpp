#include "tests/differential/slurmctld_log.h"

#include <charconv>
#include <initializer_list>
#include <optional>

namespace sconverge::test {
namespace {

/// A line of the log without what all begin with, and the lines that go on with it.
std::vector<std::string> entries_in(std::string_view log) {
  std::vector<std::string> entries;
  while (!log.empty()) {
    const auto end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    log = end == std::string_view::npos ? std::string_view{} : log.substr(end + 1);
    // [2026-11-30T21:10:46.382] debug3:    deadline=Unknown
    const auto bracket = line.starts_with("[2") ? line.find("] ") : std::string_view::npos;
    if (bracket != std::string_view::npos) {
      entries.emplace_back(line.substr(bracket + 2));
    } else if (!entries.empty()) {
      entries.back().append("\n").append(line);
    }
  }
  return entries;
}

/// The lines of more than one field, by their names in order (Slurm 24.11). One name serves for
/// `core_spec` and `thread_spec`, `pn_min_memory_job` and `pn_min_memory_cpu`: the line says which.
const std::initializer_list<std::initializer_list<std::string_view>> kLines = {
    {"cpus", "pn_min_cpus", "core_spec"},
    {"cpus", "pn_min_cpus", "thread_spec"},
    {"Nodes", "Sock/Node", "Core/Sock", "Thread/Core"},
    {"pn_min_memory_job", "pn_min_tmp_disk"},
    {"pn_min_memory_cpu", "pn_min_tmp_disk"},
    {"immediate", "reservation"},
    {"features", "batch_features", "cluster_features", "prefer"},
    {"req_nodes", "exc_nodes"},
    {"time_limit", "priority", "contiguous", "shared"},
    {"kill_on_node_fail", "script"},
    {"stdin", "stdout", "stderr"},
    {"work_dir", "alloc_node:sid"},
    {"resp_host", "alloc_resp_port", "other_port"},
    {"dependency", "account", "qos", "comment"},
    {"mail_type", "mail_user", "nice", "num_tasks", "open_mode", "overcommit", "acctg_freq"},
    {"network", "begin", "cpus_per_task", "requeue", "licenses"},
    {"end_time", "signal", "wait_all_nodes", "cpu_freq"},
    {"ntasks_per_node", "ntasks_per_socket", "ntasks_per_core", "ntasks_per_tres"},
    {"mem_bind", "plane_size"},
    {"bitflags", "delay_boot"},
    {"container", "container-id"},
};

/// `name=value` or `name:value` at `at`: where the value begins.
std::optional<std::size_t> value_at(std::string_view line, std::size_t at, std::string_view name) {
  if (line.substr(at, name.size()) != name) return {};
  const std::size_t sign = at + name.size();
  if (sign >= line.size() || (line[sign] != '=' && line[sign] != ':')) return {};
  return sign + 1;
}

/// Takes the line apart by these names; false if they do not stand in it in this order.
bool take(std::string_view line, std::initializer_list<std::string_view> names,
          std::map<std::string, std::string>& fields) {
  std::map<std::string, std::string> found;
  std::size_t at = 0;
  const std::string_view* before = nullptr;
  std::size_t value = 0;
  for (const auto& name : names) {
    std::optional<std::size_t> next;
    if (before == nullptr) {
      next = value_at(line, 0, name);
    } else {
      while (!next && (at = line.find(' ', at)) != std::string_view::npos) {
        next = value_at(line, ++at, name);
      }
      if (next) found[std::string(*before)] = line.substr(value, at - 1 - value);
    }
    if (!next) return false;
    value = at = *next;
    before = &name;
  }
  found[std::string(*before)] = line.substr(value);
  fields.merge(found);
  return true;
}

void take_line(std::string_view line, std::map<std::string, std::string>& fields) {
  for (const auto& names : kLines) {
    if (take(line, names, fields)) return;
  }
  const auto sign = line.find_first_of("=:");
  if (sign == std::string_view::npos) return;
  fields.emplace(line.substr(0, sign), line.substr(sign + 1));
}

/// The id in "_slurm_rpc_submit_batch_job: JobId=12 InitPrio=1"; 0 if it tells an error.
std::uint32_t id_in(std::string_view answer) {
  static constexpr std::string_view kId = "JobId=";
  std::uint32_t id = 0;
  if (const auto at = answer.find(kId); at != std::string_view::npos) {
    std::from_chars(answer.data() + at + kId.size(), answer.data() + answer.size(), id);
  }
  return id;
}

}  // namespace

std::vector<LoggedRequest> requests_in(std::string_view log) {
  static constexpr std::string_view kFirst = "debug3: JobDesc: ";
  static constexpr std::string_view kMore = "debug3:    ";
  static constexpr std::string_view kAnswer = "_slurm_rpc_submit_batch_job: ";
  std::vector<LoggedRequest> requests;
  bool is_open = false;
  for (const std::string& entry : entries_in(log)) {
    const std::string_view text = entry;
    if (text.starts_with(kFirst)) {
      requests.emplace_back();
      is_open = true;
      take(text.substr(kFirst.size()), {"user_id", "JobId", "partition", "name"},
           requests.back().fields);
    } else if (is_open && text.starts_with(kMore)) {
      take_line(text.substr(kMore.size()), requests.back().fields);
    } else if (is_open && text.starts_with(kAnswer)) {
      requests.back().job = id_in(text);
      is_open = false;
    }
  }
  return requests;
}

}  // namespace sconverge::test
