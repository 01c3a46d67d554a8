#include <set>

#include "specs/job_field.h"
#include "specs/sbatch_option_table.h"
#include "specs/sbatch_table.h"
#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

struct Row {
  std::string_view option;
  std::vector<std::string> fields;
};

const std::vector<Row>& carried() {
  static const std::vector<Row> rows = {
      {"account=lab", {"account: lab"}},
      {"acctg-freq=task=30", {"account_gather_frequency: task=30"}},
      {"array=0-3%2", {"array: 0-3%2"}},

      {"bb=capacity=1G", {"burst_buffer: capacity=1G"}},
      {"begin=uts1900000000", {"begin_time: 1900000000"}},
      {"array=3,1-2,1", {"array: 1-3"}},
      {"chdir=/tmp/./", {"current_working_directory: /tmp/./"}},
      {"chdir=./out", {"current_working_directory: ./out"}},
      {"cluster-constraint=!x", {"cluster_constraint: !x"}},
      {"comment=one two", {"comment: one two"}},
      {"constraint=lab&x", {"constraints: lab&x"}},
      {"container=/oci", {"container: /oci"}},
      {"container-id=x", {"container_id: x"}},
      {"context=u:r:t", {"selinux_context: u:r:t"}},
      {"contiguous", {"contiguous: true"}},
      {"core-spec=2", {"core_specification: 2"}},
      {"cpu-freq=high", {"cpu_frequency: high"}},
      {"cpus-per-task=4",
       {"cpus_per_task: 4", "flags: [EXACT_CPU_COUNT_REQUESTED]", "minimum_cpus_per_node: 4",
        "tres_per_task: cpu=4"}},
      {"deadline=uts1900000000", {"deadline: 1900000000"}},
      {"delay-boot=5", {"delay_boot: 300"}},
      {"dependency=afterok:1:2", {"dependency: afterok:1:2"}},
      {"distribution=cyclic:*,pack", {"distribution: cyclic:cyclic,pack"}},
      {"error=NONE", {"standard_error: /dev/null"}},
      {"exclude=n[1-2],n4", {"excluded_nodes: [n[1-2], n4]"}},
      {"exclusive", {"shared: [none]"}},
      {"exclusive=user", {"shared: [user]"}},
      {"export=ALL", {}},
      {"extra=x", {"extra: x"}},
      {"extra-node-info=2:*:1", {"sockets_per_node: 2", "tasks: 2", "threads_per_core: 1"}},
      {"get-user-env", {}},
      {"gpu-bind=closest", {"tres_bind: gres/gpu:closest"}},
      {"gpu-freq=high", {"tres_freq: gpu:high"}},
      {"gpus=2", {"tres_per_job: gres/gpu:2"}},
      {"gpus=a100:1,h100:2", {"tres_per_job: gres/gpu:a100:1,gres/gpu:h100:2"}},
      {"gpus-per-node=2", {"tres_per_node: gres/gpu:2"}},
      {"gres=lustre:1,gpu:2", {"tres_per_node: gres/lustre:1,gres/gpu:2"}},
      {"gres=None", {}},
      {"gres-flags=enforce-binding", {"flags: [GRES_BINDING_ENFORCED]"}},
      {"hint=nomultithread", {"threads_per_core: 1"}},
      {"hint=multithread", {"tasks_per_core: 65535"}},
      {"hint=compute_bound", {"threads_per_core: 1"}},
      {"hold", {}},
      {"input=in.txt", {"standard_input: in.txt"}},
      {"job-name=train", {"name: train"}},
      {"kill-on-invalid-dep=yes", {"flags: [KILL_INVALID_DEPENDENCY]"}},
      {"kill-on-invalid-dep=no", {"flags: [NO_KILL_INVALID_DEPENDENCY]"}},
      {"licenses=matlab:2", {"licenses: matlab:2"}},
      {"mail-type=END,FAIL", {"mail_type: [END, FAIL]"}},
      {"mail-type=NONE", {}},
      {"mail-user=a@b", {"mail_user: a@b"}},
      {"mcs-label=x", {"mcs_label: x"}},
      {"mem=64G", {"memory_per_node: 65536"}},
      {"mem=0", {"memory_per_node: 0"}},
      {"mem-bind=map_mem:0*2,sort", {"memory_binding: 0,0", "memory_binding_type: [MAP, SORT]"}},
      {"mem-per-cpu=2G", {"memory_per_cpu: 2048"}},
      {"mincpus=8", {"minimum_cpus_per_node: 8"}},
      {"network=x", {"network: x"}},
      {"nice", {"nice: 100"}},
      {"nice=-5", {"nice: -5"}},
      {"no-kill", {"kill_on_node_fail: false"}},
      {"no-kill=off", {}},
      {"no-requeue", {"requeue: false"}},
      {"nodelist=n[1-2]", {"minimum_nodes: 2", "required_nodes: [n[1-2]]"}},
      {"nodes=2", {"nodes: 2"}},
      {"ntasks=3", {"tasks: 3"}},
      {"ntasks-per-core=1", {"tasks_per_core: 1"}},
      {"ntasks-per-node=2", {"tasks_per_node: 2"}},
      {"ntasks-per-socket=2", {"tasks_per_socket: 2"}},
      {"oom-kill-step", {"oom_kill_step: 1"}},
      {"oom-kill-step=0", {"oom_kill_step: 0"}},
      {"open-mode=a", {"open_mode: [APPEND]"}},
      {"output=%x-%j.out", {"standard_output: %x-%j.out"}},
      {"output=none", {"standard_output: /dev/null"}},
      {"overcommit", {"overcommit: true"}},
      {"oversubscribe", {"shared: [oversubscribe]"}},
      {"partition=main,debug", {"partition: main,debug"}},
      {"prefer=x", {"prefer: x"}},
      {"profile=task", {"profile: [TASK]"}},
      {"propagate=NONE", {}},
      {"qos=high", {"qos: high"}},
      {"requeue", {"requeue: true"}},
      {"reservation=r", {"reservation: r"}},
      {"segment=4", {"segment_size: 4"}},
      {"signal=B:USR1@120",
       {"kill_warning_delay: 120", "kill_warning_flags: [BATCH_JOB]", "kill_warning_signal: USR1"}},
      {"sockets-per-node=2", {"sockets_per_node: 2"}},
      {"spread-job", {"flags: [SPREAD_JOB]"}},
      {"stepmgr", {"flags: [STEPMGR_ENABLED]"}},
      {"switches=1@60", {"required_switches: 1", "wait_for_switch: 3600"}},
      {"switches=2", {"required_switches: 2"}},
      {"thread-spec=2", {"thread_specification: 2"}},
      {"threads-per-core=1", {"threads_per_core: 1"}},
      {"time=1-12:00:00", {"time_limit: 2160"}},
      {"time=UNLIMITED", {"time_limit: UNLIMITED"}},
      {"time-min=30", {"time_minimum: 30"}},
      {"tmp=10G", {"temporary_disk_per_node: 10240"}},
      {"tres-bind=gres/gpu:single:2", {"tres_bind: gres/gpu:single:2"}},
      {"tres-per-task=cpu=4",
       {"cpus_per_task: 4", "flags: [EXACT_CPU_COUNT_REQUESTED]", "minimum_cpus_per_node: 4",
        "tres_per_task: cpu=4"}},
      {"use-min-nodes", {"flags: [PREFER_MINIMUM_NODE_COUNT]"}},
      {"wait-all-nodes=1", {"wait_all_nodes: true"}},
      {"wait-all-nodes=0", {"wait_all_nodes: false"}},
      {"wckey=x", {"wckey: x"}},
  };
  return rows;
}

