#include "controller/app/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "controller/app/settings.h"
#include "tests/app/config_world.h"
#include "tests/support/temp_directory.h"

namespace sconverge {
void PrintTo(const Problem& problem, std::ostream* out) { *out << to_text(problem); }
}  // namespace sconverge

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

/// Two values of each setting that are accepted and differ.
const std::map<std::string_view, std::pair<std::string, std::string>> kValues{
    {"specs", {"/srv/a", "/srv/b"}},
    {"state", {"/var/a", "/var/b"}},
    {"controllerId", {"prod", "test"}},
    {"listen", {"127.0.0.1:1", "127.0.0.1:2"}},
    {"healthListen", {"127.0.0.1:1", "127.0.0.1:2"}},
    {"tlsCert", {"/etc/a", "/etc/b"}},
    {"tlsKey", {"/etc/a", "/etc/b"}},
    {"listenTokenFile", {"/etc/a", "/etc/b"}},
    {"insecureListen", {"true", "false"}},
    {"metrics.perSpec", {"true", "false"}},
    {"metrics.maxSpecs", {"1", "100000"}},
    {"interval", {"1s", "2s"}},
    {"pruneGrace", {"1m", "2m"}},
    {"log.level", {"debug", "error"}},
    {"log.format", {"json", "logfmt"}},
    {"defaultCluster", {"lab", "lab"}},
    {"slurmrestd.url", {"http://a:1", "https://b/x"}},
    {"slurmrestd.user", {"alice", "bob"}},
    {"slurmrestd.tokenFile", {"/run/a", "/run/b"}},
    {"slurmJobApi.project", {"p1", "p2"}},
    {"slurmJobApi.region", {"r1", "r2"}},
    {"slurmJobApi.cluster", {"c1", "c2"}},
    {"slurmJobApi.endpoint", {"http://127.0.0.1:1", "https://b/x"}},
    {"slurmJobApi.credentials", {"/etc/a", "/etc/b"}},
    {"slurmJobApi.accessTokenFile", {"/run/a", "/run/b"}},
    {"slurmJobApi.serviceAccountFlow", {"jwtBearer", "selfSigned"}},
    {"slurmJobApi.quotaProject", {"q1", "q2"}},
    {"slurmJobApi.googleApiVersion", {"v1", "v2"}},
    {"slurmJobApi.user", {"alice", "bob"}},
    {"gateway.tokens", {"/etc/a", "/etc/b"}},
    {"apiVersion", {"v0.0.40", "v0.0.45"}},
    {"caFile", {"/etc/a", "/etc/b"}},
    {"requestTimeout", {"5s", "6s"}},
    {"workingDirectory", {"/home/a", "/home/b"}},
    {"environment", {"A=1", "B=2"}},
    {"concurrency", {"1", "64"}},
};

/// The file's text that sets `key` of cluster lab, or of the process, to `value`.
std::string file_with(const Setting& setting, const std::string& value) {
  std::string text = std::string(setting.key);
  const auto dot = text.find('.');
  const std::string shown = setting.shape == SettingShape::Map ? "[" + value + "]" : value;
  std::string entry = dot == std::string::npos
                          ? text + ": " + shown
                          : text.substr(0, dot) + ": {" + text.substr(dot + 1) + ": " + shown + "}";
  if (setting.scope == SettingScope::Cluster) return "clusters: {lab: {" + entry + "}}\n";
  return "clusters: {lab: {}}\n" + entry + "\n";
}

TEST_F(ConfigTest, ReadsEverySettingFromTheFile) {
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.key);
    inputs = {{}, {{"HOME", "/home/alice"}}, false};
    file(file_with(setting, kValues.at(setting.key).first));
    const Config one = good();
    file(file_with(setting, kValues.at(setting.key).second));
    EXPECT_EQ(one == good(), setting.key == "defaultCluster");
  }
}

TEST_F(ConfigTest, TakesEverySettingFromAVariableOverTheFile) {
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.key);
    const auto& [low, high] = kValues.at(setting.key);
    inputs = {{}, {{"HOME", "/home/alice"}}, false};
    file(file_with(setting, high));
    const Config wanted = good();
    file(file_with(setting, low));
    variable(std::string(setting.variable), high);
    EXPECT_EQ(good(), wanted);
  }
}

TEST_F(ConfigTest, TakesEverySettingFromAFlagOverAVariableAndTheFile) {
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.key);
    const auto& [low, high] = kValues.at(setting.key);
    inputs = {{}, {{"HOME", "/home/alice"}}, false};
    file(file_with(setting, high));
    const Config wanted = good();
    file(file_with(setting, low));
    variable(std::string(setting.variable), low);
    flag(std::string(setting.flag), high);
    EXPECT_EQ(good(), wanted);
  }
}

