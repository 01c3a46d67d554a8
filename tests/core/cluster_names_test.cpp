// What sbatch 24.11 takes and refuses on a cluster of four nodes.
#include "controller/core/cluster_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ClusterFacts facts() {
  ClusterFacts facts{.api_version = "v0.0.45"};
  facts.partitions.emplace().emplace("main", PartitionFacts{});
  facts.nodes = {"n1", "n2", "n3", "n4"};
  facts.features = {{"lab", 4}, {"rack1", 2}, {"rack2", 2}};
  facts.gres = {{"gpu", {{8, 32}, {{"a100", {4, 16}}, {"h100", {4, 16}}}}},
                {"scratch", {{1000, 4000}, {}, true}}};
  facts.licenses = {{"matlab", 4}, {"ansys", 2}, {"abaqus@flex", std::nullopt}};
  facts.reservations = {"maintenance"};
  facts.slurm_release = "24.11.5";
  facts.array_indexes = 1000;
  return facts;
}

constexpr std::int64_t kNow = 1'800'000'000;

std::vector<std::string> problems(const JobFields& job, const ClusterFacts& known = facts()) {
  JobSpec spec{.name = {"default", "train"}};
  spec.job = job;
  std::vector<std::string> texts;
  for (const Problem& problem : problems_on_cluster(spec, known, TimePoint(seconds(kNow)))) {
    texts.push_back(problem.field + ": " + problem.what + " (" + problem.remedy + ")");
  }
  return texts;
}

FieldValue text(const char* value) { return std::string(value); }
FieldValue minutes(std::int64_t value) { return value; }
FieldValue list(std::vector<std::string> value) { return value; }

TEST(NamesOnCluster, NodesThatItDoesNotHaveAreTold) {
  for (const char* field : {"required_nodes", "excluded_nodes"}) {
    SCOPED_TRACE(field);
    EXPECT_THAT(problems({{field, list({"n1", "n[2-4]"})}}), IsEmpty());
    EXPECT_THAT(problems({{field, list({"switchwith{n9}", "n1"})}}), IsEmpty());
    EXPECT_THAT(problems({{field, list({"n[3-5]", "m1"})}}),
                ElementsAre(AllOf(HasSubstr(field), HasSubstr("no node \"m1\", \"n5\""))));
    EXPECT_THAT(problems({{field, list({"switchwith{n1}", "n9"})}}), ElementsAre(HasSubstr("n9")));
    EXPECT_THAT(problems({{field, list({"n[10-99]"})}}), ElementsAre(HasSubstr("and 85 more")));
  }
}

struct Row {
  const char* field;
  const char* value;
  const char* told;  ///< nothing: no problem
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.field) + ": " + row.value);
    const auto told = problems({{row.field, text(row.value)}});
    if (row.told == nullptr) {
      EXPECT_THAT(told, IsEmpty());
    } else {
      EXPECT_THAT(told, ElementsAre(AllOf(HasSubstr(row.field), HasSubstr(row.told))));
    }
  }
}

// What sbatch 24.11 takes and refuses on a cluster with these features.
TEST(NamesOnCluster, FeaturesThatNoNodeHasAreTold) {
  expect_rows({{"constraints", "lab&rack1", nullptr},
               {"constraints", "lab&", nullptr},
               {"constraints", "lab|", nullptr},
               {"constraints", "[rack1*2&rack2*2]", nullptr},
               {"constraints", "[lab]*2", nullptr},
               {"constraints", "lab&[rack1|rack2]", nullptr},
               {"constraints", "(rack1|rack2)&lab", nullptr},
               {"constraints", "[(rack1&lab)|rack2]", nullptr},
               {"constraints", "nowhere", "\"nowhere\" (there are: lab"},
               {"constraints", "lab,rack3", "did you mean rack1?"},
               {"constraints", "[rack1|nowhere]", "\"nowhere\""},
               {"constraints", "(lab&rack1)|nowhere*1", "\"nowhere\""},
               {"constraints", "LAB", "\"LAB\" (did you mean lab?)"},
               {"constraints", "!lab", "\"!lab\""},
               {"constraints", "lab rack1", "\"lab rack1\""},
               {"constraints", "lab*x", "\"lab*x\""},
               {"constraints", "lab*", "\"lab*\""},
               {"constraints", "lab*0", "\"lab*0\""},
               {"constraints", "rack1*3", "only 2 nodes"},
               {"prefer", "rack1*3", nullptr},
               {"prefer", "lab", nullptr},
               {"prefer", "nowhere", "\"nowhere\""}});
}

