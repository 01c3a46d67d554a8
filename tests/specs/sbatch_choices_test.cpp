#include "specs/sbatch_choices.h"

#include "specs/sbatch_dependency.h"
#include "specs/sbatch_frequency.h"
#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

struct Row {
  std::string_view text;
  std::string_view outcome;
};

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string words_outcome(const SbatchValue<std::vector<std::string>>& words) {
  if (!words.value) return "refused";
  return (words.what.empty() ? "" : "odd ") + joined(*words.value);
}

TEST(SbatchSignals, AreReadAsSbatchReadsThem) {
  const auto outcome = [](std::string_view text) -> std::string {
    const auto signal = sbatch_signal(text);
    if (!signal.value) return "refused";
    const std::string flags = joined(signal.value->flags);
    return signal.value->name + " " + std::to_string(signal.value->delay) +
           (flags.empty() ? "" : " " + flags);
  };
  for (const auto& [text, wanted] : std::vector<Row>{
           {"USR1", "USR1 60"},
           {"USR1@120", "USR1 120"},
           {"SIGINT@60", "INT 60"},
           {"b:usr1@60", "USR1 60 BATCH_JOB"},
           {"BUSR1@60", "USR1 60 BATCH_JOB"},
           {"R:TERM", "TERM 60 RESERVATION_JOB"},
           {"RB:TERM@0", "TERM 0 BATCH_JOB RESERVATION_JOB"},
           {"BR:TERM@0", "TERM 0 BATCH_JOB RESERVATION_JOB"},
           {":TERM", "TERM 60"},
           {"10", "USR1 60"},
           {"64", "64 60"},
           {"B:10@30", "USR1 30 BATCH_JOB"},
           {"USR1@", "USR1 0"},
           {"USR1@65533", "USR1 65533"},
           {"USR1@65534", "refused"},
           {"USR1@5:00", "refused"},
           {"USR1@-1", "refused"},
           {"USR1@1x", "refused"},
           {"@60", "refused"},
           {"", "refused"},
           {"0", "refused"},
           {"-1", "refused"},
           {"70000", "refused"},
           {"USR3", "refused"},
           {"SIGUSR1X", "refused"},
           {"R@60", "refused"},
       }) {
    EXPECT_EQ(outcome(text), wanted) << text;
  }
}

TEST(SbatchMailTypes, AreReadAsSbatchReadsThem) {
  for (const auto& [text, wanted] : std::vector<Row>{
           {"END", "END"},
           {"end,fail", "END FAIL"},
           {"FAIL,BEGIN", "BEGIN FAIL"},
           {"ALL", "BEGIN END FAIL REQUEUE STAGE_OUT INVALID_DEPENDENCY"},
           {"ALL,ARRAY_TASKS", "BEGIN END FAIL REQUEUE STAGE_OUT ARRAY_TASKS INVALID_DEPENDENCY"},
           {"TIME_LIMIT,TIME_LIMIT_90,TIME_LIMIT_80,TIME_LIMIT_50",
            "TIME=100% TIME=90% TIME=80% TIME=50%"},
           {"NONE", ""},
           {"END,NONE,FAIL", ""},
           {"INVALID_DEPEND", "INVALID_DEPENDENCY"},
           {"start,end", "odd END"},
           {"<BEGIN,END,FAIL,ALL>", "odd END FAIL"},
           {"BEGIN,ENDD", "odd BEGIN"},
           {",END,", "END"},
           {"ae", "refused"},
           {"", "refused"},
       }) {
    EXPECT_EQ(words_outcome(sbatch_mail_types(text)), wanted) << text;
  }
}

TEST(SbatchProfile, LooksForWordsAnywhere) {
  for (const auto& [text, wanted] : std::vector<Row>{
           {"task", "TASK"},
           {"Energy,Task", "ENERGY TASK"},
           {"all", "ENERGY LUSTRE NETWORK TASK"},
           {"none,task", "NONE"},
           {"xtaskx", "TASK"},
           {"foo", "refused"},
           {"", "refused"},
       }) {
    EXPECT_EQ(words_outcome(sbatch_profile(text)), wanted) << text;
  }
}

TEST(SbatchGresFlags, ThatRestCannotCarryAreRefused) {
  for (const auto& [text, wanted] : std::vector<Row>{
           {"enforce-binding", "GRES_BINDING_ENFORCED"},
           {"Disable-Binding", "GRES_BINDING_DISABLED"},
           {"", ""},
           {"enforce-binding,disable-binding", "refused"},
           {"one-task-per-sharing", "refused"},
           {"multiple-tasks-per-sharing", "refused"},
           {"allow-task-sharing", "refused"},
           {"foo", "refused"},
       }) {
    EXPECT_EQ(words_outcome(sbatch_gres_flags(text)), wanted) << text;
  }
}

TEST(SbatchHints, AreAllKnownOrRefused) {
  for (const auto& [text, wanted] : std::vector<Row>{
           {"Compute_Bound", "compute_bound"},
           {"multithread,nomultithread", "multithread nomultithread"},
           {"", "refused"},
           {"multithread,", "refused"},
           {"help", "refused"},
           {"fast", "refused"},
       }) {
    EXPECT_EQ(words_outcome(sbatch_hints(text)), wanted) << text;
  }
}

