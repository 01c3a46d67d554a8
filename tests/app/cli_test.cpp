#include "controller/app/cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "controller/app/exit_code.h"
#include "tests/app/console_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr int kOk = static_cast<int>(ExitCode::Ok);
constexpr int kError = static_cast<int>(ExitCode::Error);
constexpr int kInvalid = static_cast<int>(ExitCode::Invalid);
constexpr int kUsage = static_cast<int>(ExitCode::Usage);

struct CliTest : testing::Test, ConsoleWorld {};

TEST(ExitCodeTest, NeverChanges) {
  EXPECT_EQ(static_cast<int>(ExitCode::Ok), 0);
  EXPECT_EQ(static_cast<int>(ExitCode::Error), 1);
  EXPECT_EQ(static_cast<int>(ExitCode::Changes), 2);
  EXPECT_EQ(static_cast<int>(ExitCode::Invalid), 3);
  EXPECT_EQ(static_cast<int>(ExitCode::Guarded), 4);
  EXPECT_EQ(static_cast<int>(ExitCode::TimedOut), 5);
  EXPECT_EQ(static_cast<int>(ExitCode::SlurmUnreachable), 7);
  EXPECT_EQ(static_cast<int>(ExitCode::Usage), 64);
}

TEST_F(CliTest, EveryVerbHasHelpWithAnExample) {
  for (const char* verb : {"run", "plan", "apply", "validate", "explain", "get", "describe",
                           "rerun", "approve", "check", "version"}) {
    EXPECT_EQ(type({verb, "--help"}), kOk) << verb;
    EXPECT_THAT(out.str(), HasSubstr("Example:\n  sconverge " + std::string(verb))) << verb;
  }
  EXPECT_EQ(type({"--help"}), kOk);
  EXPECT_THAT(out.str(), AllOf(HasSubstr("approve"), HasSubstr("Example:")));
}

TEST_F(CliTest, TellsItsVersion) {
  EXPECT_EQ(type({"--version"}), kOk);
  EXPECT_THAT(out.str(), StartsWith("sconverge "));
  EXPECT_EQ(type({"version"}), kOk);
  EXPECT_THAT(out.str(), StartsWith("sconverge "));
  EXPECT_EQ(type({"version", "-o", "json"}), kOk);
  EXPECT_TRUE(nlohmann::json::parse(out.str()).contains("version"));
}

TEST_F(CliTest, ShowsHelpToWhomeverSaysNothing) {
  EXPECT_EQ(type({}), kUsage);
  EXPECT_THAT(err.str(), HasSubstr("Subcommands:"));
}

TEST_F(CliTest, SuggestsWhatWasMeant) {
  EXPECT_EQ(type({"aply"}), kUsage);
  EXPECT_EQ(err.str(),
            "sconverge: unknown verb \"aply\" (did you mean apply? see sconverge --help)\n");
  EXPECT_EQ(type({"run", "--spces=x"}), kUsage);
  EXPECT_EQ(err.str(),
            "sconverge: unknown argument \"--spces=x\" (did you mean --specs? see sconverge "
            "run --help)\n");
}

TEST_F(CliTest, RefusesUnknownOutputFormatsWithTheKnownOnes) {
  EXPECT_EQ(type({"get", "-o", "xml"}), kUsage);
  EXPECT_THAT(err.str(), HasSubstr("\"xml\" is not one of json|name|table|wide|yaml"));
  EXPECT_EQ(type({"describe", "x", "-o", "wide"}), kUsage);
  EXPECT_THAT(err.str(), HasSubstr("is not one of json|text|yaml"));
}

TEST_F(CliTest, RefusesATokenOnTheCommandLineWithoutRepeatingIt) {
  for (const char* verb : {"run", "plan", "check", "get"}) {
    EXPECT_EQ(type({verb, "--token", "s3cret"}), kUsage) << verb;
    EXPECT_THAT(err.str(), AllOf(HasSubstr("--token-file"), Not(HasSubstr("s3cret")))) << verb;
  }
}

TEST_F(CliTest, TellsEveryProblemOfTheConfigurationAtOnce) {
  console.variables["SCONVERGE_INTERVAL"] = "10";
  EXPECT_EQ(type({"run", "--slurmrestd", "nowhere", "--log-level=loud"}), kUsage);
  EXPECT_THAT(err.str(),
              AllOf(HasSubstr("SCONVERGE_INTERVAL: \"10\" is not a duration"),
                    HasSubstr("--slurmrestd: \"nowhere\""), HasSubstr("--log-level: \"loud\""),
                    HasSubstr("specs: the directory"), HasSubstr("slurmrestd.user: "),
                    HasSubstr("tokenFile: ")));
  EXPECT_THAT(out.str(), IsEmpty());
}

