#pragma once

#include <functional>

#include "controller/ports/slurm_client.h"
#include "controller/ports/spec_source.h"
#include "controller/ports/store.h"
#include "tests/sim/judge.h"
#include "tests/support/fake_slurm.h"

namespace sconverge::test {

/// The process dies. Thrown by the ports below and caught by the simulation, nowhere else.
struct Crash {};

/// Counts the calls to all ports and lets the process die at one of them.
class Fuse {
 public:
  /// At the `call`th call from now, before its effect or after it.
  void set(int call, bool before) {
    left_ = call;
    before_ = before;
  }
  void clear() { left_ = 0; }

  template <typename Call>
  auto pass(const Call& call) {
    const bool now = left_ > 0 && --left_ == 0;
    if (now && before_) throw Crash{};
    auto result = call();
    if (now) throw Crash{};
    return result;
  }

 private:
  int left_{0};
  bool before_{false};
};

class SourcePort : public SpecSource {
 public:
  SourcePort(FakeSpecSource& source, Fuse& fuse, Judge& judge)
      : source_(source), fuse_(fuse), judge_(judge) {}

  Desired read() override {
    return fuse_.pass([&] {
      Desired desired = source_.read();
      judge_.snapshot(desired);
      return desired;
    });
  }
  SourceScan last_scan() const override { return source_.last_scan(); }
  bool wait(milliseconds timeout, const std::stop_token& stop) override {
    return source_.wait(timeout, stop);
  }

 private:
  FakeSpecSource& source_;
  Fuse& fuse_;
  Judge& judge_;
};

class SlurmPort : public SlurmClient {
 public:
  SlurmPort(FakeSlurm& slurm, Fuse& fuse, Judge& judge)
      : slurm_(slurm), fuse_(fuse), judge_(judge) {}

  /// What happens between the look at the cluster and what is done about it.
  void after_observing(std::function<void()> happening) { happening_ = std::move(happening); }

  /// The next submit lands so late that the controller may already have sent it again.
  void next_submit_lands_too_late(milliseconds late) { too_late_ = late; }

  Result<Observation> observe(const ObserveScope& scope) override {
    return fuse_.pass([&] {
      auto answer = slurm_.observe(scope);
      if (answer) judge_.observation(*answer);
      if (happening_) std::exchange(happening_, {})();
      return answer;
    });
  }
  Result<std::optional<SlurmJob>> read(JobId job) override {
    return fuse_.pass([&] {
      auto answer = slurm_.read(job);
      if (answer) judge_.read(job, *answer);
      return answer;
    });
  }
  Result<std::optional<SlurmJob>> account(const Question& question) override {
    return fuse_.pass([&] { return slurm_.account(question); });
  }
  Result<Submitted> submit(const Submission& submission) override {
    return fuse_.pass([&] {
      judge_.before_submit(submission);
      if (too_late_ > milliseconds{0}) {
        judge_.excuse(mark_in(std::get<std::string>(submission.fields.at("comment")))->spec);
        slurm_.next_submit(SubmitFate::LandsLate, std::exchange(too_late_, milliseconds{0}));
      }
      auto answer = slurm_.submit(submission);
      if (answer) judge_.submitted(answer->job);
      return answer;
    });
  }
  Result<Done> update(JobId job, const JobFields& fields) override {
    return fuse_.pass([&] {
      judge_.before_update(job);
      return slurm_.update(job, fields);
    });
  }
  Result<Done> set_hold(JobId job, bool hold) override {
    return fuse_.pass([&] {
      judge_.before_hold(job, hold);
      return slurm_.set_hold(job, hold);
    });
  }
  Result<Done> cancel(JobId job) override {
    return fuse_.pass([&] {
      judge_.before_cancel(job);
      return slurm_.cancel(job);
    });
  }
  Result<ClusterInfo> check() override { return slurm_.check(); }
  std::vector<SlurmRequest> take_requests() override { return slurm_.take_requests(); }

 private:
  FakeSlurm& slurm_;
  Fuse& fuse_;
  Judge& judge_;
  milliseconds too_late_{0};
  std::function<void()> happening_{};
};

class StorePort : public Store {
 public:
  StorePort(FakeStore& store, Fuse& fuse) : store_(store), fuse_(fuse) {}

  Result<History> load() override {
    return fuse_.pass([&] { return store_.load(); });
  }
  Result<Done> save(const History& history, const std::vector<SpecName>& names) override {
    return fuse_.pass([&] { return store_.save(history, names); });
  }
  Result<std::vector<Request>> requests() override {
    return fuse_.pass([&] { return store_.requests(); });
  }
  Result<Done> add_request(const Request& request) override { return store_.add_request(request); }
  Result<Done> answered(const std::vector<Request>& requests) override {
    return fuse_.pass([&] { return store_.answered(requests); });
  }
  Result<Done> publish(const Published& published) override {
    return fuse_.pass([&] { return store_.publish(published); });
  }
  Result<Published> published() override { return store_.published(); }
  std::optional<std::uint64_t> size_bytes() const override { return store_.size_bytes(); }

 private:
  FakeStore& store_;
  Fuse& fuse_;
};

}  // namespace sconverge::test