TEST_F(ConfigTest, TakesTheFileFromItsVariable) {
  file("specs: /srv/jobs\n");
  inputs.flags.clear();
  variable("SCONVERGE_CONFIG", directory / "config.yaml");
  EXPECT_EQ(good().specs, "/srv/jobs");
}

TEST_F(ConfigTest, MakesAClusterNamedDefaultFromFlagsAlone) {
  needs = {true, true};
  short_way();
  const Config config = good();
  ASSERT_THAT(config.clusters, SizeIs(1));
  EXPECT_EQ(config.clusters[0].name, "default");
  EXPECT_EQ(config.default_cluster, "default");
  EXPECT_EQ(config.clusters[0].slurmrestd.url, "http://127.0.0.1:6820");
}

TEST_F(ConfigTest, HasDefaultsForWhatIsNotSaid) {
  short_way();
  const Config config = good();
  EXPECT_EQ(config.state, "/home/alice/.local/state/sconverge");
  EXPECT_EQ(config.web, WebConfig{});
  EXPECT_EQ(config.interval, seconds{10});
  EXPECT_EQ(config.prune_grace, seconds{30});
  EXPECT_EQ(config.clusters[0].working_directory, "/tmp");
}

TEST_F(ConfigTest, KeepsStateWhereTheDesktopSaysOrTheSystemDoes) {
  variable("XDG_STATE_HOME", "/xdg");
  EXPECT_EQ(good().state, "/xdg/sconverge");
  inputs.root = true;
  EXPECT_EQ(good().state, "/var/lib/sconverge");
}

TEST_F(ConfigTest, MissesAHomeOnlyWhereStateIsKept) {
  inputs.variables.erase("HOME");
  EXPECT_THAT(problems(), ElementsAre("state: there is no HOME to keep state below (use --state "
                                      "DIR, SCONVERGE_STATE or state: in the file)"));
  needs.state = false;
  EXPECT_EQ(good().state, "");
}

TEST_F(ConfigTest, ReadsPathsInTheFileFromItsDirectory) {
  file("specs: jobs\nclusters: {lab: {slurmrestd: {tokenFile: ../token}}}\n");
  const Config config = good();
  EXPECT_EQ(config.specs, directory / "jobs");
  EXPECT_EQ(config.clusters[0].slurmrestd.token_file,
            std::filesystem::path(directory / "../token").lexically_normal().string());
}

TEST_F(ConfigTest, FlagsAboutAClusterMeanTheDefaultOne) {
  file("clusters: {a: {slurmrestd: {user: x}}, b: {slurmrestd: {user: y}}}\ndefaultCluster: b\n");
  flag("user", "alice");
  const Config config = good();
  EXPECT_EQ(config.clusters[0].slurmrestd.user, "x");
  EXPECT_EQ(config.clusters[1].slurmrestd.user, "alice");
}

TEST_F(ConfigTest, AsksForTheDefaultOfSeveralClusters) {
  needs.clusters = true;
  file(
      "clusters:\n  a: {slurmrestd: {url: http://a, user: x, tokenFile: t}}\n"
      "  b: {slurmrestd: {url: http://b, user: x, tokenFile: t}}\n");
  EXPECT_THAT(problems(), ElementsAre("defaultCluster: there are several clusters and none is the "
                                      "default (set it to one of: a, b)"));
}

TEST_F(ConfigTest, RefusesADefaultClusterThatDoesNotExist) {
  file("defaultCluster: labb\nclusters: {lab: {}}\n");
  EXPECT_THAT(problems(), ElementsAre(AllOf(HasSubstr("config.yaml:1:17: defaultCluster: there is "
                                                      "no cluster labb"),
                                            HasSubstr("configured are: lab"))));
}

