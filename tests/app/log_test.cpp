#include "controller/app/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <thread>

#include "tests/support/fake_clock.h"

namespace sconverge::test {
namespace {

LogLine a_line(LogLevel level = LogLevel::Info) {
  return {level,
          "reconciler",
          "spec changed phase",
          {{"name", "train"}, {"job_id", std::int64_t{7}}, {"ok", true}, {"ratio", 0.5}}};
}

TEST(LogLineTest, IsLogfmt) {
  EXPECT_EQ(to_logfmt(a_line(), kNoon),
            "ts=2026-03-14T12:00:00.000Z level=info logger=reconciler msg=\"spec changed phase\" "
            "name=train job_id=7 ok=true ratio=0.5");
}

TEST(LogLineTest, IsJson) {
  EXPECT_EQ(
      to_json(a_line(LogLevel::Warning), kNoon),
      "{\"ts\":\"2026-03-14T12:00:00.000Z\",\"level\":\"warn\",\"logger\":\"reconciler\","
      "\"msg\":\"spec changed phase\",\"name\":\"train\",\"job_id\":7,\"ok\":true,\"ratio\":0."
      "5}");
}

TEST(LogLineTest, EscapesWhatCouldForgeALine) {
  const LogLine line{LogLevel::Error, "x", "m", {{"error", "a \"b\" \\ c=d\nlevel=info\x1b[0m"}}};
  EXPECT_THAT(to_logfmt(line, kNoon),
              testing::EndsWith("error=\"a \\\"b\\\" \\\\ c=d\\\\nlevel=info\\\\x1b[0m\""));
  EXPECT_THAT(to_json(line, kNoon),
              testing::EndsWith("\"error\":\"a \\\"b\\\" \\\\ c=d\\\\nlevel=info\\\\x1b[0m\"}"));
}

TEST(LogLineTest, QuotesAnEmptyValue) {
  EXPECT_THAT(to_logfmt({LogLevel::Info, "x", "m", {{"k", ""}}}, kNoon),
              testing::EndsWith(" k=\"\""));
}

struct LogTest : testing::Test {
  FakeClock clock{};
  std::ostringstream out{};
};

TEST_F(LogTest, WritesALineAtOnceInTheFormatAskedFor) {
  Log(out, LogLevel::Info, LogFormat::Logfmt, clock).write(a_line());
  EXPECT_EQ(out.str(), to_logfmt(a_line(), kNoon) + "\n");
  out.str("");
  Log(out, LogLevel::Info, LogFormat::Auto, clock).write(a_line());
  EXPECT_EQ(out.str(), to_json(a_line(), kNoon) + "\n");
}

TEST_F(LogTest, DropsLinesBelowItsLevel) {
  int written = 0;
  Log log(out, LogLevel::Warning, LogFormat::Json, clock, [&](LogLevel) { ++written; });
  log.write(a_line(LogLevel::Debug));
  log.write(a_line(LogLevel::Info));
  EXPECT_EQ(out.str(), "");
  log.write(a_line(LogLevel::Warning));
  log.write(a_line(LogLevel::Error));
  EXPECT_EQ(written, 2);
}

TEST_F(LogTest, TakesBracesLiterally) {
  Log(out, LogLevel::Info, LogFormat::Json, clock).write({LogLevel::Info, "x", "{} {0} %v", {}});
  EXPECT_THAT(out.str(), testing::HasSubstr("\"msg\":\"{} {0} %v\""));
}

TEST_F(LogTest, NeverMixesLinesOfThreads) {
  Log log(out, LogLevel::Info, LogFormat::Json, clock);
  {
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 100; ++i) log.write(a_line());
      });
    }
  }
  std::istringstream lines(out.str());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_EQ(line, to_json(a_line(), kNoon));
  EXPECT_EQ(count, 400);
}

}  // namespace
}  // namespace sconverge::test
