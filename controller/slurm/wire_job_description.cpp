#include "controller/slurm/wire_job_description.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "controller/core/mark.h"
#include "controller/slurm/wire_stream.h"
#include "specs/job_field.h"

namespace sconverge {
namespace {

constexpr std::array<std::string_view, 3> kOther{"job_id", "flags", "job_state"};

/// A member of a job as slurmctld shows it, and the field that it is submitted with.
struct Member {
  std::string_view shown;
  std::string_view field;
};

// Slurm 24.11: texts are empty, and numbers 0, where nothing was asked.
constexpr std::array kTexts{
    Member{"account", "account"},
    Member{"batch_features", "batch_features"},
    Member{"burst_buffer", "burst_buffer"},
    Member{"cluster_features", "cluster_constraint"},
    Member{"container", "container"},
    Member{"container_id", "container_id"},
    Member{"cpus_per_tres", "cpus_per_tres"},
    Member{"current_working_directory", "current_working_directory"},
    Member{"extra", "extra"},
    Member{"features", "constraints"},
    Member{"licenses", "licenses"},
    Member{"mail_user", "mail_user"},
    Member{"mcs_label", "mcs_label"},
    Member{"memory_per_tres", "memory_per_tres"},
    Member{"name", "name"},
    Member{"network", "network"},
    Member{"partition", "partition"},
    Member{"prefer", "prefer"},
    Member{"qos", "qos"},
    Member{"resv_name", "reservation"},
    Member{"selinux_context", "selinux_context"},
    Member{"tres_bind", "tres_bind"},
    Member{"tres_freq", "tres_freq"},
    Member{"tres_per_job", "tres_per_job"},
    Member{"tres_per_node", "tres_per_node"},
    Member{"tres_per_socket", "tres_per_socket"},
    Member{"tres_per_task", "tres_per_task"},
    Member{"wckey", "wckey"},
};
constexpr std::array kNumbers{
    Member{"core_spec", "core_specification"},
    Member{"deadline", "deadline"},
    Member{"delay_boot", "delay_boot"},
    Member{"memory_per_cpu", "memory_per_cpu"},
    Member{"memory_per_node", "memory_per_node"},
    Member{"minimum_tmp_disk_per_node", "temporary_disk_per_node"},
    Member{"nice", "nice"},
    Member{"required_switches", "required_switches"},
    Member{"segment_size", "segment_size"},
    Member{"sockets_per_node", "sockets_per_node"},
    Member{"tasks_per_board", "tasks_per_board"},
    Member{"tasks_per_core", "tasks_per_core"},
    Member{"tasks_per_node", "tasks_per_node"},
    Member{"tasks_per_socket", "tasks_per_socket"},
    Member{"tasks_per_tres", "ntasks_per_tres"},
    Member{"thread_spec", "thread_specification"},
    Member{"threads_per_core", "threads_per_core"},
    Member{"time_limit", "time_limit"},
    Member{"time_minimum", "time_minimum"},
};
constexpr std::array kWords{
    Member{"flags", "flags"},
    Member{"mail_type", "mail_type"},
    Member{"profile", "profile"},
    Member{"shared", "shared"},
};
constexpr std::array kHosts{
    Member{"excluded_nodes", "excluded_nodes"},
    Member{"required_nodes", "required_nodes"},
};
constexpr std::array<std::string_view, 16> kSpecial{
    "array_job_id",   "array_task_id",  "array_task_string", "comment",
    "contiguous",     "cpus_per_task",  "dependency",        "eligible_time",
    "max_nodes",      "node_count",     "requeue",           "maximum_switch_wait_time",
    "standard_error", "standard_input", "standard_output",   "tasks"};

std::vector<std::string_view> shown_members() {
  std::vector<std::string_view> members(kOther.begin(), kOther.end());
  members.insert(members.end(), kSpecial.begin(), kSpecial.end());
  const auto add = [&](const auto& table) {
    for (const Member& member : table) members.push_back(member.shown);
  };
  add(kTexts);
  add(kNumbers);
  add(kWords);
  add(kHosts);
  members.push_back("submit_time");
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

bool is_infinite(const JsonValue& value) {
  const auto* flag = std::get_if<bool>(&value["infinite"].held);
  return flag != nullptr && *flag;
}

std::vector<std::string> words_of(const JsonValue& value) {
  std::vector<std::string> words;
  for (const JsonValue* item : value.items()) {
    if (!item->text().empty()) words.push_back(item->text());
  }
  return words;
}

std::vector<std::string> hosts_of(std::string_view text) {
  std::vector<std::string> hosts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      hosts.emplace_back();
    } else {
      hosts.back() += c;
    }
  }
  std::erase(hosts, "");
  return hosts;
}

// "afterany:1(unfulfilled)": what Slurm says of each part is no part of it.
std::string dependency_of(std::string_view text) {
  std::string plain;
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : 0;
    if (depth == 0) plain += c;
    depth -= c == ')' ? 1 : 0;
  }
  return plain;
}

// Reads one job's row. A member for each kind of field that needs more than its own member.
class RowReader {
 public:
  explicit RowReader(const JsonValue& row) : row_(row), flags_(words_of(row["flags"])) {}