// Options that need another one beside them: gpus-per-socket, gpus-per-task, ntasks-per-gpu, ...
const std::set<std::string_view>& in_company() {
  static const std::set<std::string_view> options = {
      "batch",           "gpus-per-socket", "gpus-per-task", "ntasks-per-gpu",
      "ntasks-per-tres", "cpus-per-gpu",    "mem-per-gpu"};
  return options;
}

const std::vector<std::string_view>& dropped() {
  static const std::vector<std::string_view> options = {
      "help",    "priority=TOP", "ignore-pbs", "parsable",   "quiet",         "usage",    "verbose",
      "version", "wait",         "wrap=true",  "priority=5", "propagate=ALL", "propagate"};
  return options;
}

const std::vector<std::string_view>& unwanted() {
  static const std::vector<std::string_view> options = {"autocomplete=x",
                                                        "bbf=file",
                                                        "clusters=other",
                                                        "export-file=x",
                                                        "gid=0",
                                                        "nodefile=x",
                                                        "reboot",
                                                        "resv-ports",
                                                        "test-only",
                                                        "uid=0",
                                                        "cores-per-socket=4",
                                                        "extra-node-info=2:4",
                                                        "hint=memory_bound",
                                                        "gres=help",
                                                        "hint=help",
                                                        "mem-bind=help"};
  return options;
}

