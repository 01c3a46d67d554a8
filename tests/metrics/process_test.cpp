#include "metrics/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <time.h>
#include <unistd.h>

#include <string>

namespace sconverge::test {
namespace {

constexpr auto kNumbers =
    " S 1 2 3 0 -1 4194560 100 0 0 0 250 50 7 8 20 0 41 0 12345 104857600 2560 "
    "18446744073709551615 1 1 0 0 0 0";

TEST(ProcessTest, TheKernelsNumbersAreReadInPrometheusUnits) {
  const auto sample = read_process_stat("17 (sconverge)" + std::string(kNumbers), 100, 4096);
  ASSERT_TRUE(sample.has_value());
  EXPECT_EQ(sample->cpu_seconds, 3);
  EXPECT_EQ(sample->threads, 41);
  EXPECT_EQ(sample->virtual_memory_bytes, 104857600);
  EXPECT_EQ(sample->resident_memory_bytes, 2560 * 4096);
  EXPECT_EQ(sample->started, 123.45);
}

TEST(ProcessTest, AProgramNameWithBracketsDoesNotShiftTheFields) {
  const auto sample = read_process_stat("17 (a) R (b) 1)" + std::string(kNumbers), 100, 4096);
  ASSERT_TRUE(sample.has_value());
  EXPECT_EQ(sample->threads, 41);
}

TEST(ProcessTest, TextThatIsNoStatIsNothing) {
  EXPECT_FALSE(read_process_stat("", 100, 4096).has_value());
  EXPECT_FALSE(read_process_stat("17 (sconverge) S 1 2", 100, 4096).has_value());
  EXPECT_FALSE(read_process_stat("17 (sconverge) S one two", 100, 4096).has_value());
}

TEST(ProcessTest, AnOpenFileIsCounted) {
  const auto before = open_descriptor_count();
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const auto after = open_descriptor_count();
  ::close(file);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(*after, *before + 1);
}

TEST(ProcessTest, TheStartIsNotInTheFutureAndNotLongAgo) {
  const auto start = process_start_time();
  ASSERT_TRUE(start.has_value());
  const auto now = static_cast<double>(::time(nullptr));
  EXPECT_LE(*start, now + 1);
  EXPECT_GT(*start, now - 3600);
}

}  // namespace
}  // namespace sconverge::test