TEST(NamesOnCluster, ConstraintThatIsNoneIsTold) {
  expect_rows({{"constraints", "&lab", "before an operator"},
               {"constraints", "lab&&rack1", "before an operator"},
               {"constraints", "lab,,rack1", "before an operator"},
               {"constraints", "[lab", "not closed"},
               {"constraints", "(lab]", "not opened"},
               {"constraints", "lab]", "not opened"},
               {"constraints", "()", "empty"},
               {"constraints", "[]", "empty"},
               {"constraints", "lab[rack1]", "before a bracket"}});
}

TEST(NamesOnCluster, GenericResourcesThatNoNodeHasAreTold) {
  expect_rows({{"tres_per_node", "gres/gpu:8", nullptr},
               {"tres_per_node", "gres/gpu:a100:4,gres/scratch:10", nullptr},
               {"tres_per_node", "gres/gpu:a100", nullptr},
               {"tres_per_node", "gres/fpga:0", nullptr},
               {"tres_per_node", "gres/scratch:fast:5", nullptr},  // types are not told
               {"tres_per_node", "gres/fpga:1", "generic resource \"fpga\""},
               {"tres_per_node", "gres/GPU:1", "\"GPU\" (did you mean gpu?)"},
               {"tres_per_node", "gres/gpu:two", "gpu of the type \"two\" (there are: a100, h100)"},
               {"tres_per_node", "gres/gpu:a10:1", "did you mean a100?"},
               {"tres_per_node", "gres/gpu:9", "more than 8 of \"gpu\""},
               {"tres_per_node", "gres/gpu:a100:5", "more than 4 of \"gpu:a100\""},
               {"tres_per_job", "gres/gpu:32", nullptr},
               {"tres_per_job", "gres/gpu:33", "cluster has 32 of \"gpu\""},
               {"tres_per_job", "gres/gpu:b200:1", "\"b200\""},
               {"tres_per_task", "cpu=4,gres/gpu=1", nullptr},
               {"tres_per_task", "gres/gpu:b200=1", "\"b200\""},
               {"tres_per_socket", "gres/fpga:1", "\"fpga\""}});
}

TEST(NamesOnCluster, LicencesThatItDoesNotHaveAreTold) {
  expect_rows({{"licenses", "matlab", nullptr},
               {"licenses", "matlab:4,ansys", nullptr},
               {"licenses", "matlab=2;ansys:", nullptr},
               {"licenses", ",matlab:0", nullptr},
               {"licenses", "abaqus@flex:1000", nullptr},
               {"licenses", "matlap", "no licence \"matlap\" (did you mean matlab?)"},
               {"licenses", "matlab, ansys", "\" ansys\""},
               {"licenses", "matlab@flex", "\"matlab@flex\""},
               {"licenses", "matlab:5", "has 4 of \"matlab\""},
               {"licenses", "matlab:3,matlab:3", "has 4 of \"matlab\""},
               {"licenses", "matlab:1K", "no number"},
               {"licenses", "matlab:-1", "no number"},
               {"tres_per_task", "license/matlab=9,cpu=1", nullptr},
               {"tres_per_task", "cpu=1,license/nothing=1", "no licence \"nothing\""},
               {"licenses", "matlab:1|ansys:1", "24.11.5 does not know `|`"}});
}

TEST(NamesOnCluster, LicencesOfWhichOneWillDoAreForLaterReleases) {
  ClusterFacts later = facts();
  for (const char* release : {"25.11.2", ""}) {
    later.slurm_release = release;
    EXPECT_THAT(problems({{"licenses", text("matlab:1|ansys:1")}}, later), IsEmpty());
    EXPECT_THAT(problems({{"licenses", text("matlab:1|other")}}, later),
                ElementsAre(HasSubstr("\"other\"")));
    EXPECT_THAT(problems({{"licenses", text("matlab:4|matlab:4|ansys:3")}}, later),
                ElementsAre(HasSubstr("has 2 of \"ansys\"")));
    EXPECT_THAT(problems({{"licenses", text("matlab|ansys,matlab")}}, later),
                ElementsAre(HasSubstr("cannot stand together")));
  }
}

