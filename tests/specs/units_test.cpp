#include "specs/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sconverge {
namespace {

using testing::HasSubstr;

struct Case {
  const char* text;
  FieldValue value;
};

std::int64_t number(std::int64_t value) { return value; }

TEST(Minutes, TakeFriendlyAndSlurmForms) {
  const Case cases[] = {
      {"120", number(120)},
      {"2h", number(120)},
      {"90m", number(90)},
      {"1h30m", number(90)},
      {"1d12h", number(36 * 60)},
      {"1d", number(1440)},
      {"1d1h1m1s", number(1502)},
      {"45s", number(1)},
      {"61s", number(2)},
      {"2:00:00", number(120)},
      {"12:30", number(13)},
      {"0:30", number(1)},
      {"1-12", number(36 * 60)},
      {"1-12:30", number(36 * 60 + 30)},
      {"1-12:00:00", number(2160)},
      {"1-12:00:01", number(2161)},
      {"0:240:0", number(240)},
      {"0-0:1", number(1)},
      {"UNLIMITED", Unlimited{}},
      {"infinite", Unlimited{}},
      {"Unlimited", Unlimited{}},
      {"007", number(7)},
      {"999999999999", number(999999999999)},
  };
  for (const Case& c : cases) EXPECT_EQ(minutes_from(c.text).value, c.value) << c.text;
}

TEST(Minutes, RefuseWhatIsNoDuration) {
  for (const char* text : {"",
                           "2hh",
                           "h",
                           "2 h",
                           "2h 30m",
                           "1.5h",
                           "30m1h",
                           "1h1h",
                           "2H",
                           "2 hours",
                           "1w",
                           "-",
                           "1-",
                           ":",
                           "1:",
                           ":1",
                           "1:2:3:4",
                           "1-2-3",
                           "1-1:1:1:1",
                           "1-a",
                           "0x10",
                           "1e3",
                           "+5",
                           "1h-2",
                           "2:00h",
                           "UNLIMITE",
                           "NaN",
                           "\xC2\xA0"
                           "2h"}) {
    const Converted result = minutes_from(text);
    EXPECT_FALSE(result.value) << text;
    EXPECT_FALSE(result.what.empty()) << text;
    EXPECT_THAT(result.remedy, HasSubstr("write")) << text;
  }
}

TEST(Minutes, RefuseZeroBecauseSlurmTakesItForUnlimited) {
  for (const char* text : {"0", "0s", "0:00", "0-0", "000", "0d0h"}) {
    EXPECT_THAT(minutes_from(text).what, HasSubstr("zero means unlimited")) << text;
  }
}

TEST(Minutes, RefuseNegativeOnesBecauseSlurmTakesThemForUnlimited) {
  EXPECT_THAT(minutes_from("-1").remedy, HasSubstr("UNLIMITED"));
}

TEST(Minutes, StayLargeWhereTheyWouldOverflow) {
  for (const char* text : {"99999999999999999999999999", "9999999999999999999d",
                           "9999999999999999999-9999999999999999999:0:0"}) {
    const auto value = minutes_from(text).value;
    ASSERT_TRUE(value) << text;
    EXPECT_GT(std::get<std::int64_t>(*value), std::int64_t{1} << 33U) << text;
  }
}

TEST(Seconds, CountAPlainNumberAsSeconds) {
  EXPECT_EQ(seconds_from("45").value, FieldValue(number(45)));
  EXPECT_EQ(seconds_from("45s").value, FieldValue(number(45)));
  EXPECT_EQ(seconds_from("2m").value, FieldValue(number(120)));
  EXPECT_EQ(seconds_from("1:30").value, FieldValue(number(90)));
  EXPECT_EQ(seconds_from("0").value, FieldValue(number(0)));
}

TEST(Seconds, KnowNoUnlimited) { EXPECT_FALSE(seconds_from("UNLIMITED").value); }

TEST(Mebibytes, TakeFriendlyForms) {
  const Case cases[] = {
      {"500", number(500)},    {"500M", number(500)},    {"500m", number(500)},
      {"500MB", number(500)},  {"500MiB", number(500)},  {"64G", number(65536)},
      {"64GB", number(65536)}, {"64GiB", number(65536)}, {"64gib", number(65536)},
      {"1T", number(1048576)}, {"1024K", number(1)},     {"1025K", number(2)},
      {"1K", number(1)},       {"0", number(0)},         {"0G", number(0)},
  };
  for (const Case& c : cases) EXPECT_EQ(mebibytes_from(c.text).value, c.value) << c.text;
}

TEST(Mebibytes, RefuseWhatIsNoSize) {
  for (const char* text : {"", "G", "64 G", "-1", "1P", "64GG", "64iB", "64B", "1e3", "0x10",
                           "64Gb1", "UNLIMITED", "1,5G"}) {
    const Converted result = mebibytes_from(text);
    EXPECT_FALSE(result.value) << text;
    EXPECT_THAT(result.remedy, HasSubstr("write")) << text;
  }
}

TEST(Mebibytes, SayHowToWriteAFraction) {
  EXPECT_THAT(mebibytes_from("1.5G").what, HasSubstr("fraction"));
  EXPECT_THAT(mebibytes_from("1.5G").remedy, HasSubstr("1536M"));
}

TEST(Mebibytes, StayLargeWhereTheyWouldOverflow) {
  const auto value = mebibytes_from("99999999999999999999T").value;
  ASSERT_TRUE(value);
  EXPECT_GT(std::get<std::int64_t>(*value), std::int64_t{1} << 40U);
}

TEST(Timestamps, TakeUnixSecondsAndRfc3339) {
  const Case cases[] = {
      {"1700000000", number(1700000000)},
      {"1970-01-01T00:00:00Z", number(0)},
      {"2023-11-14T22:13:20Z", number(1700000000)},
      {"2023-11-14t22:13:20z", number(1700000000)},
      {"2023-11-14 22:13:20Z", number(1700000000)},
      {"2023-11-15T00:13:20+02:00", number(1700000000)},
      {"2023-11-14T16:43:20-05:30", number(1700000000)},
      {"2024-02-29T00:00:00Z", number(1709164800)},
  };
  for (const Case& c : cases) EXPECT_EQ(timestamp_from(c.text).value, c.value) << c.text;
}

TEST(Timestamps, RefuseWhatIsNoPointInTime) {
  for (const char* text :
       {"", "now", "now+1hour", "tomorrow", "2023-11-14", "2023-11-14T22:13:20",
        "2023-13-14T22:13:20Z", "2023-02-29T00:00:00Z", "2023-11-14T24:00:00Z",
        "2023-11-14T22:60:00Z", "2023-11-14T22:13:60Z", "2023-11-14T22:13:20+24:00",
        "2023-11-14T22:13:20+0200", "2023-11-14T22:13:20Zx", "-5"}) {
    EXPECT_FALSE(timestamp_from(text).value) << text;
  }
}

TEST(NodeCounts, AreTheShortestText) {
  const std::pair<const char*, const char*> cases[] = {
      {"2", "2"},        {"02", "2"},        {"2-4", "2-4"},
      {"2-2", "2"},      {"1k", "1024"},     {"1k-2K", "1024-2048"},
      {"1m", "1048576"}, {"1,2,4", "1,2,4"}, {"1-15:4", "1-15:4"},
  };
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(node_count_from(text).value, FieldValue(std::string(value))) << text;
  }
}

TEST(NodeCounts, RefuseWhatIsNone) {
  for (const char* text : {"", "0", "0-2", "-1", "2-", "-", "1-2-3", "a", "2x", "1,", ",1", "1,a",
                           "1:2", "1-15:", "1-15:4:2", "4294967294", "2 - 4", "1.5"}) {
    EXPECT_FALSE(node_count_from(text).value) << text;
  }
}

TEST(NodeCounts, SayWhichWayRoundARangeIs) {
  EXPECT_EQ(node_count_from("4-2").remedy, "write 2-4");
}

TEST(Integers, AreDecimalWithoutOrnaments) {
  EXPECT_EQ(integer_from("0"), 0);
  EXPECT_EQ(integer_from("-5"), -5);
  EXPECT_EQ(integer_from("9223372036854775807"), INT64_MAX);
  for (const char* text : {"", "-", "+1", "010", "0x1", "1_000", "1.0", "1e3", " 1", "1 ",
                           "9223372036854775808", "--1"}) {
    EXPECT_FALSE(integer_from(text)) << text;
  }
}

}  // namespace
}  // namespace sconverge