TEST_F(CliTest, WarnsOfAnUnknownVariableAndGoesOn) {
  leave_state(published_with({a_row("train")}));
  console.variables["SCONVERGE_STAT"] = "x";
  EXPECT_EQ(ask({"get"}), kOk);
  EXPECT_THAT(err.str(),
              HasSubstr("warning: SCONVERGE_STAT: unknown variable, ignored (did you mean "
                        "SCONVERGE_STATE?)"));
}

TEST_F(CliTest, ApplyNeedsOnce) {
  EXPECT_EQ(type({"apply"}), kUsage);
  EXPECT_THAT(err.str(), HasSubstr("apply needs --once"));
  EXPECT_EQ(type({"apply", "--once", "--wait", "--timeout", "5"}), kUsage);
  EXPECT_THAT(err.str(), HasSubstr("is not a duration"));
  EXPECT_EQ(type({"apply", "--once", "--timeout", "5m"}), kUsage);
  EXPECT_THAT(err.str(), HasSubstr("--timeout is for --wait"));
}

// get

TEST_F(CliTest, GetListsSpecsWithoutAController) {
  leave_state(
      published_with({a_row("train"), a_row("prepare", Phase::Succeeded, Reason::Completed)}));
  EXPECT_EQ(ask({"get"}), kOk);
  EXPECT_EQ(out.str(),
            "NAME      PHASE       REASON       JOB   ATTEMPT   AGE\n"
            "prepare   Succeeded   Completed    7     1.1       60s\n"
            "train     Running     JobRunning   7     1.1       60s\n");
  EXPECT_EQ(err.str(), "");
}

TEST_F(CliTest, GetTellsWhenTheControllerHasStopped) {
  leave_state(published_with({a_row("train")}));
  clock.advance(seconds{300});
  EXPECT_EQ(ask({"get"}), kOk);
  EXPECT_THAT(err.str(), HasSubstr("has not ticked for 5m1s"));
}

TEST_F(CliTest, GetSelectsByNameAndNamespace) {
  leave_state(published_with({a_row("a/train"), a_row("b/train"), a_row("b/prepare")}));
  EXPECT_EQ(ask({"get", "-o", "name", "-n", "b"}), kOk);
  EXPECT_EQ(out.str(), "b/prepare\nb/train\n");
  EXPECT_EQ(ask({"get", "-o", "name", "a/train", "prepare"}), kOk);
  EXPECT_EQ(out.str(), "a/train\nb/prepare\n");
}

TEST_F(CliTest, GetGivesOneObjectForOneNameAndAListOtherwise) {
  leave_state(published_with({a_row("train"), a_row("prepare")}));
  EXPECT_EQ(ask({"get", "train", "-o", "json"}), kOk);
  EXPECT_EQ(nlohmann::json::parse(out.str())["phase"], "Running");
  EXPECT_EQ(ask({"get", "-o", "json"}), kOk);
  EXPECT_THAT(nlohmann::json::parse(out.str())["items"], SizeIs(2));
  EXPECT_EQ(ask({"get", "train", "-o", "yaml"}), kOk);
  EXPECT_THAT(out.str(), HasSubstr("\nphase: Running\n"));
}

TEST_F(CliTest, GetNamesNearMissesOfUnknownAndAmbiguousNames) {
  leave_state(published_with({a_row("a/train"), a_row("b/train")}));
  EXPECT_EQ(ask({"get", "trian"}), kError);
  EXPECT_THAT(err.str(), HasSubstr("there is no spec \"trian\"; did you mean train?"));
  EXPECT_EQ(ask({"get", "train"}), kError);
  EXPECT_THAT(err.str(), HasSubstr("several specs (a/train, b/train); write namespace/name"));
}

TEST_F(CliTest, NamesMeanWhatIsDeclaredRatherThanWhatIsBeingRemoved) {
  SpecStatus gone = a_row("a/train");
  gone.removed = true;
  leave_state(published_with({gone, a_row("b/train")}));
  EXPECT_EQ(ask({"get", "-o", "name", "train"}), kOk);
  EXPECT_EQ(out.str(), "b/train\n");
}

TEST_F(CliTest, GetSaysWhenThereIsNothing) {
  leave_state(published_with({}));
  EXPECT_EQ(ask({"get"}), kOk);
  EXPECT_EQ(err.str(), "no specs found\n");
  EXPECT_EQ(out.str(), "");
}

