#include "tests/differential/two_ways.h"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/differential/corpus.h"
#include "tests/differential/slurmctld_log.h"
#include "tests/e2e/sconverge_process.h"

namespace sconverge::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kDirectory = "/tmp/differential";  // as it is seen in the lab
constexpr const char* kReservation = "maintenance";      // named by a script of the corpus

/// The submitter's environment on both ways.
const std::vector<std::string>& environment() {
  static const std::vector<std::string> kVariables = {
      "FRUIT=apple",        "HOME=/home/alice", "LANG=C.UTF-8", "LOGNAME=alice",
      "PATH=/usr/bin:/bin", "SHELL=/bin/bash",  "USER=alice"};
  return kVariables;
}

std::string text_of(const std::string& file, std::uintmax_t from = 0) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(from));
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// "Submitted batch job 12 on cluster lab", or "12" with --parsable.
std::uint32_t job_in(const std::string& said) {
  static constexpr std::string_view kBefore = "Submitted batch job ";
  const auto at = said.find(kBefore);
  const char* begin = said.data() + (at == std::string::npos ? 0 : at + kBefore.size());
  std::uint32_t job = 0;
  std::from_chars(begin, said.data() + said.size(), job);
  return job;
}

/// The name of the script that a path names.
std::string script_of(const std::string& path) { return fs::path(path).stem().string(); }

}  // namespace

TwoWays::TwoWays() : log_(lab_.logs() + "/slurmctld.log") {
  lab_.exec("root", {"rm", "-rf", kDirectory});
  for (const char* folder : {"good", "refused", "broken"}) {
    const std::string directory = lab_.root() + kDirectory + "/" + folder;
    fs::create_directories(directory);
    for (const auto& script : corpus(folder)) {
      std::ofstream(directory + "/" + script.name + ".sbatch", std::ios::binary) << script.text;
    }
  }
  lab_.exec("root", {"chown", "-R", lab_.user() + ":", kDirectory});
  lab_.exec("root", {"scontrol", "update", "nodename=ALL", "state=drain", "reason=differential"});
  // One may be there from a run that was killed.
  lab_.try_exec(
      "root", {"scontrol", "create", "reservation", std::string("ReservationName=") + kReservation,
               "nodes=n4", "users=" + lab_.user(), "starttime=now+1days", "duration=1"});
  lab_.exec("root", {"scontrol", "show", "reservation", kReservation});
  lab_.exec("root", {"scontrol", "setdebug", "debug3"});
  log_begins_ = fs::file_size(log_);
}

TwoWays::~TwoWays() {
  cancel();
  lab_.try_exec("root", {"scontrol", "setdebug", "info"});
  lab_.try_exec("root", {"scontrol", "delete", std::string("ReservationName=") + kReservation});
  lab_.try_exec("root", {"scontrol", "update", "nodename=ALL", "state=resume"});
  lab_.try_exec("root", {"rm", "-rf", kDirectory});
}

void TwoWays::cancel() {
  std::vector<std::string> scancel{"scancel", "--quiet"};
  for (const auto job : jobs_) scancel.push_back(std::to_string(job));
  if (!jobs_.empty()) lab_.try_exec("root", scancel);
  jobs_.clear();
}

std::map<std::string, SbatchVerdict> TwoWays::sbatch(const std::string& folder) {
  // One shell for all of them, because going into the lab takes longer than submitting. The file
  // has the name of the spec there: that is the job's name if the script gives none, for sbatch
  // takes the file's, and sconverge the spec's, because moving a file must not change a job.
  static constexpr const char* kScript = R"(
cd "$1" && mkdir -p said named && shift && folder=$1 && shift || exit 1
for file in "$folder"/*.sbatch; do
  name=${file##*/} name=${name%.sbatch}
  ln -sf "../$file" "named/$name"
  env -i "$@" timeout 20 sbatch "named/$name" >"said/$name" 2>&1 </dev/null
  echo $? >"said/$name.code"
