#include "tests/e2e/lab.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "controller/core/mark.h"

namespace sconverge::test {
namespace {

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

std::string instance() { return variable("SCONVERGE_LAB_INSTANCE", "e2e"); }

Ended run_lab(const std::vector<std::string>& arguments) {
  Program program{{"/bin/bash", SCONVERGE_SOURCE_DIR "/tests/lab/lab"}};
  for (const char* word : {"--instance"}) program.arguments.emplace_back(word);
  program.arguments.push_back(instance());
  program.arguments.insert(program.arguments.end(), arguments.begin(), arguments.end());
  return run(program);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The first `count` columns of a line parted by `|`; the last takes the rest.
std::vector<std::string> columns_of(const std::string& line, std::size_t count) {
  std::vector<std::string> columns;
  std::size_t at = 0;
  while (columns.size() + 1 < count) {
    const auto end = line.find('|', at);
    if (end == std::string::npos) break;
    columns.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  columns.push_back(line.substr(at));
  columns.resize(count);
  return columns;
}

/// Whether the job is the controller's, and its mark's spec.
bool take_mark(std::string_view controller, SlurmView& job) {
  const auto mark = mark_in(job.comment);
  if (!mark || mark->controller != controller) return false;
  job.spec = to_text(mark->spec);
  return true;
}

std::uint32_t number(const std::string& text) {
  return static_cast<std::uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
}

/// "CANCELLED by 61001" is CANCELLED.
std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

}  // namespace

Lab& Lab::at_hand() {
  static Lab lab;
  return lab;
}

Lab::Lab() {
  up();
  root_ = variable("SCONVERGE_LAB_CACHE", "/var/cache/sconverge-lab") + "/" +
          variable("SCONVERGE_LAB_RELEASE", "stable") + "/instances/" + instance() + "/root";
}

std::string Lab::lab(const std::vector<std::string>& arguments) {
  Ended ended = run_lab(arguments);
  if (ended.code != 0) {
    std::fprintf(stderr, "lab %s ended with %d:\n%s%s\n", joined(arguments).c_str(), ended.code,
                 ended.out.c_str(), ended.err.c_str());
    std::abort();
  }
  while (!ended.out.empty() && ended.out.back() == '\n') ended.out.pop_back();
  return ended.out;
}

void Lab::up() {
  lab({"up"});
  for (const auto& line : lines_of(lab({"env"}))) {
    const auto equals = line.find('=');
    variables_[line.substr(std::string("export ").size(), equals - std::string("export ").size())] =
        line.substr(equals + 1);
  }
}

void Lab::reconfigure(const std::vector<std::string>& settings) {
  std::vector<std::string> arguments{"reconfigure"};
  arguments.insert(arguments.end(), settings.begin(), settings.end());
  lab(arguments);
}

void Lab::token(int lifespan, const std::string& file) {
  lab({"token", "--lifespan", std::to_string(lifespan), "--output", file});
}

std::string Lab::exec(const std::string& user, const std::vector<std::string>& command) {
  std::vector<std::string> arguments{"exec", "--user", user};
  arguments.insert(arguments.end(), command.begin(), command.end());
  return lab(arguments);
}

Ended Lab::try_exec(const std::string& user, const std::vector<std::string>& command) {
  std::vector<std::string> arguments{"exec", "--user", user};
  arguments.insert(arguments.end(), command.begin(), command.end());
  return run_lab(arguments);
}

std::vector<SlurmView> Lab::queue(std::string_view controller) {
  std::vector<SlurmView> jobs;
  const auto text =
      exec("root", {"squeue", "--noheader", "--all", "--states=all", "--format=%i|%T|%l|%k"});
  for (const auto& line : lines_of(text)) {
    const auto columns = columns_of(line, 4);
    SlurmView job;
    job.id = number(columns[0]);
    job.state = columns[1];
    job.time_limit = columns[2];
    job.comment = columns[3];
    if (take_mark(controller, job)) jobs.push_back(job);
  }
  return jobs;
}

std::vector<SlurmView> Lab::accounting(std::string_view controller) {
  std::vector<SlurmView> jobs;
  const auto text = exec(
      "root", {"sacct", "--noheader", "--allusers", "--allocations", "--duplicates", "--parsable2",
               "--starttime=now-1days", "--format=JobIDRaw,State,ExitCode,End,Comment"});
  for (const auto& line : lines_of(text)) {
    const auto columns = columns_of(line, 5);
    SlurmView job;
    job.id = number(columns[0]);
    job.state = first_word(columns[1]);
    job.exit_code = columns[2];
    job.end = columns[3];
    job.comment = columns[4];
    if (take_mark(controller, job)) jobs.push_back(job);
  }
  return jobs;
}

}  // namespace sconverge::test
