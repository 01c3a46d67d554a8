#include "controller/core/state_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

JobRecord a_row(std::uint32_t id, const std::vector<std::string>& state, IndexSet tasks = {}) {
  return {.job = {.id = JobId{id}, .state = job_state_from(state)},
          .group = JobId{id},
          .tasks = std::move(tasks)};
}

IndexSet tasks(std::uint32_t first, std::uint32_t last) { return IndexSet::of({{first, last}}); }

TEST(StateListTest, EmptyListHasNoRecords) { EXPECT_THAT(StateList().records(), IsEmpty()); }

TEST(StateListTest, RecordsAreSortedByIdInWhateverOrderRowsCome) {
  StateList list;
  for (const std::uint32_t id : {7U, 3U, 9U}) list.add(a_row(id, {"RUNNING"}));
  const auto running = *signature_of(a_row(1, {"RUNNING"}));
  EXPECT_THAT(list.records(),
              ElementsAre(RecordState{JobId{3}, running}, RecordState{JobId{7}, running},
                          RecordState{JobId{9}, running}));
}

TEST(StateListTest, TasksRowsOfAnArrayMakeTheSignatureOfItsRecord) {
  StateList list;
  for (const std::uint32_t task : {4U, 2U, 3U}) list.add(a_row(7, {"PENDING"}, tasks(task, task)));
  EXPECT_THAT(list.records(), ElementsAre(RecordState{
                                  JobId{7}, *signature_of(a_row(7, {"PENDING"}, tasks(2, 4)))}));
}

TEST(StateListTest, TasksRowsMayBeScatteredOverTheList) {
  StateList list;
  list.add(a_row(9, {"PENDING"}, tasks(0, 0)));
  list.add(a_row(4, {"RUNNING"}));
  list.add(a_row(9, {"PENDING"}, tasks(1, 1)));
  EXPECT_THAT(
      list.records(),
      ElementsAre(RecordState{JobId{4}, *signature_of(a_row(4, {"RUNNING"}))},
                  RecordState{JobId{9}, *signature_of(a_row(9, {"PENDING"}, tasks(0, 1)))}));
}

TEST(StateListTest, ATaskThatHasLeftTheRecordChangesItsSignature) {
  EXPECT_NE(signature_of(a_row(7, {"PENDING"}, tasks(0, 4))),
            signature_of(a_row(7, {"PENDING"}, tasks(1, 4))));
}

TEST(StateListTest, EveryWordOfTheStateThatMattersChangesTheSignature) {
  const std::vector<std::vector<std::string>> states{{"PENDING"},
                                                     {"RUNNING"},
                                                     {"RUNNING", "COMPLETING"},
                                                     {"RUNNING", "CONFIGURING"},
                                                     {"RUNNING", "STAGE_OUT"},
                                                     {"SUSPENDED"},
                                                     {"COMPLETED"},
                                                     {"FAILED"},
                                                     {"CANCELLED"},
                                                     {"CANCELLED", "COMPLETING"}};
  std::set<StateSignature> signatures;
  for (const auto& state : states) signatures.insert(*signature_of(a_row(1, state)));
  EXPECT_EQ(signatures.size(), states.size());
}

TEST(StateListTest, OrderOfTheWordsDoesNotMatter) {
  EXPECT_EQ(signature_of(a_row(1, {"COMPLETING", "RUNNING"})),
            signature_of(a_row(1, {"RUNNING", "COMPLETING"})));
}

TEST(StateListTest, ATaskIsNotAJobOfItsOwn) {
  EXPECT_NE(signature_of(a_row(7, {"RUNNING"}, tasks(0, 0))), signature_of(a_row(7, {"RUNNING"})));
}

TEST(StateListTest, NobodyCanSayWhereSlurmNamesOnlyTheFirstTasks) {
  JobRecord cut = a_row(7, {"PENDING"});
  cut.cut = true;
  EXPECT_EQ(signature_of(cut), std::nullopt);
}

}  // namespace
}  // namespace sconverge::test
