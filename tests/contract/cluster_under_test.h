#pragma once

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "controller/http/http_client.h"
#include "controller/slurm/rest_client.h"
#include "controller/slurm/slurmrestd_transport.h"
#include "tests/support/fake_slurm.h"

namespace sconverge::test {

/// A SlurmClient, and what people and time do around it.
class ClusterUnderTest {
 public:
  virtual ~ClusterUnderTest() = default;

  virtual SlurmClient& client() = 0;
  [[nodiscard]] virtual std::string user() const = 0;
  [[nodiscard]] virtual TimePoint now() const = 0;  ///< Slurm's
  virtual void pass_time() = 0;                     ///< a moment: until one should look again

  virtual JobId foreign_job(const std::string& name) = 0;  ///< of bob, pending for long
  virtual void end_foreign_job(JobId job) = 0;
  virtual void scancel_as_root(JobId job) = 0;
  virtual void requeue_as_root(JobId job) = 0;
  virtual std::string time_limit_of(JobId job) = 0;  ///< as squeue prints it, e.g. "1:30:00"
  /// Of a job array's tasks that have not begun, as squeue prints them, e.g. "0-3%2".
  virtual std::string waiting_tasks_of(JobId job) = 0;
  virtual void scancel_task_as_root(JobId job, std::uint32_t task) = 0;
};

class FakeClusterUnderTest : public ClusterUnderTest {
 public:
  explicit FakeClusterUnderTest(const ObserverOptions& observer = {})
      : slurm_(clock_, {}, observer) {}

  SlurmClient& client() override { return slurm_; }
  [[nodiscard]] std::string user() const override { return slurm_.user(); }
  [[nodiscard]] TimePoint now() const override { return clock_.world(); }
  void pass_time() override { clock_.advance(seconds{1}); }

  JobId foreign_job(const std::string& name) override {
    const JobId job = slurm_.cluster().foreign_job(name);
    slurm_.cluster().hold(job);
    return job;
  }
  void end_foreign_job(JobId job) override { slurm_.cluster().scancel(job); }
  void scancel_as_root(JobId job) override { slurm_.cluster().scancel(job, "root"); }
  void requeue_as_root(JobId job) override { slurm_.cluster().requeue(job); }
  std::string time_limit_of(JobId job) override {
    const auto minutes = std::get<std::int64_t>(slurm_.cluster().job(job)->fields.at("time_limit"));
    std::array<char, 32> text{};
    (void)std::snprintf(text.data(), text.size(), "%d:%02d:00", static_cast<int>(minutes / 60),
                        static_cast<int>(minutes % 60));
    return text.data();
  }
  std::string waiting_tasks_of(JobId job) override {
    const FakeJob* array = slurm_.cluster().job(job);
    const std::string throttle = array->throttle == 0 ? "" : "%" + std::to_string(array->throttle);
    return to_text(array->waiting) + throttle;
  }
  void scancel_task_as_root(JobId job, std::uint32_t task) override {
    slurm_.cluster().scancel_task(job, task, "root");
  }

 private:
  FakeClock clock_;
  FakeSlurm slurm_;
};

/// The Slurm of tests/lab, which others may use at the same time.
class LabUnderTest : public ClusterUnderTest {
 public:
  explicit LabUnderTest(const ObserverOptions& observer = {})
      : client_(make_rest_client(lab_transport(), {.observer = observer})) {}

  SlurmClient& client() override { return *client_; }
  [[nodiscard]] std::string user() const override { return variable("SCONVERGE_USER"); }
  [[nodiscard]] TimePoint now() const override {
    return std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
  }
  void pass_time() override { std::this_thread::sleep_for(milliseconds{200}); }

  JobId foreign_job(const std::string& name) override {
    const std::string id =
        run("--user bob sbatch --parsable --hold --chdir /tmp --output /dev/null" +
            (" --job-name '" + name + "'") + " --wrap 'sleep 1'");
    return JobId{static_cast<std::uint32_t>(std::stoul(id))};
  }
  void end_foreign_job(JobId job) override { scancel_as_root(job); }
  void scancel_as_root(JobId job) override { run("scancel " + to_text(job)); }
  void requeue_as_root(JobId job) override { run("scontrol requeue " + to_text(job)); }
  std::string time_limit_of(JobId job) override {
    return run("squeue --noheader --format %l --jobs " + to_text(job));
  }
  std::string waiting_tasks_of(JobId job) override {
    return run("squeue --noheader --states PENDING --format %K --jobs " + to_text(job));
  }
  void scancel_task_as_root(JobId job, std::uint32_t task) override {
    run("scancel " + to_text(job) + "_" + std::to_string(task));
  }

  static bool is_there() { return !variable("SCONVERGE_SLURMRESTD").empty(); }

  static std::unique_ptr<Transport> lab_transport() {
    auto transport = make_slurmrestd_transport({.url = variable("SCONVERGE_SLURMRESTD"),
                                                .user = variable("SCONVERGE_USER"),
                                                .token_file = variable("SCONVERGE_TOKEN_FILE")},
                                               make_http_client({}).value());
    return std::move(transport.value());
  }

  static std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  }

 private:
  /// What the command prints, without the last line end.
  static std::string run(const std::string& command) {
    const std::string line = SCONVERGE_SOURCE_DIR "/tests/lab/lab exec " + command;
    FILE* pipe = popen(line.c_str(), "r");
    std::string text;
    std::array<char, 256> part{};
    while (std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
    if (pclose(pipe) != 0) {
      std::fprintf(stderr, "failed: %s\n", line.c_str());
      std::abort();
    }
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

  std::unique_ptr<SlurmClient> client_;
};

struct ClusterKind {
  const char* name;
  std::function<std::unique_ptr<ClusterUnderTest>(const ObserverOptions&)> make;

  friend void PrintTo(const ClusterKind& kind, std::ostream* out) { *out << kind.name; }
};

}  // namespace sconverge::test
