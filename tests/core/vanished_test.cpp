#include "controller/core/vanished.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace sconverge::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

struct VanishedTest : testing::Test, World {
  void run_jobs(int count) {
    for (int i = 0; i < count; ++i) running(a_spec("job" + std::to_string(i)));
  }
  void vanish(int from, int to) {
    for (int i = from; i < to; ++i) jobs.erase(attempt_of("job" + std::to_string(i)).job.value());
  }
};

TEST_F(VanishedTest, AFewOfFewAreLetPass) {
  run_jobs(6);
  vanish(0, 5);
  look_after(seconds{10});
  EXPECT_THAT(vanished_together(history, policy), IsEmpty());
}

TEST_F(VanishedTest, AFewOfManyAreLetPass) {
  run_jobs(30);
  vanish(0, 9);
  look_after(seconds{10});
  EXPECT_THAT(vanished_together(history, policy), IsEmpty());
}

TEST_F(VanishedTest, MoreThanTheMinimumAndTheShareAreTold) {
  run_jobs(12);
  vanish(0, 6);
  look_after(seconds{10});
  EXPECT_THAT(vanished_together(history, policy), SizeIs(6));
}

TEST_F(VanishedTest, LossesFarApartAreNotTogether) {
  run_jobs(12);
  for (int i = 0; i < 8; ++i) {
    vanish(i, i + 1);
    look_after(seconds{10});
    look_after(std::chrono::minutes{61});
    EXPECT_THAT(vanished_together(history, policy), IsEmpty()) << i;
  }
}

TEST_F(VanishedTest, StaysUntilApproved) {
  run_jobs(12);
  vanish(0, 8);
  look_after(seconds{10});
  look_after(std::chrono::hours{100});
  const auto names = vanished_together(history, policy);
  EXPECT_THAT(names, SizeIs(8));
  for (const auto& name : names) requests.push_back({0, RequestKind::ApproveVanished, name, now});
  look();
  EXPECT_THAT(vanished_together(history, policy), IsEmpty());
}

}  // namespace
}  // namespace sconverge::test
