// Parts of Slurm fail while the controller runs, and come back.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/e2e/end_to_end.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kUp = R"(sconverge_slurm_up{cluster="default"})";

/// Mends the lab for the tests after it.
class Outage : public EndToEnd {
 protected:
  ~Outage() override { lab_.up(); }

  /// Every job of the spec's in accounting, and nothing but one: its state and exit code.
  void expect_one_job(const std::string& name, const std::string& state,
                      const std::string& exit_code) {
    std::vector<SlurmView> jobs;
    ASSERT_TRUE(comes_true([&] {
      jobs = accounting();
      std::erase_if(jobs, [&](const SlurmView& job) { return job.spec != "default/" + name; });
      return !jobs.empty();
    }));
    ASSERT_THAT(jobs, SizeIs(1)) << name;
    EXPECT_EQ(jobs[0].state, state) << name;
    EXPECT_EQ(jobs[0].exit_code, exit_code) << name;
  }

  /// slurmctld has forgotten an ended job.
  [[nodiscard]] bool forgotten(std::uint32_t job) {
    return lab_.try_exec("root", {"scontrol", "show", "job", std::to_string(job)}).code != 0;
  }

  /// slurmctld has written its jobs down since: a SIGKILL does not lose them any more.
  /// slurmctld saves some seconds after a change, so there has to be one: of a field nobody reads.
  testing::AssertionResult slurmctld_saves(const std::string& spec) {
    const auto written = [&] {
      struct stat file {};
      return ::stat((lab_.spool() + "/job_state").c_str(), &file) == 0
                 ? file.st_mtim.tv_sec * 1'000'000'000 + file.st_mtim.tv_nsec
                 : 0;
    };
    const auto before = written();
    lab_.exec("root", {"scontrol", "update", "jobid=" + std::to_string(*row(spec).job),
                       "admincomment=saved"});
    return comes_true([&] { return written() != before; });
  }
};

TEST_F(Outage, OfSlurmrestdIsWaitedOut) {
  write({"before", gate("before", 3)});
  start();
  ASSERT_TRUE(becomes("before", "Running"));

  lab_.kill("slurmrestd");
  write({"during", "exit 0"});
  ASSERT_TRUE(comes_true([&] { return controller_->metric(kUp) == 0; }));
  EXPECT_EQ(controller_->get("/livez").status, 200);
  EXPECT_THAT(cluster().error, HasSubstr(address()));
  EXPECT_EQ(row("before").phase, "Running");
  open("before");

  lab_.start("slurmrestd");
  ASSERT_TRUE(becomes("during", "Succeeded"));
  ASSERT_TRUE(becomes("before", "Failed"));
  EXPECT_EQ(row("before").exit_code, 3);
  expect_one_job("before", "FAILED", "3:0");
  expect_one_job("during", "COMPLETED", "0:0");
}

TEST_F(Outage, OfSlurmctldIsWaitedOut) {
  write({"runs", gate("runs", 3)});
  write({"waits", gate("waits"), kNotBefore2037});
  start();
  ASSERT_TRUE(becomes("runs", "Running"));
  ASSERT_TRUE(becomes("waits", "Pending"));
  ASSERT_TRUE(slurmctld_saves("waits"));

  lab_.kill("slurmctld");
  write({"during", "exit 0"});
  ASSERT_TRUE(comes_true([&] { return controller_->metric(kUp) == 0; }));
  EXPECT_EQ(row("runs").phase, "Running");
  EXPECT_EQ(row("waits").phase, "Pending");

  lab_.start("slurmctld");
  ASSERT_TRUE(becomes("during", "Succeeded"));
  open("runs");
  ASSERT_TRUE(becomes("runs", "Failed"));
  EXPECT_EQ(row("runs").exit_code, 3);
  EXPECT_EQ(states_of("waits"), "PENDING");
  expect_one_job("runs", "FAILED", "3:0");
  expect_one_job("during", "COMPLETED", "0:0");
}

TEST_F(Outage, OfSlurmdbdDoesNotMatterToJobsThatSlurmctldKnows) {
  lab_.stop("slurmdbd");
  write({"good", "exit 0"});
  write({"bad", "exit 7"});
  start();
  ASSERT_TRUE(becomes("good", "Succeeded"));
  ASSERT_TRUE(becomes("bad", "Failed"));
  EXPECT_EQ(row("bad").exit_code, 7);
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("good"), "COMPLETED");
  EXPECT_EQ(states_of("bad"), "FAILED");
}

