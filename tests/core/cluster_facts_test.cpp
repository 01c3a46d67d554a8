#include "controller/core/cluster_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ClusterFacts facts() {
  ClusterFacts facts{.api_version = "v0.0.42"};
  facts.fields = {{"name", {"string", {}}},
                  {"partition", {"string", {}}},
                  {"time_limit", {"object", {}}},
                  {"account", {"string", {}}},
                  {"qos", {"string", {}}},
                  {"nodes", {"string", {}}},
                  {"minimum_nodes", {"integer", {}}},
                  {"mail_type", {"array", {"BEGIN", "END"}}}};
  facts.partitions = {
      {"main", {}},
      {"debug",
       {.most_minutes = 60, .nodes = 4, .allowed_accounts = {"lab"}, .denied_qos = {"high"}}}};
  facts.accounts = {"lab", "vision"};
  facts.qos = {"normal", "high"};
  return facts;
}

std::vector<std::string> problems(const JobFields& job, const ClusterFacts& known = facts()) {
  JobSpec spec{.name = {"default", "train"}};
  spec.job = job;
  spec.file = "a.yaml";
  spec.line = 3;
  std::vector<std::string> texts;
  for (const Problem& problem : problems_on_cluster(spec, known, TimePoint{})) {
    EXPECT_EQ(problem.file, "a.yaml");
    EXPECT_EQ(problem.line, 3);
    texts.push_back(problem.field + ": " + problem.what + " (" + problem.remedy + ")");
  }
  return texts;
}

FieldValue text(const char* value) { return std::string(value); }
FieldValue minutes(std::int64_t value) { return value; }

TEST(ProblemsOnCluster, SpecThatFitsHasNone) {
  EXPECT_THAT(problems({{"partition", text("main,debug")},
                        {"time_limit", minutes(60)},
                        {"account", text("LAB")},
                        {"qos", text("normal")},
                        {"nodes", text("2-4")},
                        {"mail_type", std::vector<std::string>{"END"}}}),
              IsEmpty());
  EXPECT_THAT(problems({{"partition", text("debug")}, {"time_limit", minutes(60)}}), IsEmpty());
}

TEST(ProblemsOnCluster, FieldThatItsApiLacksWouldBeLeftOutSilently) {
  EXPECT_THAT(problems({{"segment_size", minutes(1)}}),
              ElementsAre(AllOf(HasSubstr("job.segment_size"), HasSubstr("v0.0.42"),
                                HasSubstr("silently leave it out"))));
}

TEST(ProblemsOnCluster, WordThatItDoesNotKnowIsToldWithANearOne) {
  EXPECT_THAT(problems({{"mail_type", std::vector<std::string>{"BEGINN", "END"}}}),
              ElementsAre(AllOf(HasSubstr("\"BEGINN\""), HasSubstr("did you mean BEGIN?"))));
}

TEST(ProblemsOnCluster, NamesThatItDoesNotHaveAreTold) {
  EXPECT_THAT(problems({{"partition", text("mian,debug")}}),
              ElementsAre(AllOf(HasSubstr("\"mian\""), HasSubstr("did you mean main?"))));
  EXPECT_THAT(problems({{"account", text("nobody")}}), ElementsAre(HasSubstr("lab, vision")));
  EXPECT_THAT(problems({{"qos", text("hihg")}}), ElementsAre(HasSubstr("did you mean high?")));
}

TEST(ProblemsOnCluster, MoreThanAPartitionAllowsIsTold) {
  EXPECT_THAT(problems({{"partition", text("debug")}, {"time_limit", minutes(61)}}),
              ElementsAre(HasSubstr("at most 60 minutes")));
  EXPECT_THAT(problems({{"partition", text("debug")}, {"time_limit", Unlimited{}}}),
              ElementsAre(HasSubstr("at most 60 minutes")));
  EXPECT_THAT(problems({{"partition", text("debug")}, {"nodes", text("5-8")}}),
              ElementsAre(HasSubstr("has 4 nodes")));
  EXPECT_THAT(problems({{"partition", text("debug")}, {"minimum_nodes", minutes(5)}}),
              ElementsAre(HasSubstr("has 4 nodes")));
}

TEST(ProblemsOnCluster, WhoAPartitionDoesNotAdmitIsTold) {
  EXPECT_THAT(problems({{"partition", text("debug")}, {"account", text("vision")}}),
              ElementsAre(HasSubstr("does not admit \"vision\"")));
  EXPECT_THAT(problems({{"partition", text("debug")}, {"qos", text("high")}}),
              ElementsAre(HasSubstr("does not admit \"high\"")));
}

TEST(ProblemsOnCluster, WhatItDidNotTellIsNoProblem) {
  EXPECT_THAT(problems({{"nonsense", minutes(1)},
                        {"required_nodes", std::vector<std::string>{"n99"}},
                        {"array", text("0-4000000")},
                        {"constraints", text("nowhere")},
                        {"tres_per_node", text("gres/fpga:1")},
                        {"licenses", text("nothing|other")},
                        {"reservation", text("nowhere")},
                        {"partition", text("nowhere")},
                        {"account", text("nobody")},
                        {"qos", text("none")}},
                       {}),
              IsEmpty());
}

}  // namespace
}  // namespace sconverge::test