TEST(SbatchRequestOptions, BecomeTheFieldsOfTheirRow) {
  for (const auto& [option, fields] : carried()) {
    SCOPED_TRACE(option);
    const Asked asked({option});
    EXPECT_THAT(asked.fields(), ElementsAreArray(fields));
    EXPECT_THAT(asked.problems(), IsEmpty());
    EXPECT_THAT(asked.notes(), IsEmpty());
  }
}

TEST(SbatchRequestOptions, WithoutEffectOnTheJobAreDroppedWithAReason) {
  for (const std::string_view option : dropped()) {
    SCOPED_TRACE(option);
    const Asked asked({option});
    EXPECT_THAT(asked.fields(), IsEmpty());
    EXPECT_THAT(asked.problems(), IsEmpty());
    EXPECT_THAT(asked.notes(), testing::SizeIs(1));
  }
}

TEST(SbatchRequestOptions, ThatCannotBeCarriedAreRefused) {
  for (const std::string_view option : unwanted()) {
    SCOPED_TRACE(option);
    const Asked asked({option});
    EXPECT_THAT(asked.problems(), testing::SizeIs(1));
  }
}

// A new option of the table needs a row above.
TEST(SbatchRequestOptions, AreEachCovered) {
  std::set<std::string_view> covered = in_company();
  const auto cover = [&covered](std::string_view option) {
    covered.insert(option.substr(0, option.find('=')));
  };
  for (const Row& row : carried()) cover(row.option);
  for (const std::string_view option : dropped()) cover(option);
  for (const std::string_view option : unwanted()) cover(option);
  for (const SbatchRule& rule : sbatch_rules()) {
    EXPECT_TRUE(covered.contains(rule.option)) << rule.option;
    EXPECT_EQ(find_sbatch_rule(rule.option), &rule);
    covered.erase(rule.option);
  }
  EXPECT_THAT(covered, IsEmpty());
}

TEST(SbatchRequestOptions, AreThoseOfTheReaderOfTheScript) {
  std::set<std::string_view> options;
  for (const OptionRow& row : sbatch_option_table()) {
    options.insert(row.alias_of.empty() ? row.name : row.alias_of);
  }
  for (const std::string_view option : options) {
    EXPECT_NE(find_sbatch_rule(option), nullptr) << option;
  }
  for (const SbatchRule& rule : sbatch_rules()) {
    EXPECT_TRUE(options.contains(rule.option)) << rule.option;
  }
}

TEST(SbatchRequestOptions, OfAWholeScriptReachTheRequest) {
  const SbatchOptions script = read_sbatch_options(
      "#!/bin/sh\n#SBATCH -N4 --tasks-per-node=2\n\n#SBATCH --time 1:30:00 -J \"my job\"\ntrue\n");
  const SbatchRequest request = sbatch_request(script);
  EXPECT_THAT(Asked::lines_of(request.problems), IsEmpty());
  EXPECT_EQ(request.fields.at("nodes"), FieldValue("4"));
  EXPECT_EQ(request.fields.at("tasks_per_node"), FieldValue(std::int64_t{2}));
  EXPECT_EQ(request.fields.at("time_limit"), FieldValue(std::int64_t{90}));
  EXPECT_EQ(request.fields.at("name"), FieldValue("my job"));
  EXPECT_EQ(request.lines.at("name"), 4);
}

TEST(SbatchRequestOptions, ThatSbatchDoesNotKnowAreRefused) {
  EXPECT_THAT(Asked({"umask=022"}).problems(), ElementsAre(HasSubstr("is no option of sbatch")));
  EXPECT_EQ(find_sbatch_rule(""), nullptr);
  EXPECT_EQ(find_sbatch_rule("zzz"), nullptr);
}

TEST(SbatchRequestOptions, SetFieldsThatExist) {
  for (const auto& [option, fields] : carried()) {
    for (const auto& [name, value] : Asked({option}).request.fields) {
      if (name == "array") continue;
      const JobField* field = find_job_field(name);
      ASSERT_NE(field, nullptr) << name;
      const bool listed = std::holds_alternative<std::vector<std::string>>(value);
      EXPECT_EQ(listed, field->kind == FieldKind::TextList) << name;
      if (!listed) continue;
      const std::string words = " " + std::string(field->words) + " ";
      for (const std::string& word : std::get<std::vector<std::string>>(value)) {
        if (!field->words.empty()) {
          EXPECT_THAT(words, HasSubstr(" " + word + " ")) << name;
        }
      }
    }
  }
}

