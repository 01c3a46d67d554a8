#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "controller/app/cli.h"
#include "controller/store/sqlite_store.h"
#include "tests/support/builders.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {

/// A person at a command line, with a directory of their own. Their environment holds only HOME.
struct ConsoleWorld {
  FakeClock clock{};
  TempDirectory directory{};
  std::ostringstream out{};
  std::ostringstream err{};
  std::istringstream in;
  Console console{in, out, err, clock};

  ConsoleWorld() { console.variables["HOME"] = directory.path(); }

  [[nodiscard]] std::string state() const { return directory / "state"; }
  [[nodiscard]] std::string specs() const { return directory / "jobs"; }

  /// Types `sconverge ARGUMENTS`; what was printed before is forgotten.
  int type(const std::vector<std::string>& arguments) {
    out.str("");
    err.str("");
    return run_cli(arguments, console);
  }
  /// The same for verbs that read the state.
  int ask(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--state", state()});
    return type(arguments);
  }

  void write(const std::string& file, const std::string& text) const {
    const std::string path = directory / file;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << text;
  }

  /// What a controller leaves behind: published statuses and memory. It no longer runs.
  void leave_state(const Published& published, const History& history = {}) const {
    const auto lock = lock_state(state());
    if (!lock) std::abort();
    auto store = open_controller_store(*lock, published.cluster);
    std::vector<SpecName> names;
    for (const auto& [name, entry] : history) names.push_back(name);
    if (!store || !(*store)->save(history, names) || !(*store)->publish(published)) std::abort();
  }
  [[nodiscard]] std::vector<Request> requests(const std::string& cluster = "lab") const {
    return *(*open_verb_store(state(), cluster))->requests();
  }
};

inline SpecStatus a_row(const std::string& name, Phase phase = Phase::Running,
                        Reason reason = Reason::JobRunning) {
  SpecStatus status{a_name(name), {phase, reason, "because"}};
  status.job = JobId{7};
  status.run = 1;
  status.attempt = 1;
  status.accepted_at = kNoon - seconds{60};
  return status;
}

/// A controller that ticked a moment ago and knows these specs.
inline Published published_with(std::vector<SpecStatus> statuses) {
  Published published;
  published.cluster = "lab";
  published.controller_id = "prod";
  published.at = kNoon - seconds{1};
  published.statuses = std::move(statuses);
  return published;
}

}  // namespace sconverge::test