TEST_F(CliTest, GetTellsThatThereIsNoState) {
  EXPECT_EQ(ask({"get"}), kError);
  EXPECT_THAT(err.str(), HasSubstr("no state in " + state()));
  EXPECT_FALSE(std::filesystem::exists(state()));
}

TEST_F(CliTest, GetShowsSpecsOfAControllerThatHasNotTickedYet) {
  const auto lock = lock_state(state());
  ASSERT_TRUE(open_controller_store(*lock, "lab").ok());
  EXPECT_EQ(ask({"get"}), kOk);
  EXPECT_THAT(err.str(), HasSubstr("the controller of cluster lab has not ticked yet"));
}

TEST_F(CliTest, ColoursOnlyATerminalWithoutNoColor) {
  leave_state(published_with({a_row("train")}));
  ask({"get"});
  EXPECT_THAT(out.str(), Not(HasSubstr("\x1b")));
  console.out_is_terminal = true;
  ask({"get"});
  EXPECT_THAT(out.str(), HasSubstr("\x1b"));
  console.variables["NO_COLOR"] = "1";
  ask({"get"});
  EXPECT_THAT(out.str(), Not(HasSubstr("\x1b")));
}

// describe

TEST_F(CliTest, DescribeTellsTheSpecAndItsAttempts) {
  History history;
  SpecHistory& entry = history[a_name("train")];
  entry.accepted = a_spec("train");
  entry.attempts.resize(1);
  entry.attempts[0].job = JobId{7};
  leave_state(published_with({a_row("train")}), history);
  EXPECT_EQ(ask({"describe", "train"}), kOk);
  EXPECT_THAT(out.str(), AllOf(HasSubstr("Phase:        Running"), HasSubstr("partition   main"),
                               HasSubstr("Attempts:\n")));
  EXPECT_EQ(ask({"describe", "train", "-o", "json"}), kOk);
  EXPECT_EQ(nlohmann::json::parse(out.str())["attempts"][0]["job"], 7);
  EXPECT_EQ(ask({"describe", "none"}), kError);
}

// rerun and approve

TEST_F(CliTest, RerunLeavesARequest) {
  leave_state(published_with({a_row("train", Phase::Failed, Reason::NonZeroExitCode)}));
  EXPECT_EQ(ask({"rerun", "train"}), kOk);
  ASSERT_THAT(requests(), SizeIs(1));
  EXPECT_EQ(requests()[0].kind, RequestKind::Rerun);
  EXPECT_EQ(requests()[0].spec, a_name("train"));
  EXPECT_EQ(out.str(), "asked for default/train to run again\n");
}

TEST_F(CliTest, RerunTakesAllNamesOrNone) {
  SpecStatus gone = a_row("gone");
  gone.removed = true;
  leave_state(published_with({a_row("train"), gone}));
  EXPECT_EQ(ask({"rerun", "train", "nobody"}), kError);
  EXPECT_EQ(ask({"rerun", "train", "gone"}), kError);
  EXPECT_THAT(err.str(), HasSubstr("no longer declared"));
  EXPECT_THAT(requests(), IsEmpty());
}

TEST_F(CliTest, RequestsTellWhenNobodyWillAnswerThemSoon) {
  leave_state(published_with({a_row("train")}));
  clock.advance(seconds{300});
  EXPECT_EQ(ask({"rerun", "train"}), kOk);
  EXPECT_THAT(err.str(), HasSubstr("the controller of cluster lab does not run at present"));
}

struct ApproveTest : CliTest {
  ApproveTest() {
    Published published = published_with(
        {a_row("a"), a_row("b"), a_row("kept"), a_row("lost"), a_row("foreign"), a_row("fine")});
    published.guards = {{Guard::NotOurMark, {a_name("foreign")}, ""},
                        {Guard::Vanished, {a_name("lost")}, ""},
                        {Guard::Protected, {a_name("kept")}, ""},
                        {Guard::PruneBudget, {a_name("a"), a_name("b")}, ""}};
    leave_state(published);
  }
  std::vector<std::string> approved() const {
    std::vector<std::string> texts;
    for (const auto& request : requests()) {
      texts.push_back(request.spec.name +
                      (request.kind == RequestKind::ApproveVanished ? " vanished" : " removal"));
    }
    return texts;
  }
};

TEST_F(ApproveTest, WithoutNamesTakesAllThatWaitsForApprovalButProtection) {
  EXPECT_EQ(ask({"approve"}), kOk);
  EXPECT_THAT(approved(), ElementsAre("lost vanished", "a removal", "b removal"));
  EXPECT_THAT(out.str(), HasSubstr("approved default/a (PruneBudget)\n"));
}

