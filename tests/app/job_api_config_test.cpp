#include "tests/app/config_world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

struct JobApiConfigTest : ConfigTest {
  JobApiConfigTest() { needs.clusters = true; }

  void job_api_flags() {
    flag("project", "my-project");
    flag("region", "us-central1");
    flag("cluster", "c1");
  }
  void slurmrestd_flags() {
    flag("slurmrestd", "http://127.0.0.1:6820");
    flag("user", "alice");
    flag("token-file", "/run/token");
  }
};

TEST_F(JobApiConfigTest, ThreeNamesAreEnough) {
  job_api_flags();
  const Config config = good();
  ASSERT_THAT(config.clusters, SizeIs(1));
  EXPECT_TRUE(config.clusters[0].uses_job_api());
  EXPECT_EQ(config.clusters[0].job_api.project, "my-project");
  EXPECT_EQ(config.clusters[0].job_api.google_api_version, "v1beta1");
  EXPECT_EQ(config.clusters[0].user(), "");
}

TEST_F(JobApiConfigTest, FileNamesItBesideOtherClusters) {
  file(
      "clusters:\n"
      "  lab: {slurmrestd: {url: http://a, user: x, tokenFile: t}}\n"
      "  gcp: {slurmJobApi: {project: p, region: r, cluster: c, credentials: key.json}}\n"
      "defaultCluster: lab\n");
  const Config config = good();
  ASSERT_THAT(config.clusters, SizeIs(2));
  EXPECT_TRUE(config.clusters[0].uses_job_api());
  EXPECT_EQ(config.clusters[0].job_api.credentials, directory / "key.json");
  EXPECT_FALSE(config.clusters[1].uses_job_api());
}

TEST_F(JobApiConfigTest, EachMissingNameIsAProblem) {
  flag("project", "p");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("slurmJobApi.region: the cluster's region is not"),
                                      HasSubstr("slurmJobApi.cluster: the cluster's id is not")));
}

TEST_F(JobApiConfigTest, RefusedNameIsNoMissingOne) {
  job_api_flags();
  flag("project", "a/b");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("--project: \"a/b\" is not a project id")));
}

TEST_F(JobApiConfigTest, EndpointMayBePlainHttpOnLoopbackOnly) {
  job_api_flags();
  for (const char* url : {"http://127.0.0.1:9820", "http://localhost:9820/", "https://gateway"}) {
    inputs.flags["endpoint"] = {url};
    EXPECT_THAT(problems(), IsEmpty()) << url;
  }
  for (const char* url : {"http://gateway:9820", "http://127.evil.example", "ftp://x"}) {
    inputs.flags["endpoint"] = {url};
    EXPECT_THAT(problems(), SizeIs(1)) << url;
  }
}

TEST_F(JobApiConfigTest, TwoKindsOfCredentialsAreOneTooMany) {
  job_api_flags();
  flag("credentials", "/a");
  flag("access-token-file", "/b");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("both a credential file and an access token")));
}

TEST_F(JobApiConfigTest, TwoWaysInOnePlaceAreOneTooMany) {
  job_api_flags();
  slurmrestd_flags();
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("two ways to the cluster are given")));
}

TEST_F(JobApiConfigTest, WayThatAFlagSaysBeatsTheOneOfVariables) {
  job_api_flags();
  variable("SCONVERGE_SLURMRESTD", "http://127.0.0.1:6820");
  variable("SCONVERGE_USER", "alice");
  variable("SCONVERGE_TOKEN_FILE", "/run/token");
  EXPECT_TRUE(good().clusters[0].uses_job_api());
}

TEST_F(JobApiConfigTest, WayThatAVariableSaysBeatsTheOneOfTheFile) {
  file("clusters: {gcp: {slurmJobApi: {project: p, region: r, cluster: c}}}\n");
  variable("SCONVERGE_SLURMRESTD", "http://127.0.0.1:6820");
  variable("SCONVERGE_USER", "alice");
  variable("SCONVERGE_TOKEN_FILE", "/run/token");
  EXPECT_FALSE(good().clusters[0].uses_job_api());
}

TEST_F(JobApiConfigTest, KeepsWhatTheEnvironmentSaysAboutCredentialsAndNothingElse) {
  job_api_flags();
  variable("GOOGLE_APPLICATION_CREDENTIALS", "/key.json");
  variable("GCE_METADATA_HOST", "127.0.0.1:1");
  variable("CLOUDSDK_CONFIG", "/gcloud");
  variable("AWS_SECRET_ACCESS_KEY", "secret");
  const Config config = good();
  std::vector<std::string> names;
  for (const auto& [name, text] : config.clusters[0].job_api.variables) names.push_back(name);
  EXPECT_THAT(names, UnorderedElementsAre("GOOGLE_APPLICATION_CREDENTIALS", "GCE_METADATA_HOST",
                                          "CLOUDSDK_CONFIG", "HOME"));
}

TEST_F(JobApiConfigTest, JobsOfAnUnknownUserGetNoHome) {
  job_api_flags();
  Config config = good();
  EXPECT_THAT(
      policy_for(config, config.clusters[0]).defaults.environment,
      ElementsAre("PATH=/usr/local/bin:/usr/bin:/bin", "SHELL=/bin/sh", "SLURM_SUBMIT_DIR=/tmp"));
  flag("slurm-user", "alice");
  config = good();
  EXPECT_THAT(policy_for(config, config.clusters[0]).defaults.environment,
              testing::Contains("HOME=/home/alice"));
}

TEST_F(JobApiConfigTest, GatewayHasBothEnds) {
  needs.gateway = true;
  job_api_flags();
  slurmrestd_flags();
  flag("tokens", "/etc/tokens.yaml");
  const Config config = good();
  EXPECT_EQ(config.gateway.tokens, "/etc/tokens.yaml");
  EXPECT_EQ(config.clusters[0].slurmrestd.user, "alice");
  EXPECT_EQ(config.clusters[0].job_api.cluster, "c1");
}

TEST_F(JobApiConfigTest, GatewayTellsEverythingItMisses) {
  needs.gateway = true;
  flag("project", "p");
  flag("tls-cert", "/etc/cert.pem");
  EXPECT_THAT(problems(), UnorderedElementsAre(
                              HasSubstr("gateway.tokens: the file of"),
                              HasSubstr("tlsKey: a certificate and a key belong together"),
                              HasSubstr("slurmrestd.url"), HasSubstr("slurmrestd.user"),
                              HasSubstr("slurmrestd.tokenFile"), HasSubstr("slurmJobApi.region"),
                              HasSubstr("slurmJobApi.cluster")));
}

}  // namespace
}  // namespace sconverge::test
