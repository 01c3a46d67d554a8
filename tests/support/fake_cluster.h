#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/job_record.h"
#include "controller/core/result.h"
#include "controller/core/slurm_job.h"
#include "controller/core/submission.h"
#include "tests/support/fake_clock.h"

namespace sconverge::test {

/// What a job does once it runs.
struct FakeRun {
  seconds lasts{30};
  int exit_code{0};
};

enum class Accounting {
  On,
  Down,  ///< cannot be asked; what happens meanwhile is told later
  Off,   ///< the cluster keeps none
};

struct FakeClusterOptions {
  std::vector<std::string> partitions{"main", "debug"};
  int run_slots{8};
  int most_jobs{10000};       ///< Slurm's MaxJobCount
  seconds start_delay{1};     ///< a free slot is filled this long after a job came
  seconds completing{1};      ///< how long an ended job is COMPLETING
  seconds requeue_delay{10};  ///< BeginTime of a requeued job
  seconds min_job_age{300};
  seconds accounting_lag{1};
  std::uint32_t max_array_size{1001};
  bool accounting_keeps_comments{true};  ///< AccountingStoreFlags=job_comment
  std::uint32_t first_id{1};
  std::uint32_t last_id{67043328};  ///< ids wrap after it
  /// What a job does whose script has no "sleep N" line; "exit N" lines are honoured always.
  FakeRun run{};
};

/// One cancel that reached a job. Whoever it was by.
struct FakeCancel {
  std::string by;
  TimePoint at{};
  BaseState found{BaseState::Other};
};

/// One time a job ran.
struct FakeExecution {
  std::optional<Mark> mark;  ///< the job's, at its start
  TimePoint started{};
  std::optional<TimePoint> ended{};
  BaseState state{BaseState::Running};  ///< how it ended; Pending if it was requeued
};

/// A record of a job that once was accepted: as Slurm holds it, and all that truly happened to it.
/// A job array is one record until its tasks begin, each of which splits off one of its own.
struct FakeJob {
  JobId id;
  std::size_t submission{0};            ///< counts what was accepted; an array's records share it
  std::optional<JobId> array{};         ///< the array's id; its own in the record accepted
  std::optional<std::uint32_t> task{};  ///< of the array; none: all of `waiting`
  IndexSet waiting{};                   ///< an array's tasks that have not begun
  std::uint32_t throttle{0};
  std::string user{};
  JobFields fields{};
  std::string script{};
  std::string name{};
  std::string comment{};

  BaseState base{BaseState::Pending};
  std::optional<TimePoint> completing_until{};
  bool held{false};
  bool requeued{false};
  std::string reason{"None"};
  TimePoint submitted{};
  TimePoint eligible{};
  std::optional<TimePoint> started{};
  std::optional<TimePoint> ends{};  ///< while it runs: when it will end
  std::optional<TimePoint> ended{};
  int exit_code{0};
  int restarts{0};
  std::string cancelled_by{};
  bool listed{true};  ///< false: purged, or lost with Slurm's state
  bool lost{false};   ///< with Slurm's state
  /// Slurm 24.11: accounting has closed its record of the run before and opens no new one before
  /// that is cleaned up.
  bool between_records{false};

  TimePoint created{};
  std::optional<Mark> mark{};  ///< the newest it ever carried; null if it was never marked
  std::vector<FakeExecution> executions{};
  std::vector<FakeCancel> cancels{};
  std::optional<FakeRun> run{};  ///< set by a test; else from the script

  /// It runs or may still run.
  [[nodiscard]] bool alive() const { return listed && base <= BaseState::Suspended; }
};

/// A Slurm in memory: jobs, a scheduler, an accounting database and the people around it. Nothing
/// here ever fails without a cause in Slurm itself; faults are FakeSlurm's. Time is the clock's
/// `world()`; whatever is due happens before anything is answered. One thread.
class FakeCluster {
 public:
  explicit FakeCluster(const FakeClock& clock, FakeClusterOptions options = {});

