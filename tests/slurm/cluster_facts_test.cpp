#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/slurm/cluster_facts_reader.h"
#include "controller/slurm/wire_cluster_facts.h"
#include "controller/slurm/wire_resource_facts.h"
#include "tests/slurm/scripted_transport.h"

namespace sconverge::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Optional;
using testing::Pair;
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
  EXPECT_EQ(partitions->at("debug").hosts, "n[1-4]");
}

std::optional<NodesTold> nodes_of(const std::string& text) {
  TextSource source(text, 7);
  return nodes_in(source);
}

TEST(ClusterFactsWire, NodesTellWhatTheyHave) {
  const auto told = nodes_of(recorded("nodes.json"));
  ASSERT_TRUE(told);
  EXPECT_THAT(told->names, ElementsAre("n1", "n2", "n3", "n4"));
  EXPECT_THAT(told->features, ElementsAre(Pair("lab", 4), Pair("rack1", 2), Pair("rack2", 2)));
  const GresFacts& gpu = told->gres.at("gpu");
  EXPECT_EQ(gpu.whole.on_a_node, 8);
  EXPECT_EQ(gpu.whole.in_all, 32);
  EXPECT_FALSE(gpu.has_untyped);
  EXPECT_EQ(gpu.types.at("a100").on_a_node, 4);
  EXPECT_EQ(gpu.types.at("h100").in_all, 16);
  EXPECT_EQ(told->gres.at("scratch").whole.on_a_node, 1000);
  EXPECT_TRUE(told->gres.at("scratch").has_untyped);
}

TEST(ClusterFactsWire, GenericResourcesAreReadInEveryFormThatSlurmWrites) {
  const auto told = nodes_of(R"json({"nodes":[
      {"name":"a","features":"x,y","gres":"gpu:a100:2(S:0-1,3),gpu:4(S:0)"},
      {"name":"","gres":"fpga:1"},
      {"name":"b","gres":"craynetwork:no_consume:4,disk:100G,(null)"},
      {"name":"c","features":null,"gres":""},7],"errors":[]})json");
  ASSERT_TRUE(told);
  EXPECT_THAT(told->names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(told->features, ElementsAre(Pair("x", 1), Pair("y", 1)));
  EXPECT_THAT(told->gres, ElementsAre(Key("craynetwork"), Key("disk"), Key("gpu")));
  EXPECT_EQ(told->gres.at("gpu").whole.on_a_node, 6);
  EXPECT_TRUE(told->gres.at("gpu").has_untyped);
  EXPECT_EQ(told->gres.at("craynetwork").whole.on_a_node, 4);
  EXPECT_EQ(told->gres.at("disk").whole.on_a_node, std::int64_t{100} << 30);
}

TEST(ClusterFactsWire, LicencesTellHowManyThereAre) {
  TextSource answer(recorded("licenses.json"));
  const auto told = licenses_in(answer);
  ASSERT_TRUE(told);
  EXPECT_THAT(told->totals, ElementsAre(Pair("ansys", Optional(2)), Pair("matlab", Optional(4))));
  EXPECT_EQ(told->slurm_release, "24.11.5");
  TextSource remote(R"({"licenses":[{"LicenseName":"a@b","Total":9,"Remote":true}]})");
  const auto other = licenses_in(remote);
  ASSERT_TRUE(other);
  EXPECT_THAT(other->totals, ElementsAre(Pair("a@b", std::nullopt)));
}

TEST(ClusterFactsWire, ReservationsAreNames) {
  TextSource answer(recorded("reservations.json"));
  EXPECT_THAT(reservations_in(answer), Optional(ElementsAre("maintenance")));
  TextSource none(R"({"reservations":[],"errors":[]})");
  EXPECT_THAT(reservations_in(none), Optional(IsEmpty()));
}

TEST(ClusterFactsWire, TheConfigurationTellsMaxArraySize) {
  const auto size_in = [](const std::string& text) {
    TextSource answer(text);
    return array_size_in(answer);
  };
  EXPECT_EQ(size_in(R"({"slurm_conf":{"MaxJobCount":7,"MaxArraySize":10001},"meta":{}})"), 10001);
  for (const char* text : {"", "[]", "{}", R"({"slurm_conf":[]})", R"({"slurm_conf":{}})"}) {
    EXPECT_EQ(size_in(text), std::nullopt) << text;
  }
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
    EXPECT_FALSE(nodes_of(text)) << text;
  }
  for (const char* text : {"", "{", "{}", R"({"licenses":null,"reservations":7})",
                           R"({"licenses":[],"reservations":[],"errors":[{}]})",
                           R"({"licenses":[],"reservations":[])"}) {
    TextSource licenses(text);
    EXPECT_FALSE(licenses_in(licenses)) << text;
    TextSource reservations(text);
    EXPECT_FALSE(reservations_in(reservations)) << text;
  }
}

