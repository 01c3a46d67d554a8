#include "tests/support/fake_cluster.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "specs/array_indexes.h"
#include "specs/job_field.h"

namespace sconverge::test {
namespace {

// Slurm's error numbers.
constexpr int kInvalidPartition = 2000;
constexpr int kStringTooLong = 2012;
constexpr int kInvalidJobId = 2017;
constexpr int kNoEnvironment = 2019;
constexpr int kNoScript = 2009;
constexpr int kJobNotPending = 2073;
constexpr int kNotSupported = 2002;
constexpr int kJobFinished = 2084;
constexpr int kTooManyJobs = 11;
constexpr int kInvalidArray = 2081;

// Slurm 24.11 shows so many bytes of an array's indexes.
constexpr std::size_t kShownIndexes = 63;

constexpr const char* kFinalWords[] = {"PENDING",   "RUNNING",   "SUSPENDED", "COMPLETED",
                                       "CANCELLED", "FAILED",    "TIMEOUT",   "NODE_FAIL",
                                       "PREEMPTED", "BOOT_FAIL", "DEADLINE",  "OUT_OF_MEMORY"};

Error refused(int slurm_errno, const std::string& message) {
  return {.kind = ErrorKind::Rejected, .message = message, .slurm_errno = slurm_errno};
}

TimePoint whole_seconds(TimePoint time) { return std::chrono::floor<seconds>(time); }

std::string text_of(const JobFields& fields, std::string_view name, const std::string& otherwise) {
  const auto field = fields.find(name);
  if (field == fields.end()) return otherwise;
  const auto* text = std::get_if<std::string>(&field->second);
  return text == nullptr ? otherwise : *text;
}

bool is_set(const JobFields& fields, std::string_view name) {
  const auto field = fields.find(name);
  return field != fields.end() && field->second == FieldValue(true);
}

std::optional<std::int64_t> number_of(const JobFields& fields, std::string_view name) {
  const auto field = fields.find(name);
  if (field == fields.end()) return std::nullopt;
  const auto* number = std::get_if<std::int64_t>(&field->second);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

/// Bytes beyond ASCII as a reader shows them that repairs what is not UTF-8. Roughly: the fakes'
/// names are ASCII or Latin-1.
std::string repaired(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    if (static_cast<unsigned char>(byte) < 0x80) {
      text += byte;
    } else {
      text += "\xEF\xBF\xBD";
    }
  }
  return text;
}

std::vector<std::string> words_of(const FakeJob& job) {
  std::vector<std::string> words{kFinalWords[static_cast<std::size_t>(job.base)]};
  if (job.completing_until) words.emplace_back("COMPLETING");
  return words;
}

SlurmJob view_of(const FakeJob& job) {
  const bool ended = job.base > BaseState::Suspended;
  SlurmJob view{.id = job.id,
                .name = repaired(job.name),
                .user = job.user,
                .comment = repaired(job.comment),
                .mark = mark_in(job.comment),
                .state = job_state_from(words_of(job)),
                .reason = job.reason == "None" ? "" : job.reason,
                .held = job.held && job.base == BaseState::Pending,
                .submitted = whole_seconds(job.submitted),
                .restarts = job.restarts};
  if (job.started) view.started = whole_seconds(*job.started);
  // Slurm 24.11: a job that never ran is said to have started when it ended.
  if (ended && !job.started) view.started = whole_seconds(*job.ended);
  if (ended && job.ended) view.ended = whole_seconds(*job.ended);
  if (ended) view.exit_code = job.exit_code;
  return view;
}

JobRecord record_of(const FakeJob& job) {
  JobRecord record{.job = view_of(job), .group = job.array.value_or(job.id)};
  if (job.task) {
    record.tasks.add(*job.task);
  } else if (!job.waiting.empty()) {
    record.cut = to_text(job.waiting).size() > kShownIndexes;
    if (!record.cut) record.tasks = job.waiting;
  }
  return record;
}

/// What a line says to this task; nothing if it is about another one.
std::string said_to(const std::string& line, const std::optional<std::uint32_t>& task) {
  const std::string condition = "test $SLURM_ARRAY_TASK_ID != ";
  if (!line.starts_with(condition)) return line;
  const std::size_t end = line.find(" || ");
  if (end == std::string::npos || !task) return "";
  const std::string index = line.substr(condition.size(), end - condition.size());
  return index == std::to_string(*task) ? line.substr(end + 4) : "";
}

}  // namespace

FakeCluster::FakeCluster(const FakeClock& clock, FakeClusterOptions options)
    : clock_(clock),
      options_(std::move(options)),
      at_(clock.world()),
      next_id_(options_.first_id) {}

// Time ---------------------------------------------------------------------------------------

void FakeCluster::catch_up() {
  if (down_) return;
  const TimePoint until = clock_.world();
  for (;;) {
    const std::optional<TimePoint> event = next_event();
    if (!event || *event > until) break;
    at_ = std::max(at_, *event);
    happen();
  }
  at_ = until;
}

std::optional<TimePoint> FakeCluster::next_event() const {
  std::optional<TimePoint> next;
  const auto consider = [&next](const std::optional<TimePoint>& time) {
    if (time && (!next || *time < *next)) next = *time;
  };
  const bool slots_free = running() < options_.run_slots;
  for (const auto& [id, index] : listed_) {
    const FakeJob& job = jobs_[index];
    if (job.completing_until) {
      consider(job.completing_until);
    } else if (job.base == BaseState::Pending) {
      if (slots_free && may_start(job)) consider(job.eligible + options_.start_delay);
    } else if (job.base == BaseState::Running) {
      consider(job.ends);
    } else if (job.ended && may_be_purged(job)) {
      consider(*job.ended + options_.completing + options_.min_job_age);
    }
  }
  for (const OnItsWay& late : on_their_way_) consider(late.at);
  return next;
}

void FakeCluster::happen() {
  std::vector<std::size_t> indices;
  for (const auto& [id, index] : listed_) indices.push_back(index);
  for (const std::size_t index : indices) transition(jobs_[index]);

  std::vector<OnItsWay> arrived;
  const auto here = std::partition(on_their_way_.begin(), on_their_way_.end(),
                                   [this](const OnItsWay& late) { return late.at > at_; });
  arrived.assign(here, on_their_way_.end());
  on_their_way_.erase(here, on_their_way_.end());
  for (const OnItsWay& late : arrived) (void)accept(late.submission, late.user);

  schedule();
}

void FakeCluster::transition(FakeJob& job) {
  if (job.completing_until) {
    if (*job.completing_until > at_) return;
    job.completing_until.reset();
    if (job.between_records && job.base == BaseState::Pending) {
      job.between_records = false;
      new_row(job);
    }
    update_row(job);
  } else if (job.base == BaseState::Running) {
    if (!job.ends || *job.ends > at_) return;
    const FakeRun run = run_of(job);
    const auto limit = number_of(job.fields, "time_limit");
    const bool too_long = limit && *job.ends >= *job.started + std::chrono::minutes{*limit};
    const BaseState state = too_long             ? BaseState::Timeout
                            : run.exit_code == 0 ? BaseState::Completed
                                                 : BaseState::Failed;
    const TimePoint ends = *job.ends;
    end(job, state, too_long ? 0 : run.exit_code);
    job.executions.back().ended = ends;
  } else if (job.base > BaseState::Suspended && may_be_purged(job)) {
    if (*job.ended + options_.completing + options_.min_job_age > at_) return;
    job.listed = false;
    listed_.erase(job.id);
  }
}

void FakeCluster::schedule() {
  int slots = options_.run_slots - running();
  for (const auto& [id, index] : listed_) {
    FakeJob& job = jobs_[index];
    if (job.base != BaseState::Pending || job.completing_until || job.held) continue;
    if (job.eligible + options_.start_delay > at_) continue;
    while (slots > 0 && job.base == BaseState::Pending && may_start(job)) {
      start(job.waiting.empty() ? job : split(job));
      --slots;
    }
    if (job.base != BaseState::Pending) continue;
    job.reason = may_start(job) ? "Resources" : "JobArrayTaskLimit";
  }
}

bool FakeCluster::may_start(const FakeJob& job) const {
  if (job.held) return false;
  if (!job.array || job.throttle == 0) return true;
  const auto runs = std::count_if(listed_.begin(), listed_.end(), [&](const auto& entry) {
    const FakeJob& other = jobs_[entry.second];
    return other.array == job.array &&
           (other.base == BaseState::Running || other.completing_until.has_value());
  });
  return runs < job.throttle;
}

/// The record with the array's id is purged last.
bool FakeCluster::may_be_purged(const FakeJob& job) const {
  return options_.min_job_age > seconds{0} && (job.array != job.id || records_of(job.id) == 1);
}

int FakeCluster::records_of(JobId array) const {
  return static_cast<int>(std::count_if(listed_.begin(), listed_.end(), [&](const auto& entry) {
    return jobs_[entry.second].array == array;
  }));
}

/// The record of the task that begins next: one of its own, but for the last.
FakeJob& FakeCluster::split(FakeJob& array) {
  const std::uint32_t index = array.waiting.ranges().front().first;
  array.waiting = array.waiting.without(IndexSet::of({{index, index}}));
  if (array.waiting.empty()) {
    array.task = index;
    return array;
  }
  FakeJob task = array;
  task.id = next_id();
  task.task = index;
  task.waiting = {};
  task.cancels.clear();
  jobs_.push_back(std::move(task));
  listed_[jobs_.back().id] = jobs_.size() - 1;
  new_row(jobs_.back());
  update_row(array);
  return jobs_.back();
}

void FakeCluster::start(FakeJob& job) {
  job.base = BaseState::Running;
  job.requeued = false;
  job.reason = "None";
  job.started = at_;
  const FakeRun run = run_of(job);
  job.ends = at_ + run.lasts;
  if (const auto limit = number_of(job.fields, "time_limit")) {
    job.ends = std::min(*job.ends, at_ + std::chrono::minutes{*limit});
  }
  job.executions.push_back({.mark = mark_in(job.comment), .started = at_});
  update_row(job);
}

void FakeCluster::end(FakeJob& job, BaseState state, int exit_code) {
  if (job.base == BaseState::Running) {
    job.executions.back().ended = at_;
    job.executions.back().state = state;
    if (options_.completing > seconds{0}) job.completing_until = at_ + options_.completing;
  }
  job.base = state;
  job.ends.reset();
  job.ended = at_;
  job.exit_code = exit_code;
  job.reason = state == BaseState::Failed ? "NonZeroExitCode" : "None";
  update_row(job);
}

// slurmctld ----------------------------------------------------------------------------------

Result<JobId> FakeCluster::submit(const Submission& submission, const std::string& user) {
  catch_up();
  return accept(submission, user);
}

void FakeCluster::submit_later(const Submission& submission, const std::string& user,
                               TimePoint at) {
  on_their_way_.push_back({submission, user, at});
}

bool FakeCluster::expects_late_submits() {
  catch_up();
  return !on_their_way_.empty();
}

Result<JobId> FakeCluster::accept(const Submission& submission, const std::string& user) {
  if (auto refusal = refusal_of(submission)) return *refusal;
  FakeJob job{.id = next_id(), .user = user, .fields = submission.fields};
  job.script = submission.script;
  job.name = text_of(job.fields, "name", "sbatch");
  job.comment = text_of(job.fields, "comment", "");
  job.held = is_set(job.fields, "hold") || number_of(job.fields, "priority") == 0;
  job.reason = job.held ? "JobHeldUser" : "None";
  job.submitted = job.created = at_;
  job.eligible = at_;
  if (const auto begin = number_of(job.fields, "begin_time")) {
    job.eligible = std::max(job.eligible, TimePoint{seconds{*begin}});
    if (job.eligible > at_ && !job.held) job.reason = "BeginTime";
  }
  job.mark = mark_in(job.comment);
  job.submission = accepted_++;
  if (const auto array = read_array(text_of(job.fields, "array", ""))) {
    job.array = job.id;
    job.waiting = array->indexes;
    job.throttle = array->throttle;
  }
  jobs_.push_back(job);
  listed_[job.id] = jobs_.size() - 1;
  new_row(jobs_.back());
  return job.id;
}

std::optional<Error> FakeCluster::refusal_of(const Submission& submission) const {
  const JobFields& fields = submission.fields;
  const std::string partition = text_of(fields, "partition", options_.partitions.front());
  if (std::find(options_.partitions.begin(), options_.partitions.end(), partition) ==
      options_.partitions.end()) {
    return refused(kInvalidPartition, "Invalid partition name specified");
  }
  const std::string array = text_of(fields, "array", "");
  const auto tasks = read_array(array);
  if (!array.empty() &&
      (!tasks || tasks->indexes.ranges().back().last >= options_.max_array_size)) {
    return refused(kInvalidArray, "Invalid job array specification");
  }
  if (submission.script.empty()) return refused(kNoScript, "Batch script is empty");
  if (!fields.contains("environment") || !fields.contains("current_working_directory")) {
    return refused(kNoEnvironment, "I/O error writing script/environment to file");
  }
  if (text_of(fields, "comment", "").size() > kMaxCommentBytes ||
      text_of(fields, "name", "").size() > kMaxCommentBytes) {
    return refused(kStringTooLong, "Pathname of a file, directory or other parameter too long");
  }
  if (listed_.size() >= static_cast<std::size_t>(options_.most_jobs)) {
    return Error{.kind = ErrorKind::Unavailable,
                 .message = "Resource temporarily unavailable",
                 .slurm_errno = kTooManyJobs,
                 .retry_slowly = true};
  }
  return std::nullopt;
}

std::vector<JobRecord> FakeCluster::records() {
  catch_up();
  std::vector<JobRecord> records;
  records.reserve(listed_.size());
  for (const auto& [id, index] : listed_) records.push_back(record_of(jobs_[index]));
  return records;
}

std::vector<SlurmJob> FakeCluster::list() { return joined(records()); }

std::optional<SlurmJob> FakeCluster::find(JobId id) { return whole_job(records(), id); }

Result<Done> FakeCluster::update(JobId id, const JobFields& fields) {
  catch_up();
  FakeJob* job = find_listed(id);
  if (job == nullptr) return refused(kInvalidJobId, "Invalid job id specified");
  if (job->base > BaseState::Suspended) return refused(kJobFinished, "Job has finished");
  if (job->base != BaseState::Pending) return refused(kJobNotPending, "Job is no longer pending");
  for (const auto& [name, value] : fields) {
    const JobField* field = find_job_field(name);
    if (name == "array" && job->array) continue;
    if (field == nullptr || field->in_place == InPlace::Never) {
      return refused(kNotSupported, "Requested operation not supported: " + name);
    }
  }
  const std::string partition = text_of(fields, "partition", options_.partitions.front());
  if (std::find(options_.partitions.begin(), options_.partitions.end(), partition) ==
      options_.partitions.end()) {
    return refused(kInvalidPartition, "Invalid partition name specified");
  }
  for (const auto& [name, value] : fields) job->fields.insert_or_assign(name, value);
  job->name = text_of(fields, "name", job->name);
  job->comment = text_of(fields, "comment", job->comment);
  if (const auto mark = mark_in(job->comment)) job->mark = mark;
  if (const auto array = read_array(text_of(fields, "array", ""))) job->throttle = array->throttle;
  if (const auto begin = number_of(fields, "begin_time"))
    job->eligible = TimePoint{seconds{*begin}};
  update_row(*job);
  return Done{};
}

Result<Done> FakeCluster::set_hold(JobId id, bool hold) {
  catch_up();
  FakeJob* job = find_listed(id);
  if (job == nullptr) return refused(kInvalidJobId, "Invalid job id specified");
  if (job->base > BaseState::Suspended) return refused(kJobFinished, "Job has finished");
  if (job->base != BaseState::Pending) return refused(kJobNotPending, "Job is no longer pending");
  job->held = hold;
  job->reason = hold ? "JobHeldUser" : "None";
  if (!hold) job->eligible = std::max(job->eligible, at_);
  return Done{};
}

void FakeCluster::cancel(JobId id, const std::string& by) {
  catch_up();
  for (const auto& [listed_id, index] : listed_) {
    FakeJob& job = jobs_[index];
    if (listed_id != id && job.array != id) continue;
    job.cancels.push_back({.by = by, .at = at_, .found = job.base});
    if (job.base > BaseState::Suspended) continue;
    job.cancelled_by = by;
    end(job, BaseState::Cancelled, 0);
  }
}

void FakeCluster::scancel_task(JobId array, std::uint32_t task, const std::string& by) {
  catch_up();
  FakeJob* job = find_listed(array);
  if (job == nullptr || job->base != BaseState::Pending || !job->waiting.contains(task)) return;
  if (job->waiting.size() == 1) return cancel(array, by);
  job->waiting = job->waiting.without(IndexSet::of({{task, task}}));
  update_row(*job);
}

JobId FakeCluster::next_id() {
  while (listed_.contains(JobId{next_id_})) {
    next_id_ = next_id_ >= options_.last_id ? options_.first_id : next_id_ + 1;
  }
  const JobId id{next_id_};
  next_id_ = next_id_ >= options_.last_id ? options_.first_id : next_id_ + 1;
  return id;
}

FakeJob* FakeCluster::find_listed(JobId id) {
  const auto entry = listed_.find(id);
  return entry == listed_.end() ? nullptr : &jobs_[entry->second];
}

FakeJob& FakeCluster::listed(JobId id) {
  catch_up();
  FakeJob* job = find_listed(id);
  if (job == nullptr) std::abort();
  return *job;
}

FakeRun FakeCluster::run_of(const FakeJob& job) const {
  if (job.run) return *job.run;
  FakeRun run = options_.run;
  std::istringstream script(job.script);
  std::string line;
  bool sleeps = false;
  while (std::getline(script, line)) {
    std::istringstream words(said_to(line, job.task));
    std::string word;
    while (words >> word) {
      int number = 0;
      if (word == "sleep" && words >> number) {
        run.lasts = sleeps ? run.lasts + seconds{number} : seconds{number};
        sleeps = true;
      } else if (word == "exit" && words >> number) {
        run.exit_code = number;
        return run;
      }
    }
  }
  return run;
}

int FakeCluster::running() const {
  return static_cast<int>(std::count_if(listed_.begin(), listed_.end(), [this](const auto& entry) {
    const FakeJob& job = jobs_[entry.second];
    return job.base == BaseState::Running || job.completing_until.has_value();
  }));
}

// Accounting ---------------------------------------------------------------------------------

void FakeCluster::new_row(const FakeJob& job) {
  if (accounting_ == Accounting::Off) return;
  JobRecord row = record_of(job);
  row.job.comment.clear();
  row.job.mark.reset();
  row.job.reason.clear();
  rows_.push_back({.job = listed_.at(job.id), .before = row, .now = row, .from = at_});
}

void FakeCluster::update_row(const FakeJob& job) {
  const auto row = std::find_if(rows_.rbegin(), rows_.rend(),
                                [&](const Row& r) { return &jobs_[r.job] == &job; });
  if (row == rows_.rend() || accounting_ == Accounting::Off || job.between_records) return;
  if (at_ >= row->from) row->before = row->now;
  row->from = at_ + options_.accounting_lag;
  row->now = record_of(job);
  row->now.cut = false;  // a bitmap, which is not cut
  if (!job.task) row->now.tasks = job.waiting;
  SlurmJob& now = row->now.job;
  const bool ended = job.base > BaseState::Suspended || job.requeued;
  if (!ended || !options_.accounting_keeps_comments) {
    now.comment.clear();
    now.mark.reset();
  }
  if (ended) now.state = job_state_from({words_of(job).front()});  // never COMPLETING
  if (job.requeued) now.state = job_state_from({"PENDING", "REQUEUED"});
  if (!job.started) now.started.reset();
  now.cancelled_by = job.cancelled_by;
}

std::vector<JobRecord> FakeCluster::accounting_rows() {
  catch_up();
  std::vector<JobRecord> rows;
  rows.reserve(rows_.size());
  for (const Row& row : rows_) rows.push_back(clock_.world() >= row.from ? row.now : row.before);
  return rows;
}

// People, nodes, operators -------------------------------------------------------------------

JobId FakeCluster::foreign_job(const std::string& name, const std::string& user,
                               const std::string& comment) {
  catch_up();
  const Submission submission{.fields = {{"name", name},
                                         {"comment", comment},
                                         {"environment", std::vector<std::string>{"PATH=/bin"}},
                                         {"current_working_directory", std::string("/tmp")}},
                              .script = "#!/bin/sh\nsrun work\n"};
  return accept(submission, user).value();
}

void FakeCluster::requeue(JobId id) {
  FakeJob& job = listed(id);
  if (job.base != BaseState::Running) return;
  job.executions.back().ended = at_;
  job.executions.back().state = BaseState::Pending;
  job.base = BaseState::Pending;
  job.requeued = true;
  job.ends.reset();
  update_row(job);
  job.requeued = false;
  job.submitted = at_;
  job.started.reset();
  job.eligible = at_ + options_.requeue_delay;
  job.completing_until = at_ + options_.completing;
  job.reason = "BeginTime";
  ++job.restarts;
  job.between_records = true;
}

void FakeCluster::finish(JobId id, int exit_code) {
  FakeJob& job = listed(id);
  end(job, exit_code == 0 ? BaseState::Completed : BaseState::Failed, exit_code);
}

void FakeCluster::end_as(JobId id, BaseState state) { end(listed(id), state, 0); }

void FakeCluster::set_comment(JobId id, const std::string& comment) {
  listed(id).comment = comment;
}

void FakeCluster::set_down(bool down) {
  catch_up();
  if (down_ && !down) {
    // What was on its way meanwhile met a closed door.
    const TimePoint now = clock_.world();
    std::erase_if(on_their_way_, [now](const OnItsWay& late) { return late.at <= now; });
    at_ = now;
  }
  down_ = down;
  catch_up();
}

void FakeCluster::set_accounting(Accounting accounting) {
  catch_up();
  accounting_ = accounting;
}

void FakeCluster::set_run_slots(int slots) {
  catch_up();
  options_.run_slots = slots;
}

void FakeCluster::lose_state() {
  catch_up();
  for (const auto& [id, index] : listed_) {
    FakeJob& job = jobs_[index];
    if (job.base == BaseState::Running) {
      job.executions.back().ended = at_;
      job.executions.back().state = BaseState::NodeFail;
    }
    job.listed = false;
    job.lost = true;
  }
  listed_.clear();
  next_id_ = options_.first_id;
}

void FakeCluster::forget_newest(seconds unsaved) {
  catch_up();
  std::erase_if(listed_, [&](const auto& entry) {
    FakeJob& job = jobs_[entry.second];
    if (job.created + unsaved < at_ || job.base != BaseState::Pending) return false;
    if (job.array && records_of(*job.array) > 1) return false;  // saved when its tasks began
    job.listed = false;
    job.lost = true;
    next_id_ = std::min(next_id_, job.id.value);
    std::erase_if(rows_, [&](const Row& row) { return row.job == entry.second; });
    return true;
  });
}

const std::deque<FakeJob>& FakeCluster::ever() {
  catch_up();
  return jobs_;
}

const FakeJob* FakeCluster::job(JobId id) {
  catch_up();
  return find_listed(id);
}

}  // namespace sconverge::test
