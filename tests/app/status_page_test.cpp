#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "controller/app/document.h"
#include "controller/app/pages.h"
#include "controller/app/status_html.h"
#include "controller/app/status_text.h"
#include "controller/gateway/token_entries.h"
#include "controller/google/base64.h"
#include "tests/app/console_world.h"

namespace sconverge::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

// A cluster that ticked a second ago, and what a browser and curl see of it.
struct StatusPageTest : testing::Test {
  StatusPageTest() { board.add("lab", "http://127.0.0.1:6820"); }

  SpecStatus& add(const std::string& name, Phase phase = Phase::Running,
                  Reason reason = Reason::JobRunning) {
    report.statuses.push_back(a_row(name, phase, reason));
    return report.statuses.back();
  }
  void tick() {
    report.cluster = "lab";
    report.began = clock.now() - milliseconds{1120};
    report.ended = clock.now() - seconds{1};
    report.source_complete = true;
    board.take(report, "prod");
  }
  HttpAnswer get(const std::string& path, const std::string& query = "",
                 const std::string& accept = "*/*") {
    HttpRequest request;
    request.query = query;
    request.accept = accept;
    const PageSources sources{clock, [] { return HealthState{}; }, [] { return std::string(); },
                              [this] { return board.clusters(); }, [] { return seconds{60}; }};
    for (const auto& route : pages_of(sources, {})) {
      if (route.path == path) return route.get(request);
    }
    return {404};
  }
  std::string text(const std::string& query = "") { return get("/", query).body; }
  std::string html(const std::string& query = "") {
    return get("/", query, "text/html,application/xhtml+xml,*/*;q=0.8").body;
  }
  json specs(const std::string& query = "") {
    return json::parse(get("/api/v1/specs", query).body);
  }

  FakeClock clock{};
  StatusBoard board{};
  TickReport report{};
};