TEST_F(ConfigTest, TellsEveryProblemAtOnceWithItsPlace) {
  file(
      "intervall: 10s\n"
      "listen: [a]\n"
      "clusters:\n"
      "  lab:\n"
      "    slurmrestd: {url: 'ftp://x', user: alice, token: abc}\n");
  variable("SCONVERGE_PRUNE_GRACE", "soon");
  flag("concurrency", "many");
  const auto found = problems();
  EXPECT_THAT(found, SizeIs(6));
  const std::string name = directory / "config.yaml";
  EXPECT_THAT(found, Contains(name + ":1:1: intervall: unknown key (did you mean interval?)"));
  EXPECT_THAT(found, Contains(StartsWith(name + ":2:9: listen: the value is not plain text")));
  EXPECT_THAT(found,
              Contains(StartsWith(name + ":5:23: clusters.lab.slurmrestd.url: \"ftp://x\" is "
                                         "not an http or https URL")));
  EXPECT_THAT(found,
              Contains(StartsWith(name + ":5:47: clusters.lab.slurmrestd.token: a token does "
                                         "not belong into the configuration")));
  EXPECT_THAT(found, Contains(StartsWith("SCONVERGE_PRUNE_GRACE: \"soon\" is not a duration")));
  EXPECT_THAT(found, Contains(StartsWith("--concurrency: \"many\" is not a number")));
}

TEST_F(ConfigTest, NeverRepeatsWhatMayBeASecret) {
  file(
      "token: s3cret\nclusters: {lab: {slurmrestd: {url: 'http://u:s3cret@h'}, environment: "
      "['s3cret']}}\n");
  variable("SCONVERGE_TOKEN", "s3cret");
  EXPECT_THAT(problems(), AllOf(SizeIs(4), Each(Not(HasSubstr("s3cret")))));
}

TEST_F(ConfigTest, TellsWhatARunNeeds) {
  needs = {true, true};
  EXPECT_THAT(problems(), ElementsAre(StartsWith("specs: the directory to watch is not given"),
                                      StartsWith("clusters: no Slurm cluster is given")));
}

TEST_F(ConfigTest, TellsWhatAClusterNeedsWhereItIsWritten) {
  needs.clusters = true;
  file("clusters:\n  lab: {}\n");
  EXPECT_THAT(problems(),
              ElementsAre(HasSubstr(":2:3: clusters.lab.slurmrestd.url: the address"),
                          HasSubstr(":2:3: clusters.lab.slurmrestd.user: the Slurm user"),
                          HasSubstr(":2:3: clusters.lab.slurmrestd.tokenFile: there is no token")));
}

TEST_F(ConfigTest, TakesATokenFromTheEnvironment) {
  needs.clusters = true;
  flag("slurmrestd", "http://h");
  flag("user", "alice");
  variable("SLURM_JWT", "abc");
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(ConfigTest, RefusesAStateInsideTheWatchedDirectory) {
  flag("specs", "/srv/jobs");
  flag("state", "/srv/jobs/.state");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("lies in the watched directory")));
  inputs.flags["state"] = {"/srv/jobs-state"};
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(ConfigTest, WarnsOfUnknownVariablesButNotOfOthersProgramsOnes) {
  variable("SCONVERGE_SPEC", "/srv/jobs");
  variable("SCONVERGE_LAB_ROOT", "x");
  variable("SCONVERGE_SERVICE_HOST", "10.0.0.1");
  variable("SCONVERGE_PORT", "tcp://10.0.0.1:9810");
  EXPECT_THAT(problems(), IsEmpty());
  EXPECT_THAT(read().warnings,
              ElementsAre(AllOf(Field(&Problem::field, "SCONVERGE_SPEC"),
                                Field(&Problem::remedy, "did you mean SCONVERGE_SPECS?"))));
}

TEST_F(ConfigTest, RefusesValuesThatAreEmptyInFilesAndFlagsButNotInVariables) {
  flag("specs", "");
  variable("SCONVERGE_USER", "");
  file("listen: ''\nstate:\n");
  const auto found = problems();
  EXPECT_THAT(found, SizeIs(3));
  EXPECT_THAT(found, Contains(HasSubstr(":1:9: listen: the value is empty")));
  EXPECT_THAT(found, Contains(HasSubstr("state: the value is missing")));
  EXPECT_THAT(found, Contains(StartsWith("--specs: the value is empty")));
}

TEST_F(ConfigTest, TellsWhyAFileCannotBeRead) {
  flag("config", directory / "none.yaml");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("none.yaml: there is no such file")));
  inputs.flags["config"] = {""};
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("there is no such file")));
  inputs.flags["config"] = {directory.path()};
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("it is not a regular file")));
}