done)";
  std::vector<std::string> command{"/bin/bash", "-c", kScript, "sbatch", kDirectory, folder};
  command.insert(command.end(), environment().begin(), environment().end());
  lab_.exec(lab_.user(), command);
  std::map<std::string, SbatchVerdict> verdicts;
  for (const auto& script : corpus(folder)) {
    const std::string said = lab_.root() + kDirectory + "/said/" + script.name;
    SbatchVerdict verdict{std::atoi(text_of(said + ".code").c_str()), text_of(said)};
    if (verdict.code == 0) verdict.job = job_in(verdict.said);
    if (verdict.job != 0) jobs_.push_back(verdict.job);
    verdicts[script.name] = verdict;
  }
  return verdicts;
}

std::vector<std::string> TwoWays::connection() const {
  std::vector<std::string> words{
      "--slurmrestd",    lab_.url(),      "--user",  lab_.user(),           "--token-file",
      lab_.token_file(), "--api-version", "v0.0.42", "--working-directory", kDirectory};
  for (const auto& variable : environment()) {
    words.emplace_back("--environment");
    words.push_back(variable);
  }
  return words;
}

std::map<std::string, std::uint32_t> TwoWays::apply(const std::string& folder) {
  const std::string state = directory_ / ("state-" + folder);
  std::vector<std::string> words{"apply", "--once", "--specs",
                                 lab_.root() + kDirectory + "/" + folder, "--state", state,
                                 "--controller-id", "differential-" + std::to_string(::getpid()),
                                 // The log cannot tell requests apart that come at the same time.
                                 "--concurrency", "1"};
  for (const auto& word : connection()) words.push_back(word);
  const Ended applied = sconverge(words);
  const Ended got = sconverge({"get", "-o", "json", "--state", state});
  told_ = applied.out + applied.err + got.err;
  std::map<std::string, std::uint32_t> ids;
  const Json document = Json::parse(got.out, nullptr, false);
  if (!document.is_object() || !document.contains("items")) return ids;
  for (const auto& item : document.at("items")) {
    if (!item.contains("job")) {
      told_ += item.value("name", "") + ": " + item.value("reason", "") + ": " +
               item.value("message", "") + "\n";
      continue;
    }
    const auto job = item.at("job").get<std::uint32_t>();
    ids[item.value("name", "")] = job;
    jobs_.push_back(job);
  }
  return ids;
}

std::map<std::string, std::vector<ValidateProblem>> TwoWays::validate(const std::string& folder) {
  std::vector<std::string> words{
      "validate", lab_.root() + kDirectory + "/" + folder, "-o", "json", "--cluster", "default"};
  for (const auto& word : connection()) words.push_back(word);
  const Ended ended = sconverge(words);
  std::map<std::string, std::vector<ValidateProblem>> problems;
  const Json document = Json::parse(ended.out, nullptr, false);
  if (!document.is_object()) {
    std::fprintf(stderr, "validate ended with %d:\n%s\n", ended.code, ended.err.c_str());
    std::abort();
  }
  for (const auto& problem : document.at("problems")) {
    problems[script_of(problem.value("file", ""))].push_back(
        {problem.value("line", 0), problem.value("what", "")});
  }
  return problems;
}

std::map<std::uint32_t, JobRecord> TwoWays::take_records() {
  std::map<std::uint32_t, JobRecord> records;
  auto jobs = jobs_in(lab_.exec("root", {"scontrol", "--json", "show", "jobs"}));
  for (const auto id : jobs_) {
    JobRecord& record = records[id];
    record.id = id;
    record.job = std::move(jobs[id]);
    const std::string kept =
        lab_.spool() + "/hash." + std::to_string(id % 10) + "/job." + std::to_string(id);
    record.environment = environment_in(text_of(kept + "/environment"));
    record.script = text_of(kept + "/script");
  }
  for (auto& request : requests_in(text_of(log_, log_begins_))) {
    const auto at = records.find(request.job);
    if (at != records.end()) at->second.request = std::move(request.fields);
  }
  cancel();
  return records;
}

}  // namespace sconverge::test