TEST(ClusterFacts, AreAskedInTheClustersVersion) {
  const auto script = std::make_shared<Script>();
  script->serve("v0.0.42");
  script->on("GET /openapi/v3", "openapi.json");
  script->on("GET /slurm/v0.0.42/partitions/", "partitions.json");
  script->on("GET /slurmdb/v0.0.42/associations/", "associations.json");
  script->on("GET /slurmdb/v0.0.42/qos/", "qos.json");
  for (const std::string name : {"nodes", "licenses", "reservations"}) {
    script->on("GET /slurm/v0.0.42/" + name + "/", name + ".json");
  }
  const auto facts = read_cluster_facts(std::make_unique<ScriptedTransport>(script), "");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->api_version, "v0.0.42");
  EXPECT_TRUE(facts->fields && facts->partitions && facts->accounts && facts->qos);
  EXPECT_TRUE(facts->nodes && facts->features && facts->gres);
  EXPECT_TRUE(facts->licenses && facts->reservations);
  EXPECT_EQ(facts->slurm_release, "24.11.5");
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
  EXPECT_FALSE(facts->nodes || facts->features || facts->gres);
  EXPECT_FALSE(facts->licenses || facts->reservations);
  EXPECT_THAT(facts->not_told, SizeIs(6));
  EXPECT_THAT(facts->not_told, Contains(HasSubstr("the fields of its API")));
}

// Slurm does not show nodes of the cloud that are powered down, but takes jobs for them.
TEST(ClusterFacts, ANodeThatIsNotShownMayHaveWhatTheOthersLack) {
  const auto script = std::make_shared<Script>();
  script->serve("v0.0.42");
  script->on("GET /slurm/v0.0.42/partitions/", "partitions.json");
  script->on_text("GET /slurm/v0.0.42/nodes/",
                  R"({"nodes":[{"name":"n1","features":["lab"],"gres":"gpu:8"}]})");
  const auto facts = read_cluster_facts(std::make_unique<ScriptedTransport>(script), "");
  ASSERT_TRUE(facts);
  EXPECT_THAT(facts->nodes, Optional(ElementsAre("n1", "n2", "n3", "n4")));
  EXPECT_FALSE(facts->features || facts->gres);
  EXPECT_THAT(facts->not_told, Contains(HasSubstr("n4 is not shown")));
}

TEST(ClusterFacts, NodesAreNotToldByAClusterThatShowsNone) {
  const auto script = std::make_shared<Script>();
  script->serve("v0.0.42");
  script->on("GET /slurm/v0.0.42/partitions/", "partitions.json");
  script->on_text("GET /slurm/v0.0.42/nodes/", R"({"nodes":[],"errors":[]})");
  const auto facts = read_cluster_facts(std::make_unique<ScriptedTransport>(script), "");
  ASSERT_TRUE(facts);
  EXPECT_FALSE(facts->nodes || facts->features || facts->gres);
  EXPECT_THAT(facts->not_told, Contains(HasSubstr("its nodes")));
}

TEST(ClusterFacts, OnlyTheNewestVersionTellsItsConfiguration) {
  for (const std::string version : {"v0.0.44", "v0.0.45"}) {
    const auto script = std::make_shared<Script>();
    script->serve(version);
    script->on_text("GET /slurm/" + version + "/conf", R"({"slurm_conf":{"MaxArraySize":1001}})");
    const auto facts = read_cluster_facts(std::make_unique<ScriptedTransport>(script), "");
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->array_indexes.has_value(), version == "v0.0.45");
    EXPECT_EQ(script->paths("/conf").size(), version == "v0.0.45" ? 1U : 0U);
  }
}

TEST(ClusterFacts, ClusterThatDoesNotAnswerIsAnError) {
  const auto script = std::make_shared<Script>();
  EXPECT_FALSE(read_cluster_facts(std::make_unique<ScriptedTransport>(script), ""));
}

}  // namespace
}  // namespace sconverge::test