  DescribedFields read() {
    for (const auto& [shown, field] : kTexts) set_text(field, row_[shown].text());
    for (const auto& [shown, field] : kNumbers) set_number(field, row_[shown]);
    for (const auto& [shown, field] : kWords) set_words(field, words_of(row_[shown]));
    for (const auto& [shown, field] : kHosts) set_list(field, hosts_of(row_[shown].text()));
    set_text("comment", user_text_in(row_["comment"].text()));
    set_text("dependency", dependency_of(row_["dependency"].text()));
    set_text("standard_error", row_["standard_error"].text());
    set_text("standard_output", row_["standard_output"].text());
    if (row_["standard_input"].text() != "/dev/null") {
      set_text("standard_input", row_["standard_input"].text());
    }
    if (const auto* requeue = std::get_if<bool>(&row_["requeue"].held))
      out_.fields["requeue"] = *requeue;
    const auto* contiguous = std::get_if<bool>(&row_["contiguous"].held);
    if (contiguous != nullptr && *contiguous) out_.fields["contiguous"] = true;
    set_sizes();
    set_array();
    set_begin();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool has_flag(std::string_view flag) const {
    return std::find(flags_.begin(), flags_.end(), flag) != flags_.end();
  }
  [[nodiscard]] bool is_pending() const {
    const auto states = words_of(row_["job_state"]);
    return std::find(states.begin(), states.end(), "PENDING") != states.end();
  }

  void set_text(std::string_view field, const std::string& text) {
    // A star marks the user's default workload key (Slurm 24.11).
    const bool is_default = field == "wckey" && text.starts_with('*');
    if (!text.empty() && !is_default) out_.fields.emplace(field, text);
  }
  void set_list(std::string_view field, std::vector<std::string> list) {
    if (!list.empty()) out_.fields.emplace(field, std::move(list));
  }
  void set_words(std::string_view name, std::vector<std::string> words) {
    const JobField* field = find_job_field(name);
    const auto known = words_of(*field);
    std::erase_if(words, [&](const std::string& word) {
      return std::find(known.begin(), known.end(), word) == known.end();
    });
    set_list(name, std::move(words));
  }
  void set_number(std::string_view name, const JsonValue& value) {
    const JobField* field = find_job_field(name);
    if (is_infinite(value)) {
      if (name == "time_limit") out_.fields.emplace(name, Unlimited{});
      return;
    }
    const auto number = value.number();
    // `--mem=0` asks for all of a node's memory. 32766 threads: nothing was asked (Slurm 24.11).
    const bool is_zero_asked =
        name.starts_with("memory_per_") && has_flag("EXACT_MEMORY_REQUESTED");
    if (!number || (*number == 0 && !is_zero_asked)) return;
    if (name == "thread_specification" && *number == 32766) return;
    if (*number >= field->minimum && *number <= field->maximum) out_.fields.emplace(name, *number);
  }

  // What a number of tasks or nodes was derived from cannot be told from the number; these flags
  // and a largest number of nodes say that somebody asked (Slurm 24.11).
  void set_sizes() {
    if (has_flag("EXACT_TASK_COUNT_REQUESTED")) set_number("tasks", row_["tasks"]);
    if (has_flag("EXACT_CPU_COUNT_REQUESTED")) set_number("cpus_per_task", row_["cpus_per_task"]);
    if (out_.fields.contains("required_switches")) {
      set_number("wait_for_switch", row_["maximum_switch_wait_time"]);
    }
    const auto most = row_["max_nodes"].number().value_or(0);
    const auto least = row_["node_count"].number().value_or(0);
    if (most <= 0 || least <= 0) return;
    std::string nodes = std::to_string(std::min(least, most));
    if (least < most) nodes += "-" + std::to_string(most);
    out_.fields.emplace("nodes", std::move(nodes));
  }

  void set_array() {
    if (row_["array_job_id"].number().value_or(0) == 0) return;
    out_.is_array_begun = row_["array_task_id"].number().has_value() || !is_pending();
    set_text("array", row_["array_task_string"].text());
  }

  void set_begin() {
    const auto eligible = row_["eligible_time"].number().value_or(0);
    const auto submitted = row_["submit_time"].number().value_or(0);
    if (is_pending() && submitted > 0 && eligible > submitted) {
      out_.fields.emplace("begin_time", eligible);
    }
  }

  const JsonValue& row_;
  std::vector<std::string> flags_;
  DescribedFields out_{};
};

// The bytes of a text, as one piece.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}
  std::string_view next() override { return std::exchange(text_, {}); }

 private:
  std::string_view text_;
};

template <typename Found>
std::optional<Found> row_of(std::string_view answer, std::int64_t job,
                            std::vector<std::string_view> members,
                            const std::function<Found(const JsonValue&)>& read) {
  std::optional<Found> found;
  TextSource source(answer);
  const JsonFilter filter{.members = {}, .rows = "jobs", .row_members = std::move(members)};
  const auto whole = read_filtered(source, filter, [&](const JsonValue& row) {
    if (row["job_id"].number() == job) found = read(row);
  });
  return whole ? found : std::nullopt;
}

}  // namespace

std::optional<DescribedFields> described_fields_in(std::string_view answer, std::int64_t job) {
  return row_of<DescribedFields>(answer, job, shown_members(),
                                 [](const JsonValue& row) { return RowReader(row).read(); });
}

std::optional<AccountedSubmission> accounted_submission_in(std::string_view answer,
                                                           std::int64_t job) {
  return row_of<AccountedSubmission>(
      answer, job, {"job_id", "script", "stdout", "stderr"}, [](const JsonValue& row) {
        return AccountedSubmission{row["script"].text(), row["stdout"].text(),
                                   row["stderr"].text()};
      });
}

}  // namespace sconverge
