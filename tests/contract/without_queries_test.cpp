// A Slurm Job API that takes no query strings: Google's documentation never shows one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/contract/gateway_under_test.h"
#include "tests/support/builders.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;

TEST(WithoutQueries, JobsAreSubmittedReadCancelledAndFoundInAccounting) {
  if (!LabUnderTest::is_there()) GTEST_SKIP() << "needs the lab";
  GatewayUnderTest cluster(false);
  SlurmClient& client = cluster.client();

  Submission submission;
  const std::string name = "no-queries-" + std::to_string(::getpid());
  submission.fields = {{"name", name},
                       {"partition", std::string("main")},
                       {"current_working_directory", std::string("/tmp")},
                       {"standard_output", std::string("/dev/null")},
                       {"environment", std::vector<std::string>{"PATH=/bin"}}};
  submission.script = "#!/bin/sh\nsleep 300\n";
  const auto submitted = client.submit(submission);
  ASSERT_THAT(submitted, Works());
  EXPECT_THAT(client.observe({}), Works());
  const auto job = client.read(submitted->job);
  ASSERT_THAT(job, Works());
  EXPECT_TRUE(job->has_value());
  EXPECT_THAT(client.cancel(submitted->job), Works());

  Question question{.token = "t", .job = submitted->job, .job_name = name};
  std::optional<SlurmJob> ended;
  for (int i = 0; i < 300 && !(ended && ended->state.final()); ++i, cluster.pass_time()) {
    const auto found = client.account(question);
    if (found) ended = *found;
  }
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->state.final());

  // By name alone only today's can be looked through.
  question.job.reset();
  question.job_name = name + "-of-nobody";
  const auto nobody = client.account(question);
  ASSERT_FALSE(nobody);
  EXPECT_THAT(nobody.error().message, HasSubstr("refuses query strings"));
  const auto info = client.check();
  ASSERT_THAT(info, Works());
  EXPECT_TRUE(info->accounting);
}

}  // namespace
}  // namespace sconverge::test
