#include "controller/slurm/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/slurm/golden.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;

constexpr Purpose kAllPurposes[] = {Purpose::Read, Purpose::Submit, Purpose::Change,
                                    Purpose::Cancel};

AnswerBody with_errno(int number) {
  return {.whole = true, .errors = {SlurmComplaint{number, "text"}}};
}

Error error_with(int number, Purpose purpose = Purpose::Submit, int status = 500) {
  return error_of(purpose, "submit", {.status = status}, with_errno(number));
}

ErrorKind kind_with(int number, Purpose purpose = Purpose::Submit, int status = 500) {
  return error_with(number, purpose, status).kind;
}

ErrorKind kind_without_errno(int status, Purpose purpose) {
  return error_of(purpose, "x", {.status = status}, {}).kind;
}

TEST(RefusalTest, SlurmThatCannotBeReachedIsUnavailable) {
  for (const Purpose purpose : kAllPurposes) {
    EXPECT_EQ(kind_with(1800, purpose, 502), ErrorKind::Unavailable);
    EXPECT_FALSE(error_with(1800, purpose, 502).retry_slowly);
  }
}

TEST(RefusalTest, LimitsAreUnavailableAndNotToBeRetriedSoon) {
  for (const int number : {11, 1804, 2007, 2050, 2070, 2105}) {
    EXPECT_EQ(kind_with(number), ErrorKind::Unavailable) << number;
    EXPECT_TRUE(error_with(number).retry_slowly) << number;
  }
}

TEST(RefusalTest, LostConnectionsBehindSlurmrestdLeaveASubmitInDoubt) {
  for (const int number : {-1, 0, 1, 1000, 1801, 1802, 1803, 2090, 5003, 5004, 5005, 31337}) {
    EXPECT_EQ(kind_with(number), ErrorKind::Unknown) << number;
    EXPECT_EQ(kind_with(number, Purpose::Cancel), ErrorKind::Unknown) << number;
    EXPECT_EQ(kind_with(number, Purpose::Read), ErrorKind::Unavailable) << number;
  }
}

TEST(RefusalTest, WhatSlurmDoesNotWantIsRejectedWhateverTheStatus) {
  for (const int status : {200, 422, 500}) {
    for (const int number :
         {2000, 2002, 2012, 2014, 2038, 2045, 2066, 2073, 2084, 2127, 8000, 9202}) {
      EXPECT_EQ(kind_with(number, Purpose::Submit, status), ErrorKind::Rejected) << number;
    }
  }
}

TEST(RefusalTest, UpdateOfAJobThatHasMovedOnIsRejected) {
  for (const int number : {2017, 2021, 2073, 2084}) {
    EXPECT_EQ(kind_with(number, Purpose::Change), ErrorKind::Rejected) << number;
  }
  EXPECT_EQ(kind_with(2020, Purpose::Change), ErrorKind::Unavailable);
}

TEST(RefusalTest, CredentialsAreDenied) {
  for (const Purpose purpose : kAllPurposes) {
    EXPECT_EQ(kind_with(1007, purpose, 500), ErrorKind::Denied);
    EXPECT_EQ(kind_without_errno(401, purpose), ErrorKind::Denied);
    EXPECT_EQ(kind_without_errno(511, purpose), ErrorKind::Denied);
  }
}

TEST(RefusalTest, OnlyBadCredentialsAskForNewOnes) {
  EXPECT_TRUE(refuses_credentials({.status = 500}, with_errno(1007)));
  EXPECT_TRUE(refuses_credentials({.status = 401}, {}));
  EXPECT_TRUE(refuses_credentials({.status = 511}, {}));
  EXPECT_FALSE(refuses_credentials({.status = 500}, with_errno(2002)));
  EXPECT_FALSE(refuses_credentials({.status = 403}, {}));
  EXPECT_FALSE(refuses_credentials({.status = 502}, {}));
}

TEST(RefusalTest, WhatOnlyOperatorsMayIsTheSpecsMatterOrTheOperators) {
  EXPECT_EQ(kind_with(2002, Purpose::Submit), ErrorKind::Rejected);
  EXPECT_EQ(kind_with(2002, Purpose::Change), ErrorKind::Rejected);
  EXPECT_EQ(kind_with(2002, Purpose::Read), ErrorKind::Denied);
  EXPECT_EQ(kind_with(2002, Purpose::Cancel), ErrorKind::Denied);
}

TEST(RefusalTest, SubmitIsInDoubtUnlessTheAnswerProvesOtherwise) {
  for (const int status : {200, 202, 204, 300, 304, 408, 500, 501, 502, 503, 504, 599}) {
    EXPECT_EQ(kind_without_errno(status, Purpose::Submit), ErrorKind::Unknown) << status;
    EXPECT_EQ(kind_without_errno(status, Purpose::Read), ErrorKind::Unavailable) << status;
  }
  for (const int status : {400, 411, 413, 415, 422}) {
    EXPECT_EQ(kind_without_errno(status, Purpose::Submit), ErrorKind::Rejected) << status;
  }
  for (const int status : {404, 405, 429}) {
    EXPECT_EQ(kind_without_errno(status, Purpose::Submit), ErrorKind::Unavailable) << status;
  }
}

// Slurm 26.05 answers EPERM with HTTP 403.
TEST(RefusalTest, NotPermittedCountsOnlyWithItsStatus) {
  EXPECT_EQ(kind_with(1, Purpose::Cancel, 403), ErrorKind::Denied);
  EXPECT_EQ(kind_with(1, Purpose::Submit, 403), ErrorKind::Rejected);
}