TEST_F(Outage, OfTheTokenEndsWithANewOneInTheSameFile) {
  const std::string token = directory_ / "token";
  if (over_gateway()) {
    std::filesystem::copy_file(flags_[token_flag()], token);
  } else {
    lab_.token(5, token);
  }
  flags_[token_flag()] = token;
  start();
  write({"first", gate("first")});
  ASSERT_TRUE(becomes("first", "Running"));
  // Slurm itself says when it is over; a gateway when it is told.
  if (over_gateway()) gateway_->accept_another_token();
  ASSERT_TRUE(comes_true([&] { return verb({"check"}).code == 1; }));
  const Ended check = verb({"check"});
  EXPECT_THAT(check.err, HasSubstr("the token in"));
  write({"second", "exit 0"});
  ASSERT_TRUE(comes_true([&] {
    return controller_->metric(
               R"(sconverge_reconcile_errors_total{cluster="default",reason="api_auth"})") > 0;
  }));
  ASSERT_TRUE(comes_true([&] { return !cluster().error.empty(); }));

  if (over_gateway()) {
    std::filesystem::copy_file(gateway_->token_file(), token,
                               std::filesystem::copy_options::overwrite_existing);
  } else {
    lab_.token(3600, token);
  }
  ASSERT_TRUE(becomes("second", "Succeeded"));
  open("first");
  ASSERT_TRUE(becomes("first", "Succeeded"));
  EXPECT_EQ(states_of("first"), "COMPLETED");
  EXPECT_EQ(states_of("second"), "COMPLETED");
  EXPECT_EQ(verb({"check"}).code, 0);
}

TEST_F(Outage, OfTheControllerUntilSlurmHasForgottenTheJobEndsWithTheOutcomeFromAccounting) {
  lab_.reconfigure({"--min-job-age", "2"});
  write({"good", gate("end")});
  write({"bad", gate("end", 7)});
  start();
  ASSERT_TRUE(becomes("good", "Running"));
  ASSERT_TRUE(becomes("bad", "Running"));
  const auto good = *row("good").job;
  const auto bad = *row("bad").job;
  controller_->kill();

  open("end");
  ASSERT_TRUE(comes_true([&] { return forgotten(good) && forgotten(bad); }));
  start();
  ASSERT_TRUE(becomes("good", "Succeeded"));
  ASSERT_TRUE(becomes("bad", "Failed", "NonZeroExitCode"));
  EXPECT_EQ(row("good").exit_code, 0);
  EXPECT_EQ(row("bad").exit_code, 7);
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("good"), "");
  EXPECT_EQ(states_of("bad"), "");
  expect_one_job("good", "COMPLETED", "0:0");
  expect_one_job("bad", "FAILED", "7:0");
}

TEST_F(Outage, WithoutAccountingLeavesAForgottenJobLostAndDoesNotRunItAgain) {
  lab_.reconfigure({"--min-job-age", "2", "--accounting", "off"});
  write({"train", gate("end")});
  start();
  ASSERT_TRUE(becomes("train", "Running"));
  const auto job = *row("train").job;
  controller_->kill();

  open("end");
  ASSERT_TRUE(comes_true([&] { return forgotten(job); }));
  start();
  ASSERT_TRUE(becomes("train", "Lost", "AwaitingAccounting"));
  ASSERT_TRUE(looks_again(8));
  EXPECT_EQ(row("train").phase, "Lost");
  EXPECT_EQ(states_of("train"), "");

  EXPECT_EQ(look({"rerun", "train"}).code, 0);
  ASSERT_TRUE(comes_true([&] { return row("train").run == 2; }));
}

TEST_F(Outage, OfSlurmrestdFromTheStartIsWaitedOut) {
  lab_.stop("slurmrestd");
  write({"hello", "exit 0"});
  start();
  ASSERT_TRUE(comes_true([&] { return !cluster().error.empty(); }));
  EXPECT_THAT(cluster().error, HasSubstr(address()));
  EXPECT_EQ(controller_->metric(kUp), 0);
  EXPECT_EQ(controller_->get("/readyz").status, 200);
  EXPECT_EQ(row("hello").phase, "Waiting");
  const Ended check = verb({"check"});
  EXPECT_EQ(check.code, 7);
  EXPECT_THAT(check.err, HasSubstr(address()));

  lab_.start("slurmrestd");
  ASSERT_TRUE(becomes("hello", "Succeeded"));
  EXPECT_EQ(states_of("hello"), "COMPLETED");
}

}  // namespace
}  // namespace sconverge::test
