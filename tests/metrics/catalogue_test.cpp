// The catalogue, the exposition and metrics/README.md say the same. SCONVERGE_ACCEPT=1 in the
// environment rewrites the table in the README and the golden exposition.
#include "metrics/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "metrics/gateway_metrics.h"
#include "metrics/metrics.h"
#include "tests/metrics/exposition.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::filesystem::path kRoot = SCONVERGE_SOURCE_DIR;

bool accepting() { return std::getenv("SCONVERGE_ACCEPT") != nullptr; }

std::string text_of_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

const std::set<std::string> kPerSpec{"sconverge_spec_last_success_timestamp_seconds",
                                     "sconverge_spec_ready"};

const ClusterActivities kBusy{{"lab", {.ticking = true, .requests_in_flight = 3}}};

SpecStatus a_status(const std::string& name) {
  return {.name = {"default", name},
          .verdict = {.phase = Phase::Lost, .reason = Reason::OutcomeUnknown},
          .succeeded_at = TimePoint{std::chrono::hours{11}}};
}

/// A tick in which all that can happen did; every number in it is above 0.
TickReport full_report() {
  constexpr TimePoint noon{std::chrono::hours{12}};
  TickReport report;
  report.cluster = "lab";
  report.began = noon;
  report.ended = noon + seconds{2};
  report.revision = "3f2a";
  report.source_complete = true;
  report.valid_files = report.invalid_files = report.ignored_files = 1;
  report.scan = {ScanTrigger::Event, 0.1, {{WatchEvent::Modify, 2}}};
  report.problems = {{.file = "a.yaml", .field = "", .what = "wrong", .remedy = ""}};
  report.our_jobs = {{"running", 1}};
  report.actions = {{.operation = Operation::Submit, .result = OperationResult::Success}};
  report.terminations = {{.outcome = {.kind = OutcomeKind::Succeeded}}};
  SpecStatus ready = a_status("ready");
  ready.verdict = {.phase = Phase::Succeeded, .reason = Reason::Completed};
  report.statuses = {a_status("lost"), ready};
  report.guards = {{.guard = Guard::PruneBudget, .specs = {{"default", "lost"}}}};
  report.convergence_seconds = {1};
  report.queue_wait_seconds = {2};
  report.run_seconds = {3};
  report.adoptions = report.duplicates = 1;
  report.requests = {{"GET /slurm/jobs", "transport_error", 0.2, TransportFailure::Closed, {}, 1},
                     {"GET /slurm/jobs", "500", 0.2, {}, ApiFailure::Limit}};
  report.store_writes = {.done = 2, .failed = 1};
  report.store_bytes = 4096;
  return report;
}

/// After a full report and every call.
void fill(Metrics& metrics) {
  metrics.add_cluster("lab");
  metrics.record(full_report());
  TickReport failed = full_report();
  failed.failed = Error{.kind = ErrorKind::Unavailable, .message = "no"};
  failed.failed_step = "store";
  metrics.record(failed);
  metrics.set_slurm_info("lab", "24.11.5", "v0.0.42");
  metrics.set_token_expiry("lab", TimePoint{std::chrono::hours{12}});
  metrics.record_reload(true, TimePoint{std::chrono::hours{13}});
  metrics.count_http_answer("/metrics", 200);
  metrics.count_log_message(LogLevel::Info);
  metrics.limit_specs({.most = 1});
  metrics.limit_specs({.most = 2});
}

const BuildInfo kBuild{"1.2.3", "abcdef", "g++ 12"};

std::string full_exposition() {
  Metrics metrics(kBuild);
  fill(metrics);
  return metrics.exposition(kBusy);
}

/// After every call.
void fill(GatewayMetrics& metrics) {
  metrics.record_tokens(false, 2, TimePoint{std::chrono::hours{12}});
  metrics.record_tokens(true, 2, TimePoint{std::chrono::hours{12}});
  metrics.begin_request();
  metrics.begin_request();
  metrics.record_request({"GET", "/slurm/{version}/jobs", 200, 200, 0.2, "denied"});
}

std::string full_gateway_exposition() {
  GatewayMetrics metrics(kBuild);
  fill(metrics);
  return metrics.exposition();
}

std::string without_values(const std::string& exposition) {
  std::string result;
  std::istringstream lines(exposition);
  for (std::string line; std::getline(lines, line);) {
    result += (line.starts_with("#") ? line : line.substr(0, line.rfind(' '))) + "\n";
  }
  return result;
}

