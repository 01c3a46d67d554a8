#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "controller/app/config.h"
#include "tests/app/console_world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;

/// The configuration that packages put into /etc/sconverge.
struct PackagedConfigurationTest : testing::Test, ConsoleWorld {
  std::string text = [] {
    std::ifstream file(SCONVERGE_SOURCE_DIR "/cmake/package/sconverge.yaml");
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
  }();

  /// "#key: value" and "#  deeper:" are settings that are switched off; "# text" is prose.
  [[nodiscard]] std::string switched_on() const {
    std::istringstream lines(text);
    std::string settings;
    for (std::string line; std::getline(lines, line);) {
      const bool prose = line == "#" || (line.starts_with("# ") && !line.starts_with("#  "));
      settings += (prose || !line.starts_with("#") ? line : line.substr(1)) + "\n";
    }
    const auto token = settings.find("/etc/sconverge/slurm-token");
    return settings.replace(token, std::string("/etc/sconverge/slurm-token").size(), "token");
  }

  ConfigReading read(const std::string& content, const ConfigNeeds& needs) {
    write("sconverge.yaml", content);
    write("token", "none");
    return read_config({{{"config", {directory / "sconverge.yaml"}}}, console.variables, false},
                       needs);
  }
};

TEST_F(PackagedConfigurationTest, LacksNothingButACluster) {
  const auto reading = read(text, {});
  for (const auto& problem : reading.problems) ADD_FAILURE() << to_text(problem);
  EXPECT_EQ(reading.config.state, "/var/lib/sconverge");
  EXPECT_EQ(read(text, {.specs = true, .clusters = true}).problems.size(), 1U);
}

TEST_F(PackagedConfigurationTest, HoldsWithEverySettingSwitchedOn) {
  const auto reading = read(switched_on(), {.specs = true, .clusters = true});
  for (const auto& problem : reading.problems) ADD_FAILURE() << to_text(problem);
  EXPECT_EQ(reading.config.controller_id, "prod");
  std::vector<std::string> names;
  for (const auto& cluster : reading.config.clusters) names.push_back(cluster.name);
  EXPECT_THAT(names, ElementsAre("gcp", "lab"));
}

}  // namespace
}  // namespace sconverge::test
