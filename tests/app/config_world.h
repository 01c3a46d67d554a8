#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "controller/app/config.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {

/// A configuration that a file, variables and flags may add to.
struct ConfigTest : testing::Test {
  TempDirectory directory{};
  ConfigInputs inputs{{}, {{"HOME", "/home/alice"}}, false};
  ConfigNeeds needs{};

  void file(const std::string& text) {
    std::ofstream(directory / "config.yaml") << text;
    inputs.flags["config"] = {directory / "config.yaml"};
  }
  void flag(const std::string& name, const std::string& value) {
    inputs.flags[name].push_back(value);
  }
  void variable(const std::string& name, const std::string& value) {
    inputs.variables[name] = value;
  }
  void short_way() {
    flag("specs", "/srv/jobs");
    flag("slurmrestd", "http://127.0.0.1:6820");
    flag("user", "alice");
    flag("token-file", "/run/token");
  }
  ConfigReading read() const { return read_config(inputs, needs); }
  std::vector<std::string> problems() const {
    std::vector<std::string> texts;
    for (const auto& problem : read().problems) texts.push_back(to_text(problem));
    return texts;
  }
  Config good() const {
    const ConfigReading reading = read();
    EXPECT_THAT(reading.problems, testing::IsEmpty());
    return reading.config;
  }
};

}  // namespace sconverge::test
