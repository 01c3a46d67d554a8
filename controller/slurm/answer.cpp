#include "controller/slurm/answer.h"

#include <string_view>

#include "controller/core/one_line.h"
#include "controller/slurm/utf8_repair.h"
#include "controller/slurm/wire_stream.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::size_t kStartBytes = 200;

/// Passes bytes on and remembers the first of them.
class Remembering : public ByteSource {
 public:
  explicit Remembering(ByteSource& bytes) : bytes_(bytes) {}

  std::string_view next() override {
    const std::string_view bytes = bytes_.next();
    if (start_.size() < kStartBytes) start_.append(bytes.substr(0, kStartBytes));
    return bytes;
  }
  [[nodiscard]] const std::string& start() const { return start_; }

 private:
  ByteSource& bytes_;
  std::string start_{};
};

const std::string& first_text(std::initializer_list<const JsonValue*> candidates) {
  for (const JsonValue* candidate : candidates) {
    if (!candidate->text().empty()) return candidate->text();
  }
  return (*candidates.begin())->text();
}

SlurmComplaint complaint_in(const JsonValue& entry) {
  if (!entry.is_object()) return {0, one_line(entry.text())};
  SlurmComplaint complaint;
  auto number = entry["error_number"].number();
  if (!number) number = entry["error_code"].number();
  complaint.number = static_cast<int>(number.value_or(0));
  const std::string& error = entry["error"].text();
  const std::string& description = entry["description"].text();
  const std::string& source = entry["source"].text();
  std::string text = first_text({&entry["error"], &entry["description"]});
  // Where the request itself was wrong, the source says where and the description what.
  if (source.starts_with("#/")) text = source + ": " + (description.empty() ? error : description);
  complaint.text = one_line(text);
  return complaint;
}

/// One job's part of the answer to an update (`results[]`) or a cancel (`status[]`).
SlurmComplaint job_failure_in(const JsonValue& entry) {
  const JsonValue& error = entry["error"];
  auto number = error["code"].number();
  if (!number) number = entry["error_code"].number();
  return {static_cast<int>(number.value_or(0)),
          one_line(first_text({&error["string"], &error["message"], &error, &entry["why"]}))};
}

/// "bogus" of `Ignoring unknown field "bogus" ...` at `#/job/bogus/`.
std::string dropped_field_in(const std::string& description, std::string_view source) {
  if (!description.starts_with("Ignoring unknown field")) return "";
  if (source.starts_with("#/")) {
    source.remove_prefix(source.starts_with("#/job/") ? 6 : 2);
    if (source.ends_with('/')) source.remove_suffix(1);
    return one_line(source);
  }
  const auto first = description.find('"');
  const auto second = first == description.npos ? first : description.find('"', first + 1);
  if (second == description.npos) return one_line(description);
  return one_line(description.substr(first + 1, second - first - 1));
}

void read_warning(const JsonValue& entry, AnswerBody& answer) {
  const std::string& description = first_text({&entry["description"], &entry});
  if (description.empty()) return;
  answer.warnings.push_back(one_line(description));
  if (description.find("No job changes") != description.npos) answer.no_change = true;
  const std::string field = dropped_field_in(description, entry["source"].text());
  if (!field.empty()) answer.dropped_fields.push_back(field);
}

std::string version_in(const JsonValue& slurm) {
  const std::string& release = slurm["release"].text();
  return one_line(release, 40);
}

void read_members(const JsonValue& members, AnswerBody& answer) {
  answer.has_jobs = members["jobs"].is_list();
  for (const JsonValue* entry : members["errors"].items()) {
    answer.errors.push_back(complaint_in(*entry));
  }
  for (const std::string_view list : {"results", "status"}) {
    for (const JsonValue* entry : members[list].items()) {
      const SlurmComplaint failure = job_failure_in(*entry);
      if (failure.number != 0) answer.job_failures.push_back(failure);
    }
  }
  for (const JsonValue* entry : members["warnings"].items()) read_warning(*entry, answer);
  auto job = members["job_id"].number();
  if (!job || *job <= 0) job = members["result"]["job_id"].number();
  if (job && *job > 0 && *job <= UINT32_MAX)
    answer.submitted = JobId{static_cast<std::uint32_t>(*job)};
  const JsonValue& meta = members["meta"];
  answer.slurm_version = version_in(meta[meta["slurm"].is_null() ? "Slurm" : "slurm"]);
  answer.cluster_name = one_line(meta["slurm"]["cluster"].text(), 64);
  if (const auto time = members["statistics"]["req_time"].number(); time && *time > 0) {
    answer.server_time = TimePoint(seconds(*time));
  }
}

}  // namespace

AnswerBody read_answer(ByteSource& body, RowKind kind, const KeepRow& keep) {
  const JsonFilter filter{
      {"errors", "warnings", "meta", "job_id", "result", "results", "status", "statistics"},
      "jobs",
      job_row_members(kind)};
  Utf8Repair repaired(body);
  Remembering text(repaired);
  AnswerBody answer;
  const auto members = read_filtered(text, filter, [&](const JsonValue& row) {
    ++answer.all_jobs;
    auto record = job_record_in(row, kind);
    if (!record) {
      ++answer.unreadable;
      return;
    }
    if (kind == RowKind::State) {
      answer.states.add(*record);
      return;
    }
    answer.ids.push_back(record->job.id);
    if (keep(*record)) {
      answer.jobs.push_back(std::move(*record));
    }
  });
  // It may end within a character.
  const auto whole_characters = first_invalid_utf8(text.start()).value_or(std::string::npos);
  answer.start = one_line(text.start().substr(0, whole_characters), kStartBytes);
  if (!members) return answer;
  answer.whole = true;
  read_members(*members, answer);
  return answer;
}

}  // namespace sconverge