/// What is wrong with the nesting of its tags; empty: nothing.
std::string flaw_of(const std::string& page) {
  std::vector<std::string> open;
  for (auto at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const auto end = page.find('>', at);
    if (end == std::string::npos) return "a tag has no end";
    const std::string tag = page.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.starts_with("!") || tag.ends_with("/") || name == "meta") continue;
    if (!tag.starts_with("/")) {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != tag) {
      return "<" + tag + "> closes " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back() + " stays open";
}

TEST_F(StatusPageTest, SaysBeforeTheFirstTickThatThereIsNone) {
  EXPECT_THAT(text(), AllOf(HasSubstr("cluster lab: http://127.0.0.1:6820"),
                            HasSubstr("last tick none yet"),
                            HasSubstr("cluster lab: the first tick has not ended yet")));
  EXPECT_THAT(html(), AllOf(HasSubstr("none yet"), HasSubstr("No specs yet.")));
  EXPECT_EQ(flaw_of(html()), "");
  EXPECT_THAT(specs()["items"], IsEmpty());
  EXPECT_EQ(specs()["clusters"][0]["name"], "lab");
}

TEST_F(StatusPageTest, ShowsEachClusterWithItsTickConnectionAndSource) {
  report.revision = "4f2a";
  report.valid_files = 5;
  report.invalid_files = 1;
  tick();
  ClusterInfo info;
  info.slurm_version = "24.11.5";
  info.api_version = "v0.0.42";
  info.user = "alice";
  board.connected("lab", info);
  for (const std::string& page : {text(), html()}) {
    EXPECT_THAT(page,
                AllOf(HasSubstr("1s ago, took 120ms"), HasSubstr("4f2a"),
                      HasSubstr("5 files accepted, 1 refused"),
                      HasSubstr("http://127.0.0.1:6820, Slurm 24.11.5, API v0.0.42, as alice")));
  }
  EXPECT_THAT(html(), HasSubstr("controller prod"));
}

TEST_F(StatusPageTest, WhatNeedsSomebodyStandsBeforeWhatGoesWell) {
  add("a-done", Phase::Succeeded, Reason::Completed);
  add("b-running");
  add("c-waiting", Phase::Pending, Reason::Queued);
  add("d-failed", Phase::Failed, Reason::OutOfMemory);
  tick();
  for (const std::string& page : {text(), html()}) {
    EXPECT_LT(page.find("d-failed"), page.find("c-waiting"));
    EXPECT_LT(page.find("c-waiting"), page.find("b-running"));
    EXPECT_LT(page.find("b-running"), page.find("a-done"));
  }
  EXPECT_THAT(html(), AllOf(HasSubstr("OutOfMemory"), HasSubstr(">because<"), HasSubstr(">7<")));
  EXPECT_THAT(text(), HasSubstr("4 specs: 1 Pending, 1 Running, 1 Succeeded, 1 Failed"));
}

TEST_F(StatusPageTest, AGuardIsShownWithTheCommandThatLiftsIt) {
  report.guards = {
      {Guard::Protected, {a_name("train")}, "kept; to cancel: sconverge approve train"}};
  tick();
  EXPECT_THAT(text(), HasSubstr("guard Protected: kept; to cancel: sconverge approve train\n"));
  EXPECT_THAT(html(), HasSubstr("guard Protected: kept; to cancel: "
                                "<code>sconverge approve train</code>"));
}

TEST_F(StatusPageTest, TroublesAreShown) {
  report.failed = Error{ErrorKind::Unavailable, "slurmrestd does not answer"};
  report.problems = {{"a.yaml", 3, 7, "spec.job.nodes", "\"x\" is no number", "write 2"}};
  tick();
  report.source_complete = false;
  report.source_reason = "permission denied";
  board.take(report, "prod");
  for (const std::string& page : {text(), html()}) {
    EXPECT_THAT(page, AllOf(HasSubstr("the last tick of cluster lab failed: slurmrestd does not"),
                            HasSubstr("cannot be read whole"), HasSubstr("permission denied"),
                            HasSubstr("a.yaml:3:7: spec.job.nodes: ")));
  }
}

TEST_F(StatusPageTest, AProblemThatEveryClusterSeesIsShownOnce) {
  report.problems = {{"a.yaml", 3, 7, "", "broken", "mend it"}};
  board.add("other", "http://127.0.0.1:6821");
  tick();
  report.cluster = "other";
  board.take(report, "prod");
  const std::string page = html();
  EXPECT_EQ(page.find("a.yaml:3:7"), page.rfind("a.yaml:3:7"));
}

TEST_F(StatusPageTest, ALoopThatIsStuckIsSaid) {
  tick();
  EXPECT_THAT(text(), Not(HasSubstr("the last tick ended")));
  clock.advance(seconds{120});
  EXPECT_THAT(text(), HasSubstr("cluster lab: the last tick ended 2m1s ago"));
}

TEST_F(StatusPageTest, ANamespaceAndPhasesCanBeAskedFor) {
  add("train", Phase::Failed, Reason::TimeLimit);
  add("eval", Phase::Lost, Reason::OutcomeUnknown);
  add("other").name.name_space = "vision";
  tick();
  const auto names = [](const json& document) {
    std::vector<std::string> found;
    for (const auto& item : document["items"]) found.push_back(item["name"]);
    return found;
  };
  EXPECT_THAT(names(specs()), ElementsAre("train", "eval", "other"));
  EXPECT_THAT(names(specs("namespace=vision")), ElementsAre("other"));
  EXPECT_THAT(names(specs("phase=Failed")), ElementsAre("train"));
  EXPECT_THAT(names(specs("phase=Failed,Lost&namespace=default")), ElementsAre("train", "eval"));
  EXPECT_THAT(names(specs("phase=Failed&phase=Running")), ElementsAre("train", "other"));
  EXPECT_THAT(names(specs("namespace=nobody")), IsEmpty());
  EXPECT_THAT(html("phase=Lost"), AllOf(HasSubstr("eval"), Not(HasSubstr("train"))));
  EXPECT_THAT(html("namespace=nobody"), HasSubstr("No specs are like that."));
  EXPECT_THAT(text("namespace=vision"), HasSubstr("1 spec in namespace vision: 1 Running"));
}

TEST_F(StatusPageTest, AQueryThatMeansNothingIsRefusedWithWhatWouldBeRight) {
  for (const char* path : {"/", "/api/v1/specs"}) {
    EXPECT_EQ(get(path, "phase=Faild").status, 400);
    EXPECT_THAT(get(path, "phase=Faild").body, HasSubstr("did you mean Failed?"));
    EXPECT_THAT(get(path, "phase=").body, HasSubstr("write one of Invalid, Waiting,"));
    EXPECT_THAT(get(path, "phaze=Failed").body,
                HasSubstr("there is no parameter \"phaze\"; there are namespace and phase"));
    EXPECT_THAT(get(path, "%1b[31m").body, Not(HasSubstr("\x1b")));
    EXPECT_THAT(get(path, "namespace=").body, HasSubstr("write namespace=NAME"));
  }
}

TEST_F(StatusPageTest, TheApiGivesTheDocumentOfGet) {
  add("train").since = clock.now() - seconds{5};
  report.guards = {{Guard::Protected, {a_name("train")}, "kept"}};
  report.revision = "4f2a";
  tick();
  const HttpAnswer answer = get("/api/v1/specs");
  EXPECT_EQ(answer.content_type, "application/json");
  EXPECT_EQ(answer.body, statuses_document({published_from(report, "prod")}, DocumentFormat::Json));
  EXPECT_EQ(specs()["clusters"][0]["controllerId"], "prod");
}

TEST_F(StatusPageTest, OnlyWhoAcceptsHtmlGetsIt) {
  EXPECT_EQ(get("/", "", "text/html").content_type, "text/html; charset=utf-8");
  for (const char* accept : {"", "*/*", "text/plain", "application/json"}) {
    EXPECT_EQ(get("/", "", accept).content_type, kPlainText) << accept;
    EXPECT_THAT(get("/", "", accept).headers, Contains(Pair("Vary", "Accept"))) << accept;
  }
}

TEST_F(StatusPageTest, HostileTextsAreHarmless) {
  const std::string hostile = "<script>alert(1)</script>\"'&\x1b[31m\xe2\x80\xae\xff\n";
  SpecStatus& status = add(hostile, Phase::Failed, Reason::SubmitRejected);
  status.name.name_space = hostile;
  status.verdict.message = hostile;
  add("other");
  report.revision = report.source_reason = hostile;
  report.problems = {{hostile, 1, 1, hostile, hostile, hostile}};
  report.guards = {{Guard::Vanished, {}, hostile + ": sconverge approve " + hostile}};
  report.failed = Error{ErrorKind::Unavailable, hostile};
  tick();
  const std::string page = html();
  EXPECT_EQ(flaw_of(page), "");
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\\x1b[31m"));
  for (const std::string& shown : {page, text()}) {
    EXPECT_THAT(shown, Not(HasSubstr("\x1b")));
    EXPECT_THAT(shown, Not(HasSubstr("\xe2\x80\xae")));
    EXPECT_THAT(shown, Not(HasSubstr("\xff")));
  }
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("?namespace=%3Cscript%3E"));
  EXPECT_NO_THROW(specs());
}

TEST_F(StatusPageTest, TheHtmlNeedsNothingAndAllowsNothingButItsOwnStyle) {
  add("train", Phase::Failed, Reason::TimeLimit);
  add("other").name.name_space = "vision";
  tick();
  const HttpAnswer answer = get("/", "", "text/html");
  EXPECT_EQ(flaw_of(answer.body), "");
  for (const char* outside :
       {"style=", "<script", "<link", "<img", "src=", "http-equiv", "onload", "url(", "@import"}) {
    EXPECT_THAT(answer.body, Not(HasSubstr(outside)));
  }
  // What a browser compares with the policy: the digest of what stands between the tags.
  const auto begin = answer.body.find("<style>") + 7;
  const Sha256 digest =
      sha256_of(std::string_view(answer.body).substr(begin, answer.body.find("</style>") - begin));
  const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), digest.size());
  EXPECT_THAT(answer.headers,
              Contains(Pair("Content-Security-Policy",
                            "default-src 'none'; style-src 'sha256-" + base64(bytes) +
                                "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")));
}

