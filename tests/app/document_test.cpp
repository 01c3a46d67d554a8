// What programs read.
#include "controller/app/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/full_values.h"

namespace sconverge::test {
namespace {

using nlohmann::json;

SpecStatus array_status() {
  SpecStatus status{a_name("sweep"), {Phase::Failed, Reason::NonZeroExitCode, "ended"}};
  status.tasks =
      TaskSummary{.total = 10, .running = 1, .succeeded = 7, .failed = 2, .failed_indexes = "4,7"};
  return status;
}

TEST(StatusDocument, CountsTheTasksOfAJobArrayAndNamesThoseThatFailed) {
  const json document = json::parse(status_document({}, array_status(), DocumentFormat::Json));
  EXPECT_EQ(document.at("tasks"), json::parse(R"({"total":10,"pending":0,"running":1,
    "succeeded":7,"failed":2,"cancelled":0,"lost":0,"failedIndexes":"4,7"})"));
}

TEST(StatusDocument, HasNoTasksOfAnOrdinaryJob) {
  SpecStatus status = array_status();
  status.tasks.reset();
  EXPECT_FALSE(json::parse(status_document({}, status, DocumentFormat::Json)).contains("tasks"));
}

TEST(StatusDocument, OfAListHasTheTasksToo) {
  Published lab;
  lab.statuses = {array_status()};
  const json document = json::parse(statuses_document({lab}, DocumentFormat::Json));
  EXPECT_EQ(document["items"][0]["tasks"]["failedIndexes"], "4,7");
  EXPECT_THAT(statuses_document({lab}, DocumentFormat::Yaml),
              testing::HasSubstr("failedIndexes: \"4,7\"\n"));
}

TEST(DescriptionDocument, TellsTasksByIndex) {
  SpecHistory history;
  history.attempts = {full_attempt(1)};
  const json document =
      json::parse(description_document({}, array_status(), history, DocumentFormat::Json));
  const json& attempt = document.at("attempts").at(0);
  EXPECT_EQ(attempt.at("array"), "0-20:2%3");
  EXPECT_EQ(attempt.at("tasks"), json::parse(R"({"pending":"10-20","running":"0,2","ended":[
    {"indexes":"4,7-9","state":"OUT_OF_MEMORY","exitCode":4,"signal":9},
    {"indexes":"4,7-9","state":"OUT_OF_MEMORY","exitCode":4,"signal":9}]})"));
}

}  // namespace
}  // namespace sconverge::test