std::string readme_table() {
  std::string table = "| Name | Type | Labels | Meaning |\n|---|---|---|---|\n";
  for (const MetricInfo& info : metric_catalogue()) {
    std::string labels;
    std::istringstream names{std::string(info.labels)};
    for (std::string name; std::getline(names, name, ',');) {
      labels += (labels.empty() ? "`" : ", `") + name + "`";
    }
    table += "| `" + std::string(info.name) + "` | " + std::string(to_text(info.type)) + " | " +
             labels + " | " + std::string(info.help) + " |\n";
  }
  return table;
}

TEST(CatalogueTest, ExposesExactlyItsFamiliesWithTheirTypesLabelsAndHelp) {
  Exposition exposition = read_exposition(full_exposition());
  EXPECT_THAT(exposition.errors, IsEmpty());
  Exposition of_gateway = read_exposition(full_gateway_exposition());
  EXPECT_THAT(of_gateway.errors, IsEmpty());
  exposition.families.merge(of_gateway.families);
  EXPECT_EQ(exposition.families.size(), metric_catalogue().size());
  for (const MetricInfo& info : metric_catalogue()) {
    ASSERT_TRUE(exposition.families.contains(std::string(info.name))) << info.name;
    const ExposedFamily& family = exposition.families.at(std::string(info.name));
    EXPECT_EQ(family.type, to_text(info.type)) << info.name;
    EXPECT_EQ(family.help, info.help) << info.name;
    std::set<std::string> wanted;
    std::istringstream names{std::string(info.labels)};
    for (std::string name; std::getline(names, name, ',');) wanted.insert(name);
    for (const Sample& sample : family.samples) {
      std::set<std::string> labels;
      for (const auto& [name, value] : sample.labels) {
        if (name != "le") labels.insert(name);
      }
      EXPECT_EQ(labels, wanted) << info.name;
    }
  }
}

/// The families of `names` that are the same, series and values, before and after.
std::set<std::string> unmoved(const std::string& before, const std::string& after,
                              const std::function<bool(const std::string&)>& chosen) {
  const Exposition first = read_exposition(before);
  const Exposition last = read_exposition(after);
  std::set<std::string> names;
  for (const MetricInfo& info : metric_catalogue()) {
    const std::string name(info.name);
    if (!chosen(name)) continue;
    const auto values = [&](const Exposition& exposition) {
      std::map<std::map<std::string, std::string>, std::vector<double>> found;
      const auto family = exposition.families.find(name);
      if (family == exposition.families.end()) return found;
      for (const Sample& sample : family->second.samples) {
        found[sample.labels].push_back(sample.value);
      }
      return found;
    };
    if (values(first) == values(last)) names.insert(name);
  }
  return names;
}

TEST(CatalogueTest, EveryFamilyIsMovedByAReportOrACall) {
  // The process's own are moved by the process, and tested in process_test.cpp.
  const auto chosen = [](const std::string& name) {
    return !name.starts_with("process_") && !name.starts_with("sconverge_gateway_") &&
           name != "sconverge_build_info";
  };
  Metrics metrics(kBuild);
  metrics.add_cluster("lab");
  const std::string before = metrics.exposition({{"lab", {}}});
  fill(metrics);
  // A reload that failed is taken back by the one that went through.
  EXPECT_THAT(unmoved(before, metrics.exposition(kBusy), chosen),
              ElementsAre("sconverge_config_last_reload_successful"));
  metrics.record_reload(false, TimePoint{std::chrono::hours{14}});
  EXPECT_THAT(unmoved(before, metrics.exposition(kBusy), chosen), IsEmpty());
}

TEST(CatalogueTest, EveryFamilyOfTheGatewayIsMovedByACall) {
  const auto chosen = [](const std::string& name) {
    return name.starts_with("sconverge_gateway_");
  };
  GatewayMetrics metrics(kBuild);
  const std::string before = metrics.exposition();
  fill(metrics);
  EXPECT_THAT(unmoved(before, metrics.exposition(), chosen), IsEmpty());
}

TEST(CatalogueTest, NoLabelCanTellASingleJobUserPathOrMessage) {
  // "job", "instance" and the like belong to the scraped target and would come back renamed.
  const std::set<std::string> forbidden{"job_id", "user",     "path",      "message",
                                        "job",    "instance", "pod",       "spec",
                                        "name",   "error",    "namespace", "file"};
  for (const MetricInfo& info : metric_catalogue()) {
    std::istringstream names{std::string(info.labels)};
    for (std::string name; std::getline(names, name, ',');) {
      // Those about single specs are capped, and can be switched off.
      const bool capped = name == "spec" && kPerSpec.contains(std::string(info.name));
      EXPECT_TRUE(capped || !forbidden.contains(name)) << info.name;
    }
  }
}