TEST(SbatchRequestOptions, AreReplacedByTheLastOne) {
  EXPECT_EQ(Asked({"time=10", "time=20"}).field("time_limit"), "20");
  EXPECT_EQ(Asked({"licenses=a", "licenses=b"}).field("licenses"), "b");
  EXPECT_EQ(Asked({"gres=gpu:1", "gres=gpu:2"}).field("tres_per_node"), "gres/gpu:2");
  EXPECT_EQ(Asked({"gpus=1", "gpus=2"}).field("tres_per_job"), "gres/gpu:2");
  EXPECT_EQ(Asked({"exclusive=user", "exclusive=mcs"}).field("shared"), "[mcs]");
  EXPECT_EQ(Asked({"nodes=2", "nodes=3"}).field("nodes"), "3");
  EXPECT_EQ(Asked({"no-kill", "no-kill=off"}).field("kill_on_node_fail"), "<none>");
  EXPECT_EQ(Asked({"requeue", "no-requeue"}).field("requeue"), "false");
  EXPECT_EQ(Asked({"gres-flags=enforce-binding", "gres-flags=disable-binding"}).field("flags"),
            "[GRES_BINDING_DISABLED]");
  EXPECT_EQ(Asked({"comment=a", "comment="}).field("comment"), "<none>");
}

TEST(SbatchRequestOptions, AddUpForMailSignalFlagsAndMemoryBinding) {
  EXPECT_EQ(Asked({"mail-type=END", "mail-type=FAIL"}).field("mail_type"), "[END, FAIL]");
  EXPECT_EQ(Asked({"mail-type=END", "mail-type=NONE"}).field("mail_type"), "[END]");
  EXPECT_EQ(Asked({"signal=B:USR1", "signal=TERM@5"}).field("kill_warning_flags"), "[BATCH_JOB]");
  EXPECT_EQ(Asked({"mem-bind=verbose", "mem-bind=local"}).field("memory_binding_type"),
            "[LOCAL, VERBOSE]");
  EXPECT_EQ(Asked({"spread-job", "use-min-nodes"}).field("flags"),
            "[PREFER_MINIMUM_NODE_COUNT, SPREAD_JOB]");
}

TEST(SbatchRequestOptions, TellTheLineOfTheLastDirectiveThatSetAField) {
  const Asked asked({"time=10", "nodes=2", "time=20", "hold", "export=NONE", "mail-type=END"});
  EXPECT_EQ(asked.request.lines.at("time_limit"), 4);
  EXPECT_EQ(asked.request.lines.at("nodes"), 3);
  EXPECT_EQ(asked.request.lines.at("hold"), 5);
  EXPECT_EQ(asked.request.lines.at("environment"), 6);
  EXPECT_EQ(asked.request.lines.at("mail_type"), 7);
}

TEST(SbatchRequestOptions, HaveALineForEveryField) {
  for (const auto& [option, fields] : carried()) {
    const Asked asked({option});
    for (const auto& [name, value] : asked.request.fields) {
      EXPECT_TRUE(asked.request.lines.contains(name)) << option << ": " << name;
    }
    for (const auto& [name, line] : asked.request.lines) {
      if (name == "environment" || name == "hold") continue;
      EXPECT_TRUE(asked.request.fields.contains(name)) << option << ": " << name;
    }
  }
}

TEST(SbatchRequestOptions, TellWhereTheyAreWrong) {
  const Asked asked({"nodes=2", "time=abc"});
  ASSERT_THAT(asked.request.problems, testing::SizeIs(1));
  EXPECT_EQ(asked.request.problems[0].line, 3);
  EXPECT_EQ(asked.request.problems[0].column, 9);
  EXPECT_EQ(asked.request.problems[0].option, "time");
  EXPECT_EQ(asked.request.problems[0].what, "--time: \"abc\" is not a time");
}

TEST(SbatchRequestOptions, OfATranslatedLineAreShownAsWritten) {
  SbatchOptions script = options_of({"nodes=x"});
  script.options[0].text = "#PBS -l nodes=x";
  EXPECT_THAT(Asked::lines_of(sbatch_request(script).problems),
              ElementsAre(HasSubstr("\"#PBS -l nodes=x\" (--nodes): \"x\" is not a node count")));
}

