#include "specs/field_rules.h"

#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string problems_with(const std::string& job_lines) {
  return problems_of(spec_text(job_lines));
}

std::vector<std::string> notes_with(const std::string& job_lines) {
  std::vector<std::string> lines;
  const SpecFile file = read_text(spec_text(job_lines));
  EXPECT_THAT(file.problems, IsEmpty());
  for (const Problem& note : file.notes) lines.push_back(to_text(note));
  return lines;
}

TEST(FieldRules, TwoFieldsThatSetOneThingAreToldAtTheSecond) {
  EXPECT_EQ(problems_with("    memory_per_node: 1G\n    memory_per_cpu: 1G\n"),
            "a.yaml:9:5: spec.job.memory_per_cpu: `memory_per_node` and `memory_per_cpu` set the "
            "same thing (keep one of them)\n");
  EXPECT_THAT(problems_with("    memory_per_tres: gres/gpu:1\n    memory_per_cpu: 1G\n"),
              HasSubstr("a.yaml:8:5: spec.job.memory_per_tres: "));
}

TEST(FieldRules, ALeastOfMoreThanTheMostIsRefused) {
  EXPECT_THAT(problems_with("    time_minimum: 2h\n    time_limit: 1h\n"),
              HasSubstr("a.yaml:8:5: spec.job.time_minimum: `time_minimum` is more than"));
  EXPECT_THAT(problems_with("    minimum_nodes: 3\n    maximum_nodes: 2\n"),
              HasSubstr("`minimum_nodes` is more than `maximum_nodes`"));
  EXPECT_EQ(problems_with("    minimum_nodes: 2\n    maximum_nodes: 2\n"), "");
}

TEST(FieldRules, MoreNodesThanTasksAreNoted) {
  EXPECT_THAT(
      notes_with("    nodes: 4-8\n    tasks: 2\n"),
      ElementsAre("a.yaml:9:5: spec.job.tasks: 4 nodes for 2 tasks: some nodes stay without "
                  "a task (ask for fewer nodes or more tasks)"));
  EXPECT_THAT(notes_with("    minimum_nodes: 2\n    tasks: 1\n"),
              ElementsAre(HasSubstr("2 nodes for 1 task:")));
  EXPECT_THAT(notes_with("    nodes: 2\n    tasks: 2\n"), IsEmpty());
  EXPECT_THAT(notes_with("    nodes: 4\n"), IsEmpty());
}

}  // namespace
}  // namespace sconverge::test
