#include "controller/google/utc_time.h"

#include <gtest/gtest.h>

#include "tests/support/fake_clock.h"

namespace sconverge::test {
namespace {

TEST(UtcTime, IsReadInEveryFormOfRfc3339) {
  EXPECT_EQ(time_in("2026-03-14T12:00:00Z"), kNoon);
  EXPECT_EQ(time_in("2026-03-14t12:00:00z"), kNoon);
  EXPECT_EQ(time_in("2026-03-14T12:00:00.5Z"), kNoon + milliseconds(500));
  EXPECT_EQ(time_in("2026-03-14T12:00:00.123456789Z"), kNoon + milliseconds(123));
  EXPECT_EQ(time_in("2026-03-14T12:00:00+00:00"), kNoon);
  EXPECT_EQ(time_in("2026-03-14T13:30:00.001+01:30"), kNoon + milliseconds(1));
  EXPECT_EQ(time_in("2026-03-14T04:00:00-08:00"), kNoon);
  EXPECT_EQ(time_in("2024-02-29T00:00:00Z"),
            TimePoint(std::chrono::sys_days{std::chrono::year{2024} / 2 / 29}));
  EXPECT_EQ(time_in("2016-12-31T23:59:60Z"),
            TimePoint(std::chrono::sys_days{std::chrono::year{2017} / 1 / 1}));
}

TEST(UtcTime, ThatIsNoneIsNotRead) {
  for (const char* text :
       {"", "2026", "2026-03-14", "2026-03-14T12:00:00", "2026-03-14T12:00Z",
        "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z",
        "2026-03-14T24:00:00Z", "2026-03-14T12:60:00Z", "2026-03-14T12:00:61Z",
        "2026-03-14T12:00:00.Z", "2026-03-14T12:00:00Zx", "2026-03-14T12:00:00+0100",
        "2026-03-14T12:00:00+01", "20x6-03-14T12:00:00Z", "-026-03-14T12:00:00Z", "1773489600"}) {
    EXPECT_EQ(time_in(text), std::nullopt) << text;
  }
}

TEST(UtcTime, IsShownToTheSecond) {
  EXPECT_EQ(utc_text(kNoon), "2026-03-14T12:00:00Z");
  EXPECT_EQ(utc_text(TimePoint(milliseconds(999))), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(kNoon + std::chrono::hours(9) + std::chrono::minutes(8) + seconds(7)),
            "2026-03-14T21:08:07Z");
}

}  // namespace
}  // namespace sconverge::test
