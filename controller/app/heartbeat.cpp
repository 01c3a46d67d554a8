#include "controller/app/heartbeat.h"

namespace sconverge {
namespace {

class BeatingSource : public SpecSource {
 public:
  BeatingSource(std::unique_ptr<SpecSource> inner, Heartbeat& heartbeat, const Clock& clock)
      : inner_(std::move(inner)), heartbeat_(heartbeat), clock_(clock) {}

  Desired read() override {
    heartbeat_.beat(clock_.now());
    Desired desired = inner_->read();
    heartbeat_.scanned();
    return desired;
  }
  SourceScan last_scan() const override { return inner_->last_scan(); }
  bool wait(milliseconds timeout, const std::stop_token& stop) override {
    heartbeat_.beat(clock_.now());
    return inner_->wait(timeout, stop);
  }

 private:
  std::unique_ptr<SpecSource> inner_;
  Heartbeat& heartbeat_;
  const Clock& clock_;
};

class BeatingSlurm : public SlurmClient {
 public:
  BeatingSlurm(std::unique_ptr<SlurmClient> inner, Heartbeat& heartbeat, const Clock& clock)
      : inner_(std::move(inner)), heartbeat_(heartbeat), clock_(clock) {}

  Result<Observation> observe(const ObserveScope& scope) override { return next().observe(scope); }
  Result<std::optional<SlurmJob>> read(JobId job) override { return next().read(job); }
  Result<std::optional<SlurmJob>> account(const Question& question) override {
    return next().account(question);
  }
  Result<Submitted> submit(const Submission& submission) override {
    return next().submit(submission);
  }
  Result<Done> update(JobId job, const JobFields& fields) override {
    return next().update(job, fields);
  }
  Result<Done> set_hold(JobId job, bool hold) override { return next().set_hold(job, hold); }
  Result<Done> cancel(JobId job) override { return next().cancel(job); }
  Result<ClusterInfo> check() override { return next().check(); }
  std::vector<SlurmRequest> take_requests() override { return next().take_requests(); }

 private:
  SlurmClient& next() {
    heartbeat_.beat(clock_.now());
    return *inner_;
  }

  std::unique_ptr<SlurmClient> inner_;
  Heartbeat& heartbeat_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<SpecSource> with_heartbeat(std::unique_ptr<SpecSource> source, Heartbeat& heartbeat,
                                           const Clock& clock) {
  return std::make_unique<BeatingSource>(std::move(source), heartbeat, clock);
}

std::unique_ptr<SlurmClient> with_heartbeat(std::unique_ptr<SlurmClient> slurm,
                                            Heartbeat& heartbeat, const Clock& clock) {
  return std::make_unique<BeatingSlurm>(std::move(slurm), heartbeat, clock);
}

}  // namespace sconverge