TEST_F(ConfigTest, ReadsAnEmptyFileAsNoSettings) {
  file("");
  EXPECT_THAT(problems(), IsEmpty());
  file("# nothing\n");
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(ConfigTest, SurvivesAnyBytes) {
  const std::string deep(20000, '[');
  std::string bomb = "a0: &a0 [x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    bomb.append(name).append(": &").append(name);
    bomb.append(" [").append(last).append(",").append(last).append("]\n");
  }
  for (const std::string& text :
       {deep, "a: " + deep, bomb, std::string("\xff\xfe\0\x01", 4), std::string("&a [*a]"),
        std::string("? ? ? ?"), std::string("%YAML 9.9\n--- !!int x"), std::string(1 << 16, '-'),
        std::string("clusters: &c {a: *c}\n"),
        std::string("clusters: {a: &e {environment: *e}}\n")}) {
    file(text);
    EXPECT_THAT(problems(), Not(IsEmpty())) << text.substr(0, 20);
  }
}

struct BadFile {
  std::string text;
  std::string problem;
};
class BadFileTest : public ConfigTest, public testing::WithParamInterface<BadFile> {};

TEST_P(BadFileTest, IsAProblemWithItsPlace) {
  file(GetParam().text);
  EXPECT_THAT(problems(), Contains(HasSubstr("config.yaml" + GetParam().problem)));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadFileTest,
    testing::Values(
        BadFile{"a: b: c\n", ":1:5: it is not YAML"}, BadFile{"[1, 2]\n", ": the configuration is"},
        BadFile{"just text\n", ": the configuration is not a map"},
        BadFile{"specs: a\n---\nspecs: b\n", ": there is more than one document"},
        BadFile{"specs: a\nspecs: b\n", ":2:1: specs: the key stands here twice"},
        BadFile{"clusters: {a: {}, a: {}}\n", ":1:19: clusters.a: the cluster stands here twice"},
        BadFile{"clusters: {A_b: {}}\n", ":1:12: clusters.A_b: \"A_b\" is not a cluster name"},
        BadFile{"clusters: [a]\n", ":1:1: clusters: the value is not a map"},
        BadFile{"clusters: {a: x}\n", ":1:12: clusters.a: the value is not a map"},
        BadFile{"log: debug\n", ":1:1: log: the value is not a map"},
        BadFile{"log: {levl: debug}\n", ":1:7: log.levl: unknown key (did you mean level?)"},
        BadFile{"workingDirectory: /x\n",
                ":1:1: workingDirectory: unknown key (it belongs to a "
                "cluster: clusters: {NAME: {workingDirectory: ...}})"},
        BadFile{"zzz: 1\n", ":1:1: zzz: unknown key (known here: specs state"},
        BadFile{"? [a]\n: b\n", ":1:3: a key is not plain text"},
        BadFile{"clusters: {a: {environment: {K: [1]}}}\n",
                ":1:29: clusters.a.environment: the value is not a map or list of plain texts"},
        BadFile{"clusters: {a: {environment: {K: 1, K: 2}}}\n",
                ":1:36: clusters.a.environment: the key stands here twice"},
        BadFile{"clusters: {a: {environment: 7}}\n",
                ":1:29: clusters.a.environment: the value is not a map or list"},
        BadFile{"clusters: {a: {slurmrestd: {usr: x}}}\n",
                ":1:29: clusters.a.slurmrestd.usr: unknown key (did you mean user?)"}));

struct BadValue {
  std::string flag;
  std::string value;
  std::string problem;
};
class BadValueTest : public ConfigTest, public testing::WithParamInterface<BadValue> {};

TEST_P(BadValueTest, IsRefusedWithWhatWouldBeRight) {
  flag(GetParam().flag, GetParam().value);
  EXPECT_THAT(problems(), ElementsAre(AllOf(StartsWith("--" + GetParam().flag + ": "),
                                            HasSubstr(GetParam().problem))));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadValueTest,
    testing::Values(BadValue{"interval", "10",
                             "is not a duration (write a number and ms, s, m or h"},
                    BadValue{"interval", "1ms", "is out of range (write 100ms to 1h)"},
                    BadValue{"interval", "99999999999999999999h", "is not a duration"},
                    BadValue{"listen", "9810", "cannot listen on \"9810\""},
                    BadValue{"listen", "[::]:9810", "IPv6 addresses are not served"},
                    BadValue{"health-listen", "9811", "cannot listen on \"9811\""},
                    BadValue{"insecure-listen", "yes", "is neither true nor false (write true or"},
                    BadValue{"controller-id", "Prod_1", "is not a controller id"},
                    BadValue{"log-level", "loud", "write debug, info, warn or error"},
                    BadValue{"log-format", "xml", "write auto, logfmt or json"},
                    BadValue{"slurmrestd", "127.0.0.1:6820", "is not an http or https URL"},
                    BadValue{"slurmrestd", "http://", "names no host"},
                    BadValue{"slurmrestd", "http://h:99999", "has no valid port"},
                    BadValue{"slurmrestd", "http://h:port", "has no valid port"},
                    BadValue{"slurmrestd", "http://h/?a=b", "holds a query"},
                    BadValue{"slurmrestd", "http://h/slurm/v0.0.42", "end the URL before /slurm/"},
                    BadValue{"user", "a b", "is not a user name"},
                    BadValue{"api-version", "v0.0.39", "write v0.0.40 to v0.0.45"},
                    BadValue{"api-version", "42", "write v0.0.40 to v0.0.45"},
                    BadValue{"request-timeout", "0s", "is out of range"},
                    BadValue{"working-directory", "home", "is not an absolute path"},
                    BadValue{"environment", "=x", "an entry is not KEY=value"},
                    BadValue{"concurrency", "0", "write 1 to 64"},
                    BadValue{"concurrency", "65", "write 1 to 64"}));