TEST(RefusalTest, ReadIsUnavailableOrDenied) {
  for (int number = -2; number < 10'000; ++number) {
    const ErrorKind kind = kind_with(number, Purpose::Read);
    EXPECT_TRUE(kind == ErrorKind::Unavailable || kind == ErrorKind::Denied) << number;
  }
  for (int status = 100; status < 600; ++status) {
    const ErrorKind kind = kind_without_errno(status, Purpose::Read);
    EXPECT_TRUE(kind == ErrorKind::Unavailable || kind == ErrorKind::Denied) << status;
  }
}

TEST(RefusalTest, RetryAfterMakesAReadSlower) {
  const AnswerHead head{.status = 503, .retry_after = seconds(30)};
  EXPECT_TRUE(error_of(Purpose::Read, "x", head, {}).retry_slowly);
  EXPECT_FALSE(error_of(Purpose::Submit, "x", head, {}).retry_slowly);
  EXPECT_FALSE(error_of(Purpose::Read, "x", {.status = 503}, {}).retry_slowly);
}

TEST(RefusalTest, MessageNamesTheRequestAndWhatSlurmSays) {
  const auto error = error_of(Purpose::Submit, "submit of \"train\"", {.status = 500},
                              read_text(recorded("submit_bad_partition_500.json")));
  EXPECT_EQ(error,
            (Error{ErrorKind::Rejected,
                   "submit of \"train\": Invalid partition name specified (errno 2000)", 2000}));
}

TEST(RefusalTest, MessageShowsTheStartOfAnAnswerThatIsNone) {
  const auto error = error_of(Purpose::Read, "list of jobs", {.status = 502},
                              read_text("<html>\nBad gateway</html>"));
  EXPECT_THAT(error.message, HasSubstr("HTTP 502, not a JSON answer: <html> Bad gateway"));
}

TEST(RefusalTest, ATellingErrnoCountsMoreThanOneThatSaysNothing) {
  AnswerBody body = with_errno(-1);
  body.errors.push_back({2000, "partition"});
  EXPECT_EQ(error_of(Purpose::Submit, "x", {.status = 500}, body).slurm_errno, 2000);
}

// slurmctld down (Slurm 24.11).
TEST(RefusalTest, RecordedAnswersOfADeadControllerAreNoVerdicts) {
  const auto kind = [](Purpose purpose, int status, const char* name) {
    return error_of(purpose, "x", {.status = status}, read_text(recorded(name))).kind;
  };
  EXPECT_EQ(kind(Purpose::Read, 502, "jobs_slurmctld_down_502.json"), ErrorKind::Unavailable);
  EXPECT_EQ(kind(Purpose::Read, 500, "job_slurmctld_down_500.json"), ErrorKind::Unavailable);
  EXPECT_EQ(kind(Purpose::Read, 502, "diag_slurmctld_down_502.json"), ErrorKind::Unavailable);
  EXPECT_EQ(kind(Purpose::Submit, 502, "submit_slurmctld_down_502.json"), ErrorKind::Unavailable);
  EXPECT_EQ(kind(Purpose::Cancel, 500, "cancel_slurmctld_down_500.json"), ErrorKind::Unknown);
  EXPECT_EQ(kind(Purpose::Change, 500, "update_slurmctld_down_500.json"), ErrorKind::Unknown);
  EXPECT_EQ(kind(Purpose::Read, 502, "accounting_down_502.json"), ErrorKind::Unavailable);
}

TEST(RefusalTest, VersionIsUnservedOnlyWithoutSlurmsErrno) {
  EXPECT_TRUE(is_unserved({.status = 404}, read_text(recorded("version_not_served_404.txt"))));
  EXPECT_FALSE(is_unserved({.status = 404}, read_text(recorded("job_unknown_404.json"))));
  EXPECT_FALSE(is_unserved({.status = 500}, {}));
}

TEST(RefusalTest, AComplaintIsCountedByWhatItsNumberMeans) {
  const auto failure = [](int number, int status = 500) {
    return api_failure_in({.status = status}, with_errno(number));
  };
  EXPECT_EQ(failure(1800), ApiFailure::Unavailable);
  EXPECT_EQ(failure(1804), ApiFailure::Limit);
  EXPECT_EQ(failure(2090), ApiFailure::Unspecified);
  EXPECT_EQ(failure(2000, 200), ApiFailure::Rejected);
  EXPECT_EQ(failure(1007), ApiFailure::Credentials);
  EXPECT_EQ(failure(2002), ApiFailure::Forbidden);
  for (const int number : {2017, 2021, 9003}) EXPECT_EQ(failure(number), ApiFailure::NotFound);
  EXPECT_EQ(failure(-1), ApiFailure::Unspecified);
  EXPECT_EQ(failure(-1, 401), ApiFailure::Credentials) << "a number that says nothing";
}

TEST(RefusalTest, AnAnswerThatComplainsOfNothingIsNoFailure) {
  EXPECT_EQ(api_failure_in({.status = 200}, read_text(recorded("job_held.json"))), std::nullopt);
  EXPECT_EQ(api_failure_in({.status = 404}, read_text(recorded("version_not_served_404.txt"))),
            std::nullopt);
  EXPECT_EQ(api_failure_in({.status = 401}, read_text(recorded("no_token_401.txt"))),
            ApiFailure::Credentials);
  EXPECT_EQ(api_failure_in({.status = 502}, {}), ApiFailure::Unspecified);
}

}  // namespace
}  // namespace sconverge::test