  // What slurmctld does. `by` is who asks.
  Result<JobId> submit(const Submission& submission, const std::string& user);
  /// A submit that is still on its way and arrives at `at`, or never if slurmctld is down then.
  void submit_later(const Submission& submission, const std::string& user, TimePoint at);
  [[nodiscard]] bool expects_late_submits();
  std::vector<SlurmJob> list();
  /// The same as Slurm's own records: an array's tasks singly, once they have begun.
  std::vector<JobRecord> records();
  /// An array by its id.
  std::optional<SlurmJob> find(JobId id);
  /// As for an unprivileged owner of the job. Of an array with several records one is changed, or
  /// held: that with its id (Slurm 24.11).
  Result<Done> update(JobId id, const JobFields& fields);
  Result<Done> set_hold(JobId id, bool hold);
  /// Of an unknown or ended job: nothing happens. Of an array: all tasks.
  void cancel(JobId id, const std::string& by);

  /// Accounting's rows, oldest first. A requeued job has several of one id.
  std::vector<JobRecord> accounting_rows();

  // What people and nodes do. REQUIRES that the job is listed.
  JobId foreign_job(const std::string& name, const std::string& user = "bob",
                    const std::string& comment = "");
  void scancel(JobId id, const std::string& by = "bob") { cancel(id, by); }
  /// One task that waits: no record of it remains (Slurm 24.11).
  void scancel_task(JobId array, std::uint32_t task, const std::string& by = "bob");
  void hold(JobId id) { (void)set_hold(id, true); }
  void release(JobId id) { (void)set_hold(id, false); }
  /// Same id, new submit time, comment kept; from RUNNING only.
  void requeue(JobId id);
  void finish(JobId id, int exit_code);
  /// Ends a running job with NODE_FAIL, TIMEOUT, OUT_OF_MEMORY, ...
  void end_as(JobId id, BaseState state);
  void set_comment(JobId id, const std::string& comment);
  void set_run(JobId id, FakeRun run) { listed(id).run = run; }

  // What operators do.
  /// slurmctld; jobs that run go on, and it hears of their ends when it is up again.
  void set_down(bool down);
  [[nodiscard]] bool down() const { return down_; }
  void set_accounting(Accounting accounting);
  [[nodiscard]] Accounting accounting() const { return accounting_; }
  void set_run_slots(int slots);
  /// StateSaveLocation is lost: no jobs, ids from the first again. Accounting remembers.
  void lose_state();
  /// slurmctld dies before it saved its newest jobs: those accepted within `unsaved` that have not
  /// started are gone, accounting is none the wiser, and their ids are given out again.
  void forget_newest(seconds unsaved);

  /// Everything that was ever accepted, in the order in which it was.
  const std::deque<FakeJob>& ever();
  /// The listed job of this id, or null.
  const FakeJob* job(JobId id);
  [[nodiscard]] const FakeClusterOptions& options() const { return options_; }

 private:
  struct Row {
    std::size_t job;   ///< index into jobs_
    JobRecord before;  ///< shown until `from`
    JobRecord now;
    TimePoint from{};
  };
  struct OnItsWay {
    Submission submission;
    std::string user;
    TimePoint at{};
  };

  void catch_up();
  std::optional<TimePoint> next_event() const;
  void happen();
  void transition(FakeJob& job);
  void schedule();
  void start(FakeJob& job);
  FakeJob& split(FakeJob& array);
  [[nodiscard]] bool may_start(const FakeJob& job) const;
  [[nodiscard]] bool may_be_purged(const FakeJob& job) const;
  [[nodiscard]] int records_of(JobId array) const;
  void end(FakeJob& job, BaseState state, int exit_code);

  Result<JobId> accept(const Submission& submission, const std::string& user);
  std::optional<Error> refusal_of(const Submission& submission) const;
  JobId next_id();
  FakeJob* find_listed(JobId id);
  FakeJob& listed(JobId id);
  FakeRun run_of(const FakeJob& job) const;
  [[nodiscard]] int running() const;

  void new_row(const FakeJob& job);
  void update_row(const FakeJob& job);

  const FakeClock& clock_;
  FakeClusterOptions options_;
  TimePoint at_;  ///< everything due until then has happened
  bool down_{false};
  Accounting accounting_{Accounting::On};
  std::uint32_t next_id_;
  std::size_t accepted_{0};
  std::deque<FakeJob> jobs_;
  std::map<JobId, std::size_t> listed_;
  std::vector<OnItsWay> on_their_way_;
  std::vector<Row> rows_;
};

}  // namespace sconverge::test