TEST(CatalogueTest, TheReadmeListsIt) {
  const auto path = kRoot / "metrics" / "README.md";
  const std::string begin = "<!-- catalogue: begin -->\n";
  const std::string end = "<!-- catalogue: end -->\n";
  std::string readme = text_of_file(path);
  const auto from = readme.find(begin);
  const auto to = readme.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  const auto first = from + begin.size();
  if (accepting()) {
    readme.replace(first, to - first, readme_table());
    std::ofstream(path) << readme;
    return;
  }
  EXPECT_EQ(readme.substr(first, to - first), readme_table());
}

/// What stands between two headings of the README.
std::string readme_section(const std::string& heading) {
  const std::string readme = text_of_file(kRoot / "metrics" / "README.md");
  const auto from = readme.find("\n## " + heading + "\n");
  if (from == std::string::npos) return "";
  return readme.substr(from, readme.find("\n## ", from + 1) - from);
}

TEST(CatalogueTest, TheReadmeNamesEveryValueOfTheClosedSets) {
  const std::set<std::string> open{"cluster", "spec",    "spec_namespace", "version",
                                   "method",  "route",   "revision",       "compiler",
                                   "code",    "handler", "slurm_version",  "api_version",
                                   "le",      "kind",    "endpoint"};
  const std::string section = readme_section("Values of labels");
  Metrics metrics(kBuild);
  fill(metrics);
  std::size_t checked = 0;
  for (const auto& [name, family] : read_exposition(metrics.exposition(kBusy)).families) {
    for (const Sample& sample : family.samples) {
      for (const auto& [label, value] : sample.labels) {
        if (open.contains(label)) continue;
        ++checked;
        const std::regex row("\n\\| `" + label + "`[^|]*\\|[^\n]*`" + value + "`");
        EXPECT_TRUE(std::regex_search(section, row)) << name << " " << label << "=" << value;
      }
    }
  }
  EXPECT_GT(checked, 100U);
}

TEST(CatalogueTest, WhatTheReadmeSaysIsNotThereIsNot) {
  const std::string section = readme_section("Not there, and why");
  std::vector<std::string> absent;
  std::istringstream lines(section);
  for (std::string line; std::getline(lines, line);) {
    const std::string names = line.substr(0, line.find('|', 1));
    const std::regex word("`([a-z_]+\\*?)`");
    for (auto found = std::sregex_iterator(names.begin(), names.end(), word);
         found != std::sregex_iterator(); ++found) {
      absent.push_back((*found)[1]);
    }
  }
  EXPECT_GT(absent.size(), 9U);
  Metrics metrics(kBuild);
  fill(metrics);
  const std::string exposition = metrics.exposition(kBusy);
  for (std::string name : absent) {
    if (name.ends_with('*')) name.pop_back();
    const auto is_it = [&](const MetricInfo& info) {
      return info.name.starts_with(name) || info.name.starts_with("sconverge_" + name);
    };
    EXPECT_TRUE(std::none_of(metric_catalogue().begin(), metric_catalogue().end(), is_it)) << name;
    EXPECT_THAT(exposition, Not(HasSubstr("=\"" + name))) << name;
  }
}

TEST(CatalogueTest, TheExpositionsAreAsTheyWere) {
  const auto folder = kRoot / "tests" / "data" / "metrics";
  for (const auto& [file, exposition] :
       {std::pair{"exposition.txt", full_exposition()},
        std::pair{"gateway_exposition.txt", full_gateway_exposition()}}) {
    const std::string now = without_values(exposition);
    if (accepting()) std::ofstream(folder / file) << now;
    EXPECT_EQ(now, text_of_file(folder / file)) << file;
  }
}

TEST(CatalogueTest, PromtoolHasNothingToSayWhereItIsInstalled) {
  if (std::system("command -v promtool >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "there is no promtool";
  const auto file = std::filesystem::temp_directory_path() /
                    ("sconverge-exposition-" + std::to_string(::getpid()));
  for (const std::string& text : {full_exposition(), full_gateway_exposition()}) {
    std::ofstream(file) << text;
    EXPECT_EQ(std::system(("promtool check metrics <" + file.string()).c_str()), 0);
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace sconverge::test