TEST_F(ConfigTest, AcceptsUrlsInEveryForm) {
  for (const char* url : {"http://h", "https://h:443", "http://127.0.0.1:6820", "http://[::1]:6820",
                          "https://h.example.org/path"}) {
    inputs.flags["slurmrestd"] = {url};
    EXPECT_EQ(good().clusters[0].slurmrestd.url, url);
  }
  inputs.flags["slurmrestd"] = {"http://h/"};
  EXPECT_EQ(good().clusters[0].slurmrestd.url, "http://h");
}

TEST_F(ConfigTest, SeparatesAnEnvironmentInAVariableByCommas) {
  flag("slurmrestd", "http://h");
  variable("SCONVERGE_ENVIRONMENT", "A=1,B=x=y");
  EXPECT_THAT(good().clusters[0].environment,
              ElementsAre(testing::Pair("A", "1"), testing::Pair("B", "x=y")));
}

TEST_F(ConfigTest, GivesJobsTheMinimumEnvironmentUnderTheConfiguredOne) {
  short_way();
  flag("environment", "HOME=/nfs/alice");
  flag("environment", "LANG=C");
  const Config config = good();
  const Policy policy = policy_for(config, config.clusters[0]);
  EXPECT_THAT(
      policy.defaults.environment,
      ElementsAre("HOME=/nfs/alice", "LANG=C", "LOGNAME=alice", "PATH=/usr/local/bin:/usr/bin:/bin",
                  "SHELL=/bin/sh", "SLURM_SUBMIT_DIR=/tmp", "USER=alice"));
  EXPECT_EQ(policy.defaults.working_directory, "/tmp");
}

TEST_F(ConfigTest, GuessesHomeFromTheUser) {
  short_way();
  const Config config = good();
  EXPECT_THAT(policy_for(config, config.clusters[0]).defaults.environment,
              Contains("HOME=/home/alice"));
}

TEST_F(ConfigTest, DoubtsARequestLongerThanTheClientWaits) {
  short_way();
  flag("request-timeout", "5s");
  flag("prune-grace", "45s");
  flag("interval", "3s");
  flag("controller-id", "prod");
  const Config config = good();
  const Policy policy = policy_for(config, config.clusters[0]);
  EXPECT_EQ(policy.request_timeout, seconds{35});
  EXPECT_EQ(policy.prune_grace, seconds{45});
  EXPECT_EQ(policy.interval, seconds{3});
  EXPECT_EQ(policy.controller_id, "prod");
}

TEST_F(ConfigTest, FindsClustersByName) {
  file("clusters: {a: {}, b: {}}\n");
  const Config config = good();
  EXPECT_EQ(find_cluster(config, "b"), &config.clusters[1]);
  EXPECT_EQ(find_cluster(config, "c"), nullptr);
}

TEST(SettingsTest, HaveThreeNamesThatNobodyElseHas) {
  std::vector<std::string> names;
  for (const Setting& setting : settings()) {
    names.emplace_back(setting.flag);
    names.emplace_back(setting.variable);
    EXPECT_TRUE(setting.variable.starts_with("SCONVERGE_")) << setting.variable;
    EXPECT_FALSE(setting.help.empty());
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(SettingsTest, ReadDurationsWithUnits) {
  EXPECT_EQ(parse_interval("250ms"), milliseconds{250});
  EXPECT_EQ(parse_interval("10s"), seconds{10});
  EXPECT_EQ(parse_interval("1m30s"), seconds{90});
  EXPECT_EQ(parse_interval("2h"), seconds{7200});
  for (const char* bad : {"", "10", "s", "-1s", "1.5s", "10 s", "10S", "1d", "1s2"}) {
    EXPECT_EQ(parse_interval(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace sconverge::test
