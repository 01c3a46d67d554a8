// The catalogue, the exposition and metrics/README.md say the same. SCONVERGE_ACCEPT=1 in the
// environment rewrites the table in the README and the golden exposition.
#include "metrics/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "metrics/gateway_metrics.h"
#include "metrics/metrics.h"
#include "tests/metrics/exposition.h"

namespace sconverge::test {
namespace {

using testing::IsEmpty;

const std::filesystem::path kRoot = SCONVERGE_SOURCE_DIR;

bool accepting() { return std::getenv("SCONVERGE_ACCEPT") != nullptr; }

std::string text_of_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Every family has a series after this, or in the gateway's.
std::string full_exposition() {
  Metrics metrics({"1.2.3", "abcdef", "g++ 12"});
  metrics.add_cluster("lab");
  TickReport report;
  report.cluster = "lab";
  report.source_complete = true;
  report.requests = {{"GET /slurm/jobs", "200", 0.2}};
  metrics.record(report);
  metrics.set_slurm_info("lab", "24.11.5", "v0.0.42");
  metrics.set_token_expiry("lab", TimePoint{std::chrono::hours{12}});
  return metrics.exposition();
}

std::string full_gateway_exposition() {
  GatewayMetrics metrics({"1.2.3", "abcdef", "g++ 12"});
  metrics.record_tokens(true, 2, TimePoint{std::chrono::hours{12}});
  metrics.begin_request();
  metrics.record_request({"GET", "/slurm/{version}/jobs", 200, 200, 0.2, ""});
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

TEST(CatalogueTest, NoLabelCanTellASingleJobUserPathOrMessage) {
  // "job", "instance" and the like belong to the scraped target and would come back renamed.
  const std::set<std::string> forbidden{"job_id", "user",     "path",      "message",
                                        "job",    "instance", "pod",       "spec",
                                        "name",   "error",    "namespace", "file"};
  for (const MetricInfo& info : metric_catalogue()) {
    std::istringstream names{std::string(info.labels)};
    for (std::string name; std::getline(names, name, ',');) {
      EXPECT_FALSE(forbidden.contains(name)) << info.name;
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