TEST_F(StatusPageTest, TenThousandSpecsAreShownInPartAndThePageSaysSo) {
  for (int i = 0; i < 10'000; ++i) add("spec-" + std::to_string(10'000 + i));
  add("zz-failed", Phase::Failed, Reason::TimeLimit);
  tick();
  const std::string page = html();
  EXPECT_EQ(flaw_of(page), "");
  EXPECT_LT(page.size(), 500'000U);
  EXPECT_THAT(page, AllOf(HasSubstr("The first 500 of 10001"), HasSubstr("zz-failed"),
                          HasSubstr("spec-10000"), Not(HasSubstr("spec-19999")),
                          HasSubstr("<b>10001</b>")));
  EXPECT_THAT(text(), AllOf(HasSubstr("... and 9801 more; ?phase=PHASE"), HasSubstr("zz-failed")));
  EXPECT_EQ(specs()["items"].size(), 10'001U);
}

TEST_F(StatusPageTest, ManyNamespacesAndFindingsAreShownInPart) {
  for (int i = 0; i < 100; ++i) {
    add("spec").name.name_space = "space-" + std::to_string(100 + i);
    report.guards.push_back({Guard::Protected, {}, "guard number " + std::to_string(100 + i)});
  }
  tick();
  EXPECT_THAT(html(), AllOf(HasSubstr("and 60 more namespaces"), HasSubstr("space-139"),
                            HasSubstr("and 50 more"), Not(HasSubstr("guard number 150"))));
  EXPECT_THAT(text(), AllOf(HasSubstr("... and 80 more"), Not(HasSubstr("guard number 120"))));
}

TEST_F(StatusPageTest, TheFilterIsKeptInTheLinks) {
  add("train", Phase::Failed, Reason::TimeLimit);
  add("other").name.name_space = "vision";
  tick();
  EXPECT_THAT(html("namespace=default"),
              HasSubstr("href=\"/?namespace=default&amp;phase=Failed\""));
  EXPECT_THAT(html("phase=Failed"), AllOf(HasSubstr("href=\"/?namespace=vision&amp;phase=Failed\""),
                                          HasSubstr("href=\"/?phase=Failed\" class=\"on\"")));
}

TEST_F(StatusPageTest, AClusterThatIsTakenOffIsNotShownAgain) {
  tick();
  board.remove("lab");
  board.take(report, "prod");
  board.connected("lab", {});
  EXPECT_THAT(board.clusters(), IsEmpty());
  EXPECT_EQ(flaw_of(html()), "");
}

}  // namespace
}  // namespace sconverge::test