TEST_F(ApproveTest, TakesNamedOnesProtectedOnesToo) {
  EXPECT_EQ(ask({"approve", "a", "kept"}), kOk);
  EXPECT_THAT(approved(), ElementsAre("a removal", "kept removal"));
}

TEST_F(ApproveTest, RefusesWhatNothingHoldsBackOrNoApprovalLifts) {
  EXPECT_EQ(ask({"approve", "a", "fine"}), kError);
  EXPECT_THAT(err.str(), HasSubstr("nothing about default/fine awaits approval"));
  EXPECT_EQ(ask({"approve", "foreign"}), kError);
  EXPECT_THAT(approved(), IsEmpty());
}

TEST_F(CliTest, ApproveSaysWhenThereIsNothingToApprove) {
  leave_state(published_with({a_row("a")}));
  EXPECT_EQ(ask({"approve"}), kOk);
  EXPECT_EQ(err.str(), "nothing awaits approval\n");
}

// validate

constexpr const char* kGood =
    "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: train}\n"
    "spec:\n  job: {partition: main}\n  script: |\n    #!/bin/sh\n";
constexpr const char* kBad = "apiVersion: sconverge/v1\nkind: Jbo\nmetadata: {name: Train}\n";

TEST_F(CliTest, ValidateAcceptsFilesAndDirectories) {
  write("jobs/a.yaml", kGood);
  EXPECT_EQ(type({"validate", specs()}), kOk);
  EXPECT_EQ(out.str(), "ok: 1 valid spec in 1 file\n");
  EXPECT_EQ(type({"validate", specs() + "/a.yaml"}), kOk);
  EXPECT_EQ(out.str(), "ok: 1 valid spec in 1 file\n");
}

TEST_F(CliTest, ValidateListsEveryProblemWithAPathThatCanBeOpened) {
  write("jobs/a.yaml", kGood);
  write("jobs/sub/b.yaml", kBad);
  write("jobs/c.yaml", "a: b: c\n");
  EXPECT_EQ(type({"validate", specs()}), kInvalid);
  EXPECT_THAT(out.str(),
              AllOf(HasSubstr(specs() + "/sub/b.yaml:2:"), HasSubstr(specs() + "/c.yaml:1:"),
                    HasSubstr("\"Jbo\" is not known"), HasSubstr("1 valid spec in 3 files")));
  EXPECT_EQ(type({"validate", specs() + "/sub/b.yaml", specs() + "/c.yaml"}), kInvalid);
  EXPECT_THAT(out.str(), AllOf(HasSubstr("/sub/b.yaml:2:"), HasSubstr("/c.yaml:1:")));
}

TEST_F(CliTest, ValidateRefusesANameThatTwoPathsDeclare) {
  write("one/a.yaml", kGood);
  write("two/b.yaml", kGood);
  EXPECT_EQ(type({"validate", directory / "one", directory / "two/b.yaml"}), kInvalid);
  EXPECT_THAT(out.str(),
              HasSubstr("default/train is also declared in " + (directory / "one/a.yaml")));
}

TEST_F(CliTest, ValidateReadsScriptFiles) {
  std::string spec = kGood;
  spec = spec.substr(0, spec.find("  script:")) + "  scriptFile: lib/run.sh\n";
  write("jobs/sub/a.yaml", spec);
  EXPECT_EQ(type({"validate", specs() + "/sub/a.yaml"}), kInvalid);
  EXPECT_THAT(out.str(), HasSubstr("there is no such file"));
  write("jobs/sub/lib/run.sh", "#!/bin/sh\n");
  EXPECT_EQ(type({"validate", specs() + "/sub/a.yaml"}), kOk);
  EXPECT_EQ(type({"validate", specs()}), kOk);
}

TEST_F(CliTest, ValidateTellsWhatCannotBeRead) {
  write("train.sh", "#!/bin/sh\n");
  EXPECT_EQ(type({"validate", directory / "none.yaml", directory / "train.sh"}), kInvalid);
  EXPECT_THAT(out.str(), AllOf(HasSubstr("none.yaml: there is no such file"),
                               HasSubstr("train.sh: it is not a spec file by its name")));
  EXPECT_EQ(type({"validate"}), kUsage);
}

TEST_F(CliTest, ValidateGivesProblemsAsData) {
  write("jobs/b.yaml", kBad);
  EXPECT_EQ(type({"validate", specs(), "-o", "json"}), kInvalid);
  const auto document = nlohmann::json::parse(out.str());
  EXPECT_EQ(document["valid"], false);
  EXPECT_EQ(document["problems"][1]["line"], 2);
  EXPECT_EQ(document["problems"][1]["field"], "kind");
}

}  // namespace
}  // namespace sconverge::test
