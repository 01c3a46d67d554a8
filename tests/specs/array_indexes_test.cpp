#include "specs/array_indexes.h"

#include <gmock/gmock.h>

#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;

std::string text_of(const Converted& read) {
  return read.value ? std::get<std::string>(*read.value) : "refused: " + read.what;
}

struct Form {
  const char* text;
  const char* canonical;
};

TEST(ArrayIndexes, AreCanonicalWhateverTheOrderBlanksAndDuplicates) {
  const Form cases[] = {
      {"5", "5"},
      {"0", "0"},
      {"4000000", "4000000"},
      {"007", "7"},
      {"0-9", "0-9"},
      {"5-5", "5"},
      {"1,1,2", "1-2"},
      {"3,1,2", "1-3"},
      {"1-3, 5", "1-3,5"},
      {" 7, 5", "5,7"},
      {"[1-3]", "1-3"},
      {"[1-3,7]%2", "1-3,7%2"},
      {"[1-3,7%2]", "1-3,7%2"},
      {"0-30:10", "0-30:10"},
      {"0-35:10", "0-30:10"},
      {"0,20,10,30", "0-30:10"},
      {"0-3:3", "0,3"},
      {"0-3:7", "0"},
      {"0-8:2,1-7:2", "0-8"},
      {"0-9%3", "0-9%3"},
      {"0-9%0", "0-9"},
      {"0-9%03", "0-9%3"},
  };
  for (const Form& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(text_of(array_indexes_from(c.text)), c.canonical);
    EXPECT_EQ(text_of(sbatch_array_from(c.text)), c.canonical);
    EXPECT_EQ(text_of(array_indexes_from(c.canonical)), c.canonical);
  }
}

struct Wrong {
  const char* text;
  const char* what;
  const char* remedy;
};

TEST(ArrayIndexes, SayWhatIsWrongWithThem) {
  const Wrong cases[] = {
      {"", "is not a task", "0-9"},
      {"x", "\"x\" is not a task", "0-9"},
      {"1-", "\"1-\" is not", "0-9"},
      {"1-x", "\"1-x\" is not", "0-9"},
      {"-1", "\"-1\" is not", "0-9"},
      {"+1", "\"+1\" is not", "0-9"},
      {"1,,2", "\"\" is not", "0-9"},
      {"1,", "\"\" is not", "0-9"},
      {"1.5", "\"1.5\" is not", "0-9"},
      {"1-3:x", "\"1-3:x\" is not", "0-9"},
      {"1:2", "\"1:2\" is not", "0-9"},
      {"1-2-3", "\"1-2-3\" is not", "0-9"},
      {"1 2", "\"1 2\" is not", "0-9"},
      {"3-1", "smaller index last", "write 1-3"},
      {"4000001", "above 4000000", "MaxArraySize"},
      {"0-99999999999999999999999", "above 4000000", "MaxArraySize"},
      {"0-9:0", "step of 0", "0-30:10"},
      {"0-9:5000000", "step of more than", "0-30:10"},
      {"0-9%", "no number of tasks", "%4"},
      {"0-9%x", "no number of tasks", "%4"},
      {"0-9%-1", "no number of tasks", "%4"},
      {"0-9%4294967295", "no number of tasks", "%4"},
      {"0-9%2%3", "no number of tasks", "%4"},
      {"0-9%2,20", "before its end", "last"},
      {"%2", "is not a task", "0-9"},
      {"0-4000000:2,0-4000000:3,0-4000000:5", "more than 4000001 indexes", "twice"},
  };
  for (const Wrong& c : cases) {
    SCOPED_TRACE(c.text);
    const Converted read = array_indexes_from(c.text);
    EXPECT_FALSE(read.value);
    EXPECT_THAT(read.what, HasSubstr(c.what));
    EXPECT_THAT(read.remedy, HasSubstr(c.remedy));
  }
}

TEST(ArrayIndexes, AreAtMostAsLongAsSlurmTakes) {
  std::string text = "1";
  while (text.size() + 2 <= 4096) text += ",1";
  EXPECT_EQ(text_of(array_indexes_from(text)), "1");
  EXPECT_THAT(array_indexes_from(text + ",1").what, HasSubstr("bytes long"));
}

// Two steps through each other have no short text of their own: 0, 1, 6, 7, 12, 13, ...
TEST(ArrayIndexes, StayAsWrittenWhereTheirOwnTextWouldBeTooLong) {
  EXPECT_EQ(text_of(array_indexes_from("1-40000:6 ,0-40000:6,1-39999:6%2")),
            "0-39996:6,1-39997:6%2");
}

TEST(SbatchArrays, AreReadAsSlurmReadsThem) {
  const Form cases[] = {
      {"0-3%x", "0-3"},    {"1%2,5", "1,5%2"}, {"1,,2,", "1-2"},   {"+1", "1"},
      {"[", "0"},          {"%2", "0%2"},      {"0-", "0"},        {"1-3%-1", "1-3"},
      {"", "refused"},     {",", "refused"},   {"-1", "refused"},  {"x", "refused"},
      {"1-x", "refused"},  {"1 ", "refused"},  {"3-1", "refused"}, {"0-9:0", "refused"},
      {"0-9:", "refused"},
  };
  for (const Form& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_THAT(text_of(sbatch_array_from(c.text)), testing::StartsWith(c.canonical));
    if (std::string_view(c.canonical) != "refused") {
      EXPECT_EQ(text_of(sbatch_array_from(c.text)), c.canonical);
    }
  }
}

TEST(ArrayIndexes, AreReadFromCanonicalText) {
  const auto array = read_array("0-3,7%2");
  ASSERT_TRUE(array);
  EXPECT_EQ(array->indexes, IndexSet::of({{0, 3}, {7, 7}}));
  EXPECT_EQ(array->throttle, 2U);
  EXPECT_EQ(to_text(*array), "0-3,7%2");
  EXPECT_FALSE(read_array("3-1"));
}

TEST(ArrayIndexes, WrittenInAnotherWayAreTheSameWork) {
  const auto generation = [](const std::string& array) {
    return generation_of(read_one(spec_text("    array: " + array + "\n")));
  };
  EXPECT_EQ(generation("0-3"), generation("[3, 1-2, 0, 2]"));
  EXPECT_NE(generation("0-3"), generation("0-4"));
  EXPECT_NE(generation("0-3"), generation("0-3%2"));
}

}  // namespace
}  // namespace sconverge::test
