// A controller on fakes through seeded storms: whatever happens, nothing forbidden is done, and
// afterwards everything is as declared and stays so. SCONVERGE_SEED=N replays one seed and tells
// its story, SCONVERGE_SEEDS=N runs N in each part; see README.md.

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/sim/simulation.h"

namespace sconverge::test {
namespace {

int seeds_each() {
  const char* seeds = std::getenv("SCONVERGE_SEEDS");
  return seeds == nullptr ? 500 : std::stoi(seeds);
}

bool holds(std::uint64_t seed, bool tell_all) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Simulation simulation(seed);
  const auto complaints = simulation.run();
  if (tell_all) {
    for (const std::string& line : simulation.story()) std::cout << line << "\n";
  }
  for (const std::string& complaint : complaints) ADD_FAILURE() << complaint;
  return complaints.empty();
}

struct Convergence : testing::TestWithParam<int> {};

TEST_P(Convergence, NothingForbiddenIsDoneAndAllComesToRestFromEverySeed) {
  if (const char* seed = std::getenv("SCONVERGE_SEED")) {
    if (GetParam() == 0) holds(std::stoull(seed), true);
    return;
  }
  const int seeds = seeds_each();
  int broken = 0;
  for (int i = 0; i < seeds; ++i) {
    const auto seed = static_cast<std::uint64_t>(GetParam() * seeds + i + 1);
    if (!holds(seed, false)) ++broken;
  }
  std::cout << seeds - broken << " of " << seeds << " seeds hold\n";
}

INSTANTIATE_TEST_SUITE_P(Seeds, Convergence, testing::Range(0, 4),
                         [](const auto& part) { return "Part" + std::to_string(part.param + 1); });

}  // namespace
}  // namespace sconverge::test
