#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/contract/gateway_under_test.h"
#include "tests/support/builders.h"
#include "tests/support/matchers.h"

namespace sconverge::test {

inline constexpr JobId kNobodysId{66000000};

inline std::string random_word() {
  std::random_device device;
  return a_token(std::to_string(device()) + std::to_string(device())).substr(0, 12);
}

/// A SlurmClient, fake or real, and what cases need around it.
struct SlurmClientContract : testing::TestWithParam<ClusterKind> {
  std::unique_ptr<ClusterUnderTest> cluster = GetParam().make({});
  SlurmClient& client = cluster->client();
  std::string name = "contract-" + random_word();
  std::vector<JobId> created{};

  void TearDown() override {
    for (const JobId job : created) EXPECT_THAT(client.cancel(job), Works());
  }

  SpecBuilder spec(const std::string& script = "#!/bin/sh\nsleep 600\n") const {
    return a_spec(name).script(script).time_limit(20).with("standard_output",
                                                           std::string("/dev/null"));
  }
  /// A job that stays pending until somebody changes that.
  SpecBuilder pending_spec() const {
    const auto hour_from_now =
        std::chrono::duration_cast<seconds>(cluster->now().time_since_epoch()) + seconds{3600};
    return spec("#!/bin/sh\nexit 0\n").with("begin_time", hour_from_now.count());
  }

  static Submission submission(const JobSpec& spec, const Mark& mark) {
    return submission_of(spec, mark,
                         {.working_directory = "/tmp", .environment = {"PATH=/usr/bin:/bin"}});
  }
  Mark mark_for(const JobSpec& spec) const {
    Mark mark = a_mark(spec, 1, 1, "contract");
    mark.token = random_word();
    return mark;
  }

  JobId submit(const Submission& submission) {
    const Result<Submitted> answer = client.submit(submission);
    EXPECT_THAT(answer, Works()) << testing::PrintToString(answer.ok() ? Error{} : answer.error());
    if (!answer.ok()) std::abort();
    created.push_back(answer->job);
    return answer->job;
  }
  JobId submit(const JobSpec& spec) { return submit(submission(spec, mark_for(spec))); }

  SlurmJob read(JobId job) {
    const auto answer = client.read(job);
    EXPECT_THAT(answer, Works());
    return answer.ok() && *answer ? **answer : SlurmJob{.id = {}};
  }

  /// Looks again and again until `is_so`; a minute at most.
  template <typename Condition>
  bool eventually(const Condition& is_so) {
    const TimePoint deadline = cluster->now() + seconds{60};
    while (!is_so()) {
      if (cluster->now() > deadline) return false;
      cluster->pass_time();
    }
    return true;
  }
  SlurmJob wait_until_final(JobId job) {
    EXPECT_TRUE(eventually([&] { return read(job).state.final(); })) << "job is not done";
    return read(job);
  }
  SlurmJob wait_until_running(JobId job) {
    EXPECT_TRUE(eventually([&] { return read(job).state.base == BaseState::Running; }));
    return read(job);
  }

  std::vector<SlurmJob> observed_with(const std::string& token) {
    const auto observation = client.observe({});
    EXPECT_THAT(observation, Works());
    std::vector<SlurmJob> found;
    if (!observation.ok()) return found;
    std::copy_if(observation->jobs.begin(), observation->jobs.end(), std::back_inserter(found),
                 [&](const SlurmJob& job) { return job.mark && job.mark->token == token; });
    return found;
  }

  Question question(const std::string& token, std::optional<JobId> job) const {
    return {.token = token,
            .job = job,
            .ask_accounting = true,
            .job_name = name,
            .submitted_after = cluster->now() - seconds{120}};
  }
  std::optional<SlurmJob> account(const Question& question) {
    const auto answer = client.account(question);
    EXPECT_THAT(answer, Works());
    return answer.ok() ? *answer : std::nullopt;
  }
  /// Accounting hears of an end a little later.
  std::optional<SlurmJob> account_of_the_end(const Question& question) {
    EXPECT_TRUE(eventually([&] {
      const auto job = account(question);
      return job && job->state.final();
    })) << "accounting does not know the end";
    return account(question);
  }
};

}  // namespace sconverge::test
