#include "specs/sbatch_values.h"

#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

template <typename T>
std::string outcome(const SbatchValue<T>& value) {
  if (!value.value) return "refused";
  std::string line;
  if constexpr (std::is_same_v<T, FieldValue>) {
    line = to_line(*value.value);
  } else {
    line = std::to_string(*value.value);
  }
  return value.what.empty() ? line : "odd " + line;
}

struct Row {
  std::string_view text;
  std::string_view outcome;
};

TEST(SbatchMinutes, AreReadAsSbatchReadsThem) {
  for (const auto& [text, wanted] : std::vector<Row>{
           {"12", "12"},
           {"12:30", "13"},
           {"0:61", "2"},
           {"1:00:00", "60"},
           {"0:240:0", "240"},
           {"1-12", "2160"},
           {"1-12:30", "2190"},
           {"1-12:30:01", "2191"},
           {"2-", "2880"},
           {"10-24:00:00", "15840"},
           {"0", "UNLIMITED"},
           {"0:0", "UNLIMITED"},
           {"-1", "UNLIMITED"},
           {"unlimited", "UNLIMITED"},
           {"INFINITE", "UNLIMITED"},
           {"-5", "odd 4294960097"},
           {"35791394", "35791394"},
           {"35791395", "refused"},
           {"99999999999999999999", "refused"},
           {"24856-0", "refused"},
           {"", "refused"},
           {"=1:00", "refused"},
           {"1h", "refused"},
           {" 1", "refused"},
           {"+1", "refused"},
           {"1:", "refused"},
           {":1", "refused"},
           {"1:2:", "refused"},
           {"1:2:3:4", "refused"},
           {"1-2-3", "refused"},
           {"1:2-3", "refused"},
           {"1-2:", "refused"},
           {"-", "refused"},
           {"-5:30", "refused"},
           {"ime=10", "refused"},
       }) {
    EXPECT_EQ(outcome(sbatch_minutes(text)), wanted) << text;
  }
}

TEST(SbatchSeconds, TakeAPlainNumberForMinutes) {
  for (const auto& [text, wanted] : std::vector<Row>{
           {"1", "60"},
           {"0", "0"},
           {"1:30", "90"},
           {"24:00:00", "86400"},
           {"1-0", "86400"},
           {"UNLIMITED", "UNLIMITED"},
           {"-5", "refused"},
           {"x", "refused"},
       }) {
    EXPECT_EQ(outcome(sbatch_seconds(text)), wanted) << text;
  }
}

TEST(SbatchMebibytes, AreReadAsSbatchReadsThem) {
  for (const auto& [text, wanted] : std::vector<Row>{
           {"0", "0"},
           {"1", "1"},
           {"1M", "1"},
           {"1mb", "1"},
           {"1k", "1"},
           {"1025K", "2"},
           {"0K", "0"},
           {"2g", "2048"},
           {"2GB", "2048"},
           {"1T", "1048576"},
           {"+4", "4"},
           {" 4G", "4096"},
           {"010", "10"},
           {"2GiB", "refused"},
           {"1P", "refused"},
           {"1.5G", "refused"},
           {"-1", "refused"},
           {"", "refused"},
           {"G", "refused"},
           {"1 G", "refused"},
           {"1Gx", "refused"},
           {"1048576T", "1099511627776"},
           {"1048577T", "refused"},
           {"9223372036854775807", "refused"},
           {"99999999999999999999G", "refused"},
       }) {
    EXPECT_EQ(outcome(sbatch_mebibytes(text)), wanted) << text;
  }
}

TEST(SbatchCount, TakesWholeNumbersOnly) {
  for (const auto& [text, wanted] : std::vector<Row>{
           {"1", "1"},
           {" 4", "4"},
           {"+4", "4"},
           {"010", "10"},
           {"2147483646", "2147483646"},
           {"2147483647", "refused"},
           {"99999999999999999999", "refused"},
           {"0", "refused"},
           {"-1", "refused"},
           {"", "refused"},
           {"4x", "refused"},
           {"4 ", "refused"},
           {"0x4", "refused"},
           {"2k", "refused"},
       }) {
    EXPECT_EQ(outcome(sbatch_count(text, 1)), wanted) << text;
  }
  EXPECT_EQ(outcome(sbatch_count("0", 0)), "0");
  EXPECT_EQ(outcome(sbatch_count("", 0)), "0");
  EXPECT_EQ(outcome(sbatch_small_count("65533")), "65533");
  EXPECT_EQ(outcome(sbatch_small_count("65534")), "refused");
}

TEST(SbatchNice, IsAHundredWhereItSaysNothing) {
  EXPECT_EQ(outcome(sbatch_nice(std::nullopt)), "100");
  for (const auto& [text, wanted] : std::vector<Row>{
           {"5", "5"},
           {"-5", "-5"},
           {"2147483645", "2147483645"},
           {"2147483646", "refused"},
           {"-2147483646", "refused"},
           {"99999999999999999999", "refused"},
           {"abc", "odd 0"},
           {"10x", "odd 10"},
           {"", "odd 0"},
       }) {
    EXPECT_EQ(outcome(sbatch_nice(std::string(text))), wanted) << text;
  }
}

}  // namespace
}  // namespace sconverge::test