TEST(SbatchRequestOptions, AreAllReportedNotOnlyTheFirst) {
  EXPECT_THAT(
      Asked({"time=x", "mem=x", "nodes=x", "ntasks=x", "signal=x", "exclusive=x"}).problems(),
      testing::SizeIs(6));
}

TEST(SbatchRequestOptions, ThatAreOutOfTheRangeOfTheirFieldAreRefused) {
  for (const std::string_view option : {"cpus-per-task=65534",
                                        "ntasks-per-node=65534",
                                        "core-spec=0",
                                        "core-spec=32768",
                                        "oom-kill-step=2",
                                        "wait-all-nodes=2",
                                        "switches=0",
                                        "threads-per-core=0",
                                        "delay-boot=UNLIMITED",
                                        "tmp=4294967294",
                                        "partition=",
                                        "chdir=",
                                        "output=",
                                        "time=",
                                        "mem=",
                                        "nodes=",
                                        "ntasks=0",
                                        "job-name=a\x01",
                                        "exclude=/f",
                                        "nodelist=",
                                        "nodelist=/f",
                                        "dependency=sometime:5",
                                        "priority=-1",
                                        "priority=4294967294",
                                        "gres=4",
                                        "gres=gpu:",
                                        "gpus=:",
                                        "acctg-freq=x",
                                        "cpu-freq=x",
                                        "gpu-bind=x",
                                        "gpu-freq=x",
                                        "tres-bind=x",
                                        "profile=x",
                                        "propagate=x",
                                        "hint=x",
                                        "get-user-env=5x",
                                        "segment=65534",
                                        "begin=now",
                                        "deadline=16:00"}) {
    SCOPED_TRACE(option);
    EXPECT_THAT(Asked({option}).problems(), testing::Not(IsEmpty()));
  }
  const std::string name = "job-name=" + std::string(201, 'x');
  EXPECT_THAT(Asked({name}).problems(), ElementsAre(HasSubstr("201 bytes long, at most 200 fit")));
  const std::string gres = "gres=" + std::string(1025, 'x');
  EXPECT_THAT(Asked({gres}).problems(), ElementsAre(HasSubstr("1025 bytes long")));
}

TEST(SbatchRequestOptions, ThatAreEmptyAskForNothingAndSaySo) {
  for (const std::string_view option :
       {"account=", "comment=", "constraint=", "dependency=", "job-name=", "licenses=", "qos=",
        "reservation=", "wckey=", "exclude=", "gpus=", "array="}) {
    SCOPED_TRACE(option);
    const Asked asked({option});
    EXPECT_THAT(asked.fields(), IsEmpty());
    EXPECT_THAT(asked.problems(), IsEmpty());
    EXPECT_THAT(asked.notes(), testing::SizeIs(1));
  }
}

TEST(SbatchRequestOptions, ThatAskForNoResourceAreSentAsSbatchSendsThem) {
  const Asked asked({"gres="});
  EXPECT_EQ(asked.field("tres_per_node"), "gres/");
  EXPECT_THAT(asked.notes(), testing::SizeIs(1));
}

TEST(SbatchRequestOptions, ThatSbatchTakesWithoutAWordButMeanSomethingElseAreNoted) {
  for (const std::string_view option :
       {"time=-5", "nice=abc", "mail-type=start,end", "switches=1@foo", "get-user-env=10L"}) {
    SCOPED_TRACE(option);
    const Asked asked({option});
    EXPECT_THAT(asked.problems(), IsEmpty());
    EXPECT_THAT(asked.notes(), testing::SizeIs(1));
  }
  EXPECT_EQ(Asked({"time=-5"}).field("time_limit"), "4294960097");
}

TEST(SbatchRequestOptions, OfAScriptWithoutAnyAskForNothing) {
  const Asked asked({});
  EXPECT_THAT(asked.fields(), IsEmpty());
  EXPECT_TRUE(asked.request.inherits_environment);
  EXPECT_FALSE(asked.request.hold);
  EXPECT_THAT(asked.request.lines, IsEmpty());
}

TEST(SbatchRequestOptions, HoldIsToldApartFromTheFields) {
  const Asked asked({"hold"});
  EXPECT_TRUE(asked.request.hold);
  EXPECT_THAT(asked.fields(), IsEmpty());
}

}  // namespace
}  // namespace sconverge::test