TEST(NamesOnCluster, ArrayBeyondTheLargestIndexIsTold) {
  expect_rows({{"array", "0-999%4", nullptr},
               {"array", "1,3-1000:7", nullptr},
               {"array", "0-1000", "largest index on this cluster is 999, not 1000"},
               {"array", "1,2000000", "not 2000000"}});
}

TEST(NamesOnCluster, ReservationsThatItDoesNotHaveAreTold) {
  expect_rows({{"reservation", "maintenance", nullptr},
               {"reservation", "maintenance,", nullptr},
               {"reservation", "maintenence", "did you mean maintenance?"},
               {"reservation", "maintenance,nowhere", "\"nowhere\""}});
}

TEST(NamesOnCluster, DeadlineThatNoJobCanMeetIsTold) {
  const auto at = [](std::int64_t seconds_from_now) -> FieldValue {
    return kNow + seconds_from_now;
  };
  EXPECT_THAT(problems({{"deadline", at(0)}}), IsEmpty());
  EXPECT_THAT(problems({{"deadline", at(-1)}, {"time_limit", minutes(1)}}),
              ElementsAre(HasSubstr("job.deadline: the deadline is past")));
  EXPECT_THAT(problems({{"deadline", at(300)}, {"time_limit", minutes(5)}}), IsEmpty());
  EXPECT_THAT(problems({{"deadline", at(300)}, {"time_limit", minutes(6)}}),
              ElementsAre(HasSubstr("after the deadline")));
  EXPECT_THAT(
      problems({{"deadline", at(300)}, {"time_limit", minutes(60)}, {"time_minimum", minutes(2)}}),
      IsEmpty());
  EXPECT_THAT(
      problems({{"deadline", at(300)}, {"time_limit", minutes(4)}, {"begin_time", at(120)}}),
      ElementsAre(HasSubstr("after the deadline")));
}

TEST(NamesOnCluster, AProblemOfAnSbatchScriptIsAtTheLineOfTheDirective) {
  JobSpec spec{.name = {"default", "train"}};
  spec.job = {{"partition", text("nowhere")},
              {"constraints", text("rack9")},
              {"licenses", text("nothing")}};
  spec.file = "a/train.sbatch";
  spec.line = 2;
  spec.script =
      "#!/bin/sh\n#SCONVERGE --name=train --job-licenses=nothing\n#SBATCH -C rack9\n"
      "#SBATCH --licenses=matlab\n#PBS -q nowhere\n";
  std::vector<std::string> told;
  for (const Problem& problem : problems_on_cluster(spec, facts(), TimePoint(seconds(kNow)))) {
    told.push_back(problem.field + " " + std::to_string(problem.line));
  }
  EXPECT_THAT(told, ElementsAre("job.partition 5", "job.constraints 3", "job.licenses 2"));
  spec.file = "a/train.yaml";
  for (const Problem& problem : problems_on_cluster(spec, facts(), TimePoint(seconds(kNow)))) {
    EXPECT_EQ(problem.line, 2);
  }
}

TEST(NamesOnCluster, HostileTextsAreSurvived) {
  const std::string many(100'000, '[');
  std::string names;
  for (int i = 0; i < 20'000; ++i) names += "x" + std::to_string(i) + "&";
  for (const std::string& value : {many, names, std::string("a*") + std::string(50'000, '9'),
                                   std::string("\xff\0|*", 4), std::string("*"), std::string()}) {
    for (const char* field : {"constraints", "prefer", "licenses", "reservation", "tres_per_node",
                              "tres_per_job", "tres_per_task", "array"}) {
      EXPECT_THAT(problems({{field, value}}).size(), testing::Le(3U));
    }
    EXPECT_THAT(problems({{"required_nodes", list({value, "n[1-65536]", "n[1-65536]"})}}).size(),
                testing::Le(1U));
  }
}

}  // namespace
}  // namespace sconverge::test
