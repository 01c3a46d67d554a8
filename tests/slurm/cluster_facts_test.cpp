#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/slurm/cluster_facts_reader.h"
#include "controller/slurm/wire_cluster_facts.h"
#include "tests/slurm/scripted_transport.h"

namespace sconverge::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::SizeIs;

TEST(ClusterFactsWire, FieldsComeFromTheDocumentsOwnVersion) {
  const auto fields = job_fields_in(recorded("openapi.json"), "v0.0.42");
  ASSERT_TRUE(fields);
  EXPECT_GT(fields->size(), 100U);
  EXPECT_THAT(*fields, Not(Contains(Key("bogus"))));
  EXPECT_EQ(fields->at("account").type, "string");
  EXPECT_EQ(fields->at("time_limit").type, "object");
  EXPECT_THAT(fields->at("mail_type").words, Contains("TIME=80%"));
  EXPECT_THAT(fields->at("environment").words, IsEmpty());
  EXPECT_EQ(job_fields_in(recorded("openapi.json"), "v0.0.99"), std::nullopt);
}

TEST(ClusterFactsWire, PartitionsTellTheirLimits) {
  const auto partitions = partitions_in(recorded("partitions.json"));
  ASSERT_TRUE(partitions);
  EXPECT_EQ(partitions->at("main").most_minutes, std::nullopt);
  EXPECT_EQ(partitions->at("debug").most_minutes, 60);
  EXPECT_EQ(partitions->at("debug").nodes, 4);
}

TEST(ClusterFactsWire, AccountsAreTheUsersOwn) {
  EXPECT_EQ(accounts_in(recorded("associations.json"), "alice"), (std::set<std::string>{"lab"}));
  EXPECT_EQ(accounts_in(recorded("associations.json"), "nobody"), std::nullopt);
  EXPECT_EQ(accounts_in(recorded("associations.json"), ""), std::nullopt);
}

TEST(ClusterFactsWire, QosAreAll) {
  EXPECT_EQ(qos_in(recorded("qos.json")), (std::set<std::string>{"high", "normal"}));
}

TEST(ClusterFactsWire, AnswersThatAreNoneTellNothing) {
  for (const char* text : {"", "{", "[]", "{}", R"({"partitions":null,"qos":7})",
                           R"({"partitions":[],"qos":[],"associations":[],"errors":[{}]})",
                           R"({"components":{"schemas":{"v0.0.42_job_desc_msg":[]}}})"}) {
    EXPECT_FALSE(partitions_in(text)) << text;
    EXPECT_FALSE(qos_in(text)) << text;
    EXPECT_FALSE(accounts_in(text, "alice")) << text;
    EXPECT_FALSE(job_fields_in(text, "v0.0.42")) << text;
  }
}

TEST(ClusterFacts, AreAskedInTheClustersVersion) {
  const auto script = std::make_shared<Script>();
  script->serve("v0.0.42");
  script->on("GET /openapi/v3", "openapi.json");
  script->on("GET /slurm/v0.0.42/partitions/", "partitions.json");
  script->on("GET /slurmdb/v0.0.42/associations/", "associations.json");
  script->on("GET /slurmdb/v0.0.42/qos/", "qos.json");
  const auto facts = read_cluster_facts(std::make_unique<ScriptedTransport>(script), "");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->api_version, "v0.0.42");
  EXPECT_TRUE(facts->fields && facts->partitions && facts->accounts && facts->qos);
  EXPECT_THAT(facts->not_told, IsEmpty());
}

TEST(ClusterFacts, WhatCannotBeHadIsNotToldAndNeverEmpty) {
  const auto script = std::make_shared<Script>();
  script->serve("v0.0.42");
  script->on("GET /slurm/v0.0.42/partitions/", "partitions.json");
  const auto facts = read_cluster_facts(std::make_unique<ScriptedTransport>(script), "");
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->partitions);
  EXPECT_FALSE(facts->fields || facts->accounts || facts->qos);
  EXPECT_THAT(facts->not_told, SizeIs(3));
  EXPECT_THAT(facts->not_told, Contains(HasSubstr("the fields of its API")));
}

TEST(ClusterFacts, ClusterThatDoesNotAnswerIsAnError) {
  const auto script = std::make_shared<Script>();
  EXPECT_FALSE(read_cluster_facts(std::make_unique<ScriptedTransport>(script), ""));
}

}  // namespace
}  // namespace sconverge::test
