#include "controller/slurm/job_row.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "controller/core/one_line.h"

namespace sconverge {
namespace {

// Slurm's NO_VAL and INFINITE.
constexpr std::int64_t kNoValue = 0xFFFFFFFE;

// Slurm's MaxArraySize goes no higher.
constexpr std::uint32_t kMostArrayTasks = 4000001;

std::optional<JobId> job_id_in(const JsonValue& value) {
  const auto number = value.number();
  if (!number || *number <= 0 || *number >= kNoValue) return std::nullopt;
  return JobId{static_cast<std::uint32_t>(*number)};
}

std::optional<TimePoint> time_in(const JsonValue& value) {
  const auto number = value.number();
  if (!number || *number <= 0 || *number >= kNoValue) return std::nullopt;
  return TimePoint(seconds(*number));
}

int count_in(const JsonValue& value) {
  return static_cast<int>(std::clamp<std::int64_t>(value.number().value_or(0), 0, 1'000'000));
}

std::vector<std::string> words_in(const JsonValue& value) {
  std::vector<std::string> words;
  for (const JsonValue* word : value.items()) {
    if (!word->text().empty()) words.push_back(word->text());
  }
  return words;
}

bool has_ended(BaseState state) {
  return state != BaseState::Pending && state != BaseState::Running &&
         state != BaseState::Suspended && state != BaseState::Other;
}

/// Taken apart ({status, return_code, signal}, v0.0.40 and later) or as a wait status, plain or as
/// a struct (before).
void read_exit_code(const JsonValue& value, SlurmJob& job) {
  if (const auto status = value.number()) {
    if (*status < 0 || *status >= kNoValue) return;
    const int signal = static_cast<int>(*status & 0x7F);
    if (signal != 0) {
      job.signal = signal;
    } else {
      job.exit_code = static_cast<int>((*status >> 8) & 0xFF);
    }
    return;
  }
  const JsonValue& signal = value["signal"];
  auto number = signal["id"].number();
  if (!number) number = signal["signal_id"].number();
  if (number && *number > 0 && *number < 256) {
    job.signal = static_cast<int>(*number);
  } else if (const auto code = value["return_code"].number(); code && *code >= 0 && *code < 256) {
    job.exit_code = static_cast<int>(*code);
  }
}

std::string reason_in(const JsonValue& reason, const JsonValue& description) {
  const std::string& word = reason.text();
  if (!word.empty() && word != "None") return one_line(word);
  const std::string& sentence = description.text();
  return sentence == "None" ? "" : one_line(sentence);
}

/// A bitmap in hexadecimal, index 0 in the last digit: 0x1C is 2-4.
std::optional<IndexSet> indexes_in_bitmap(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  text.remove_prefix(2);
  if (text.size() > kMostArrayTasks / 4 + 1) return std::nullopt;
  IndexSet indexes;
  for (std::uint32_t place = 0; place < text.size(); ++place) {
    const char c = text[text.size() - 1 - place];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    for (std::uint32_t bit = 0; bit < 4; ++bit) {
      if ((static_cast<unsigned>(digit) >> bit & 1U) != 0) indexes.add(place * 4 + bit);
    }
  }
  return indexes;
}

/// The task of the array that a record is of, or the text that names all that have not begun:
/// "2-4%2", cut with "..." where it would be longer than 64 bytes; in accounting a bitmap.
void read_tasks(const JsonValue& task, const std::string& others, JobRecord& record) {
  if (const auto index = task.number(); index && *index >= 0 && *index < kMostArrayTasks) {
    record.tasks.add(static_cast<std::uint32_t>(*index));
    return;
  }
  const std::string_view text = std::string_view(others).substr(0, others.find('%'));
  if (text.empty()) return;
  auto indexes = indexes_in_bitmap(text);
  if (!indexes) indexes = index_set_from(text);
  record.cut = !indexes;
  if (indexes) record.tasks = std::move(*indexes);
}

void read_live(const JsonValue& row, JobRecord& record) {
  SlurmJob& job = record.job;
  job.user = row["user_name"].text();
  job.comment = row["comment"].text();
  job.reason = reason_in(row["state_reason"], row["state_description"]);
  job.held = job.state.base == BaseState::Pending && row["priority"].number() == 0;
  job.submitted = time_in(row["submit_time"]);
  // A pending job shows when it is expected to start, a running one when it is expected to end.
  if (job.state.base != BaseState::Pending) job.started = time_in(row["start_time"]);
  if (has_ended(job.state.base)) job.ended = time_in(row["end_time"]);
  const auto array = job_id_in(row["array_job_id"]);
  if (array) read_tasks(row["array_task_id"], row["array_task_string"].text(), record);
  record.group = array.value_or(job_id_in(row["het_job_id"]).value_or(job.id));
}

void read_accounting(const JsonValue& row, JobRecord& record) {
  SlurmJob& job = record.job;
  job.user = row["user"].text();
  job.comment = row["comment"]["job"].text();
  job.reason = reason_in(row["state"]["reason"], {});
  const JsonValue& time = row["time"];
  job.submitted = time_in(time["submission"]);
  if (job.state.base != BaseState::Pending) job.started = time_in(time["start"]);
  if (has_ended(job.state.base)) job.ended = time_in(time["end"]);
  job.cancelled_by = one_line(row["kill_request_user"].text());
  const auto array = job_id_in(row["array"]["job_id"]);
  if (array) read_tasks(row["array"]["task_id"], row["array"]["task"].text(), record);
  record.group = array.value_or(job_id_in(row["het"]["job_id"]).value_or(job.id));
}

/// The number that is all of `text`.
std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// `{"job_id": "4605_1", "state": ["RUNNING"]}`.
std::optional<JobRecord> state_in(const JsonValue& row) {
  const std::string& text = row["job_id"].text();
  const std::size_t underscore = text.find('_');
  std::optional<JobId> id = job_id_in(row["job_id"]);
  std::optional<std::uint32_t> task;
  if (underscore != text.npos) {
    const auto number = number_in(std::string_view(text).substr(0, underscore));
    if (number && *number > 0 && *number < kNoValue) id = JobId{*number};
    task = number_in(std::string_view(text).substr(underscore + 1));
    if (!task || *task >= kMostArrayTasks) return std::nullopt;
  }
  const auto words = words_in(row["state"]);
  if (!id || words.empty()) return std::nullopt;
  JobRecord record{.job = {.id = *id, .state = job_state_from(words)}, .group = *id};
  if (task) record.tasks.add(*task);
  return record;
}

}  // namespace

const std::vector<std::string_view>& job_row_members(RowKind kind) {
  static const std::vector<std::string_view> live{
      "job_id",           "name",         "user_name",         "comment",
      "job_state",        "state_reason", "priority",          "submit_time",
      "start_time",       "end_time",     "exit_code",         "restart_cnt",
      "array_job_id",     "het_job_id",   "state_description", "array_task_id",
      "array_task_string"};
  static const std::vector<std::string_view> accounting{
      "job_id", "name",      "user",        "comment",           "state",
      "time",   "exit_code", "restart_cnt", "kill_request_user", "array",
      "het"};
  static const std::vector<std::string_view> state{"job_id", "state"};
  return kind == RowKind::Live ? live : kind == RowKind::State ? state : accounting;
}

std::optional<JobRecord> job_record_in(const JsonValue& row, RowKind kind) {
  if (kind == RowKind::State) return state_in(row);
  const auto id = job_id_in(row["job_id"]);
  const auto words = words_in(kind == RowKind::Live ? row["job_state"] : row["state"]["current"]);
  if (!id || words.empty()) return std::nullopt;
  JobRecord record{.job = {.id = *id}};
  SlurmJob& job = record.job;
  job.name = row["name"].text();
  job.state = job_state_from(words);
  job.restarts = count_in(row["restart_cnt"]);
  if (has_ended(job.state.base)) read_exit_code(row["exit_code"], job);
  if (kind == RowKind::Live) {
    read_live(row, record);
  } else {
    read_accounting(row, record);
  }
  job.mark = mark_in(job.comment);
  return record;
}

}  // namespace sconverge
