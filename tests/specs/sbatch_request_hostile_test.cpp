#include <random>

#include "specs/sbatch_table.h"
#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

// Numbers and words that have a meaning somewhere, put together at random.
std::string hostile_value(std::mt19937& random) {
  static const std::vector<std::string> pieces = {
      "0",          "1",   "-1",   "4294967296", "99999999999999999999",
      "2147483647", ":",   "-",    ",",          "=",
      "@",          "[",   "]",    "{",          "%",
      "*",          "+",   "/",    "'",          "\"",
      " ",          "\t",  "\x01", "\xff",       "gpu",
      "gres",       "cpu", "ALL",  "NONE",       "now",
      "T",          "uts", "n[1-", "map_mem:",   "plane=",
      "USR1",       "k",   "G",    "2027-01-31", "9"};
  std::uniform_int_distribution<std::size_t> pick(0, pieces.size() - 1);
  std::uniform_int_distribution<int> count(0, 12);
  std::string value;
  for (int i = count(random); i > 0; --i) value += pieces[pick(random)];
  return value;
}

TEST(SbatchRequestHostile, ValuesNeverThrowAndNeverPassUnseen) {
  std::mt19937 random(20270131);
  const auto rules = sbatch_rules();
  std::uniform_int_distribution<std::size_t> pick(0, rules.size() - 1);
  for (int round = 0; round < 20000; ++round) {
    SbatchOptions script;
    for (int i = 0; i < 4; ++i) {
      SbatchOption option;
      option.name = rules[pick(random)].option;
      option.value = hostile_value(random);
      option.line = i + 1;
      script.options.push_back(option);
    }
    const SbatchRequest request = sbatch_request(script);
    for (const ScriptProblem& problem : request.problems) {
      EXPECT_FALSE(problem.what.empty());
      EXPECT_FALSE(problem.remedy.empty()) << problem.what;
      EXPECT_LT(problem.what.size(), 1000U);
      EXPECT_GE(problem.line, 1) << problem.what;
    }
    for (const ScriptProblem& note : request.notes) EXPECT_GE(note.line, 1) << note.what;
  }
}

TEST(SbatchRequestHostile, OptionsWithoutTheValueThatTheyNeedDoNoHarm) {
  for (const SbatchRule& rule : sbatch_rules()) {
    SbatchOptions script;
    SbatchOption option;
    option.name = rule.option;
    script.options.push_back(option);
    EXPECT_NO_THROW(sbatch_request(script)) << rule.option;
  }
}

TEST(SbatchRequestHostile, LongValuesDoNoHarm) {
  for (const SbatchRule& rule : sbatch_rules()) {
    for (const char* piece : {"1", ",", "a", "[", "1,", "n[1-9],", "0*9,", ":", "gres/gpu:1,", "=",
                              "'", "gpu+", "x=1,"}) {
      SbatchOptions script;
      SbatchOption option;
      option.name = rule.option;
      std::string value;
      while (value.size() < 30000) value += piece;
      option.value = value;
      script.options.push_back(option);
      EXPECT_NO_THROW(sbatch_request(script)) << rule.option;
    }
  }
}

TEST(SbatchRequestHostile, ManyOptionsAreReadInLinearTime) {
  SbatchOptions script;
  for (int i = 0; i < 200000; ++i) {
    SbatchOption option;
    option.name = i % 2 == 0 ? "mail-type" : "kill-on-invalid-dep";
    option.value = i % 2 == 0 ? "END" : "yes";
    option.line = i + 1;
    script.options.push_back(option);
  }
  EXPECT_EQ(sbatch_request(script).fields.size(), 2U);
}

}  // namespace
}  // namespace sconverge::test
