#include "controller/app/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <sstream>
#include <thread>

#include "controller/app/console_log.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

LogLine a_line(LogLevel level = LogLevel::Info) {
  return {
      level,
      "reconciler",
      "spec changed phase",
      {{"name", "train"}, {"job_id", std::int64_t{7}}, {"accounting", true}, {"duration_ms", 0.5}}};
}

TEST(LogLineTest, IsLogfmt) {
  EXPECT_EQ(to_logfmt(a_line(), kNoon),
            "ts=2026-03-14T12:00:00.000Z level=info logger=reconciler msg=\"spec changed phase\" "
            "name=train job_id=7 accounting=true duration_ms=0.5");
}

TEST(LogLineTest, IsJson) {
  EXPECT_EQ(to_json(a_line(LogLevel::Warning), kNoon),
            "{\"ts\":\"2026-03-14T12:00:00.000Z\",\"level\":\"warn\",\"logger\":\"reconciler\","
            "\"msg\":\"spec changed "
            "phase\",\"name\":\"train\",\"job_id\":7,\"accounting\":true,\"duration_ms\":0.5}");
}

TEST(LogLineTest, EscapesWhatCouldForgeALine) {
  const LogLine line{
      LogLevel::Error, "main", "m", {{"error", "a \"b\" \\ c=d\nlevel=info\x1b[0m"}}};
  EXPECT_THAT(to_logfmt(line, kNoon),
              testing::EndsWith("error=\"a \\\"b\\\" \\\\ c=d\\\\nlevel=info\\\\x1b[0m\""));
  EXPECT_THAT(to_json(line, kNoon),
              testing::EndsWith("\"error\":\"a \\\"b\\\" \\\\ c=d\\\\nlevel=info\\\\x1b[0m\"}"));
}

TEST(LogLineTest, QuotesAnEmptyValue) {
  EXPECT_THAT(to_logfmt({LogLevel::Info, "main", "m", {{"error", ""}}}, kNoon),
              testing::EndsWith(" error=\"\""));
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
  Log(out, LogLevel::Info, LogFormat::Json, clock).write({LogLevel::Info, "main", "{} {0} %v", {}});
  EXPECT_THAT(out.str(), testing::HasSubstr("\"msg\":\"{} {0} %v\""));
}

TEST_F(LogTest, LevelAndFormatCanBeChanged) {
  Log log(out, LogLevel::Info, LogFormat::Json, clock);
  log.set(LogLevel::Debug, LogFormat::Logfmt);
  log.write(a_line(LogLevel::Debug));
  EXPECT_EQ(out.str(), to_logfmt(a_line(LogLevel::Debug), kNoon) + "\n");
  out.str("");
  log.set(LogLevel::Error, LogFormat::Json);
  log.write(a_line(LogLevel::Warning));
  EXPECT_EQ(out.str(), "");
}

TEST_F(LogTest, ForTheJournalALineBeginsWithItsPriority) {
  Log log(out, LogLevel::Debug, LogFormat::Json, clock, {}, LogPrefix::Priority);
  for (const auto& [level, prefix] : std::map<LogLevel, std::string>{{LogLevel::Debug, "<7>"},
                                                                     {LogLevel::Info, "<6>"},
                                                                     {LogLevel::Warning, "<4>"},
                                                                     {LogLevel::Error, "<3>"},
                                                                     {LogLevel::Critical, "<2>"}}) {
    out.str("");
    log.write(a_line(level));
    EXPECT_EQ(out.str(), prefix + to_json(a_line(level), kNoon) + "\n");
  }
}

TEST(JournalTest, IsTheFileThatTheEnvironmentNames) {
  const TempDirectory directory;
  const auto opened = [&](const std::string& name) {
    return ::open((directory / name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  };
  const int file = opened("journal");
  const int other = opened("other");
  struct stat found {};
  ASSERT_EQ(::fstat(file, &found), 0);
  const std::string name = std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino);
  EXPECT_TRUE(is_journal(file, {{"JOURNAL_STREAM", name}}));
  EXPECT_FALSE(is_journal(other, {{"JOURNAL_STREAM", name}})) << "it was redirected";
  EXPECT_FALSE(is_journal(file, {}));
  EXPECT_FALSE(is_journal(file, {{"JOURNAL_STREAM", "nonsense"}}));
  ::close(file);
  ::close(other);
  EXPECT_FALSE(is_journal(file, {{"JOURNAL_STREAM", name}}));
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
