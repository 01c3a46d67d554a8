#include "controller/slurm/wire_write.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "specs/job_field.h"

namespace sconverge::test {
namespace {

using nlohmann::json;

json written(const std::string& field, FieldValue value) {
  return json::parse(update_body({{field, std::move(value)}})).at(field);
}

json number(std::int64_t value) { return {{"set", true}, {"infinite", false}, {"number", value}}; }

TEST(WireWriteTest, WritesEachKindAsRestWantsIt) {
  EXPECT_EQ(written("partition", "main"), "main");
  EXPECT_EQ(written("requeue", false), false);
  EXPECT_EQ(written("tasks", 4), 4);
  EXPECT_EQ(written("nodes", "2-4"), "2-4");
  EXPECT_EQ(written("time_limit", 90), number(90));
  EXPECT_EQ(written("memory_per_node", 65536), number(65536));
  EXPECT_EQ(written("begin_time", 1800000000), number(1800000000));
  EXPECT_EQ(written("environment", std::vector<std::string>{"A=1", "B=2"}), (json{"A=1", "B=2"}));
  EXPECT_EQ(written("excluded_nodes", std::vector<std::string>{}), json::array());
}

// Slurm 24.11 reads any other text as no throttle at all.
TEST(WireWriteTest, WritesOfAnArrayTheTextToSubmitAndTheThrottleToUpdate) {
  EXPECT_EQ(written("array", "0-9%2"), "2");
  EXPECT_EQ(written("array", "0-9"), "0");
  const auto submit = json::parse(submit_body({.fields = {{"array", "0-9%2"}}, .script = "#!"}));
  EXPECT_EQ(submit.at("job").at("array"), "0-9%2");
}

TEST(WireWriteTest, WritesUnlimitedAsInfinite) {
  const json value = written("time_limit", Unlimited{});
  EXPECT_EQ(value.at("infinite"), true);
  EXPECT_EQ(value.at("set"), true);
}

TEST(WireWriteTest, WritesEveryFieldOfTheTableAndNeverNull) {
  for (const JobField& field : job_fields()) {
    const json value = written(std::string(field.name), std::int64_t{1});
    EXPECT_TRUE(value.is_number() || value.at("set") == true) << field.name;
  }
}

TEST(WireWriteTest, SubmitHoldsTheJobAndItsScriptApart) {
  const json body = json::parse(submit_body({{{"name", "train"}}, "#!/bin/sh\necho \"é\"\n"}));
  EXPECT_EQ(body.at("job"), (json{{"name", "train"}}));
  EXPECT_EQ(body.at("script"), "#!/bin/sh\necho \"é\"\n");
  EXPECT_EQ(body.size(), 2U);
}

TEST(WireWriteTest, UpdateIsTheBareDescription) {
  EXPECT_EQ(json::parse(update_body({{"name", "train"}})), (json{{"name", "train"}}));
}

TEST(WireWriteTest, HoldIsAFlag) {
  EXPECT_EQ(hold_body(true), R"({"hold":true})");
  EXPECT_EQ(hold_body(false), R"({"hold":false})");
}

TEST(WireWriteTest, BytesThatAreNoTextAreReplaced) {
  const json body = json::parse(submit_body({{}, "caf\xE9"}));
  EXPECT_EQ(body.at("script"), "caf\xEF\xBF\xBD");
}

}  // namespace
}  // namespace sconverge::test