TEST(SbatchChoices, OfOneWord) {
  EXPECT_EQ(sbatch_exclusive(std::nullopt).value, "none");
  EXPECT_EQ(sbatch_exclusive("EXCLUSIVE").value, "none");
  EXPECT_EQ(sbatch_exclusive("oversubscribe").value, "oversubscribe");
  EXPECT_EQ(sbatch_exclusive("User").value, "user");
  EXPECT_EQ(sbatch_exclusive("mcs").value, "mcs");
  EXPECT_EQ(sbatch_exclusive("topo").value, "topo");
  EXPECT_FALSE(sbatch_exclusive("").value);
  EXPECT_FALSE(sbatch_exclusive("allocation").value);

  EXPECT_EQ(sbatch_open_mode("a").value, "APPEND");
  EXPECT_EQ(sbatch_open_mode("Truncate").value, "TRUNCATE");
  EXPECT_FALSE(sbatch_open_mode("").value);
  EXPECT_FALSE(sbatch_open_mode("x").value);

  EXPECT_EQ(sbatch_no_kill(std::nullopt).value, true);
  EXPECT_EQ(sbatch_no_kill("set").value, true);
  EXPECT_EQ(sbatch_no_kill("OFF").value, false);
  EXPECT_EQ(sbatch_no_kill("no").value, false);
  EXPECT_FALSE(sbatch_no_kill("yes").value);

  EXPECT_EQ(sbatch_yes_or_no("YES").value, true);
  EXPECT_EQ(sbatch_yes_or_no("no").value, false);
  EXPECT_FALSE(sbatch_yes_or_no("maybe").value);
}

TEST(SbatchFrequencies, ThatSbatchTakes) {
  for (const char* text : {"", "30", "task=30", "energy=1,task=2,filesystem=3,network=4", "30x"}) {
    EXPECT_FALSE(wrong_acctg_freq(text)) << text;
  }
  for (const char* text : {"low", "medium", "high", "highm1", "2400000", "OnDemand", "Performance",
                           "1800000-2400000:OnDemand", "2400000:UserSpace"}) {
    EXPECT_FALSE(wrong_cpu_freq(text)) << text;
  }
  for (const char* text : {"low", "450", "medium,memory=high", "highm1,verbose", "memory=500"}) {
    EXPECT_FALSE(wrong_gpu_freq(text)) << text;
  }
  for (const char* text : {"ALL", "NONE", "NOFILE,STACK", "RLIMIT_CORE", "AS CPU", ""}) {
    EXPECT_FALSE(wrong_propagate(text)) << text;
  }
}

TEST(SbatchFrequencies, ThatSbatchRefuses) {
  for (const char* text : {"foo", "task", "task=", "disk=3", "30,foo", "-1", "task=-1"}) {
    EXPECT_TRUE(wrong_acctg_freq(text)) << text;
  }
  for (const char* text : {"", "foo", "1000-2000", "1000:OnDemand", "1000-2000:UserSpace",
                           "OnDemand:OnDemand", "1000-foo:OnDemand", "1000:foo", "1000x"}) {
    EXPECT_TRUE(wrong_cpu_freq(text)) << text;
  }
  for (const char* text : {"", ",", "foo", "Low", "450x", "clock=3", "memory=foo"}) {
    EXPECT_TRUE(wrong_gpu_freq(text)) << text;
  }
  for (const char* text : {"FOO", "all", "NOFILE,foo"}) EXPECT_TRUE(wrong_propagate(text)) << text;
}

TEST(SbatchDependencies, ThatSlurmTakes) {
  for (const char* text : {"afterok:1",
                           "afterany:1:2,afternotok:3",
                           "AfterOK:1",
                           "after:1+5:2",
                           "aftercorr:1_2",
                           "afterburstbuffer:3",
                           "singleton",
                           "singleton,afterok:1",
                           "afterok:1?afterany:2",
                           "1",
                           "1,2",
                           "0",
                           "afterok:1(failed)",
                           "expand:1",
                           "afterok:1_*",
                           "afterok:1_",
                           "after:1+5x",
                           "afterok:4294967295",
                           "4294967295",
                           "aftercorr:1_2+3:4(x)"}) {
    EXPECT_FALSE(wrong_dependency(text)) << text;
  }
}

TEST(SbatchDependencies, ThatSlurmRefuses) {
  for (const char* text : {"sometime:5",
                           "afterok",
                           "afterok:",
                           "afterok:x",
                           "afterok:1:",
                           "afterok:1,,afterok:2",
                           "singletons",
                           "1:2",
                           "x",
                           "afterok:1,",
                           "afterok:0",
                           "afterok:1x",
                           "1x",
                           "afterok:1 ,singleton",
                           "afterok:1_x",
                           "after:1+",
                           "after:1+x",
                           "after:1+-1",
                           "afterok:4294967296",
                           "afterok:99999999999999999999"}) {
    EXPECT_TRUE(wrong_dependency(text)) << text;
  }
}

}  // namespace
}  // namespace sconverge::test
