#include "tests/e2e/end_to_end.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace sconverge::test {
namespace {

using Json = nlohmann::json;
using std::chrono::steady_clock;

/// A controller id from the running test's name; the process id keeps it apart from other runs.
std::string id_of_this_test() {
  std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.substr(0, 48) + "-" + std::to_string(::getpid());
}

std::string indented(const std::string& text, const std::string& by) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += by + line + "\n";
  return out;
}

Json document_of(const Ended& ended) {
  return ended.code == 0 ? Json::parse(ended.out, nullptr, false) : Json();
}

SpecRow row_of(const Json& item) {
  SpecRow row;
  row.phase = item.value("phase", "");
  row.reason = item.value("reason", "");
  row.message = item.value("message", "");
  if (item.contains("job")) row.job = item.at("job").get<std::uint32_t>();
  row.run = item.value("run", 0);
  if (item.contains("exitCode")) row.exit_code = item.at("exitCode").get<int>();
  return row;
}

std::string last_of(const std::string& text, std::size_t bytes) {
  return text.size() <= bytes ? text : "..." + text.substr(text.size() - bytes);
}

}  // namespace

bool over_gateway() {
  const char* way = std::getenv("SCONVERGE_E2E_WAY");
  return way != nullptr && std::string(way) == "gateway";
}

bool wait_until(const std::function<bool()>& condition) {
  const auto deadline = steady_clock::now() + kPatience;
  while (!condition()) {
    if (steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return true;
}

std::string SpecText::yaml() const {
  return "apiVersion: sconverge/v1\nkind: Job\nmetadata:\n  name: " + name +
         "\nspec:\n  job:\n    partition: main\n    current_working_directory: /tmp\n"
         "    standard_output: /dev/null\n    environment: {PATH: /bin:/usr/bin}\n" +
         indented(job, "    ") + indented(policy, "  ") + "  script: |\n    #!/bin/bash\n" +
         indented(script, "    ");
}

EndToEnd::EndToEnd() : id_(id_of_this_test()) {
  std::filesystem::create_directory(specs_);
  const std::string gates = lab_.root() + "/tmp/" + id_;
  std::filesystem::create_directory(gates);
  ::chmod(gates.c_str(), 0755);
  flags_ = {{"specs", specs_},         {"state", state_},     {"controller-id", id_},
            {"listen", "127.0.0.1:0"}, {"interval", "500ms"}, {"prune-grace", "1s"},
            {"log-format", "json"}};
  if (over_gateway()) {
    gateway_ = std::make_unique<GatewayProcess>(lab_, directory_ / "gateway");
    flags_.merge(gateway_->controller_flags());
  } else {
    flags_["slurmrestd"] = lab_.url();
    flags_["user"] = lab_.user();
    flags_["token-file"] = lab_.token_file();
  }
}

std::string EndToEnd::address() const { return gateway_ ? gateway_->url() : lab_.url(); }

EndToEnd::~EndToEnd() {
  controller_.reset();
  std::vector<std::string> scancel{"scancel"};
  for (const auto& job : queue()) {
    if (job.state == "PENDING" || job.state == "RUNNING") {
      scancel.push_back(std::to_string(job.id));
    }
  }
  if (scancel.size() > 1) lab_.exec("root", scancel);
  std::filesystem::remove_all(lab_.root() + "/tmp/" + id_);
}

void EndToEnd::write(const std::string& file, const std::string& text) const {
  const std::string made = directory_ / "being-written";
  std::ofstream(made) << text;
  std::filesystem::copy_file(made, specs_ + "/." + file);
  std::filesystem::rename(specs_ + "/." + file, specs_ + "/" + file);
}

void EndToEnd::remove(const std::string& file) const {
  std::filesystem::remove(specs_ + "/" + file);
}

std::string EndToEnd::gate(const std::string& name, int code) const {
  return "while [ ! -e /tmp/" + id_ + "/" + name + " ]; do sleep 0.2; done\nexit " +
         std::to_string(code);
}

void EndToEnd::open(const std::string& name) const {
  std::ofstream(lab_.root() + "/tmp/" + id_ + "/" + name) << "open\n";
}

std::vector<std::string> EndToEnd::settings() const {
  std::vector<std::string> words;
  for (const auto& [flag, value] : flags_) {
    words.push_back("--" + flag);
    words.push_back(value);
  }
  return words;
}

SconvergeProcess& EndToEnd::start() {
  controller_.reset();
  std::vector<std::string> words = settings();
  words.insert(words.begin(), "run");
  controller_ = std::make_unique<SconvergeProcess>(words, directory_ / "log", user_);
  return *controller_;
}

Ended EndToEnd::verb(const std::vector<std::string>& words) const {
  std::vector<std::string> all = words;
  for (const auto& word : settings()) all.push_back(word);
  return sconverge(all, user_);
}

Ended EndToEnd::look(const std::vector<std::string>& words) const {
  std::vector<std::string> all = words;
  all.emplace_back("--state");
  all.push_back(flags_.at("state"));
  return sconverge(all, user_);
}

std::map<std::string, SpecRow> EndToEnd::rows() const {
  std::map<std::string, SpecRow> rows;
  const Json document = document_of(look({"get", "-o", "json"}));
  if (!document.is_object()) return rows;
  // One spec alone is printed as such, several as a list.
  for (const auto& item : document.at("items")) rows[item.value("name", "")] = row_of(item);
  return rows;
}

SpecRow EndToEnd::row(const std::string& name) const {
  const auto all = rows();
  const auto found = all.find(name);
  return found == all.end() ? SpecRow{} : found->second;
}

ClusterRow EndToEnd::cluster() const {
  ClusterRow row;
  const Json document = document_of(look({"get", "-o", "json"}));
  if (!document.is_object() || document.at("clusters").empty()) return row;
  const Json& item = document.at("clusters").front();
  row.source_complete = item.value("sourceComplete", false);
  row.source_reason = item.value("sourceReason", "");
  row.error = item.value("error", "");
  for (const auto& hit : item.at("guards")) {
    row.guards[hit.value("guard", "")] = hit.at("specs").get<std::vector<std::string>>();
  }
  return row;
}

testing::AssertionResult EndToEnd::comes_true(const std::function<bool()>& condition) {
  if (wait_until(condition)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "not in time.\n" << told();
}

testing::AssertionResult EndToEnd::becomes(const std::string& name, const std::string& phase,
                                           const std::string& reason) {
  const bool become = wait_until([&] {
    const SpecRow now = row(name);
    return now.phase == phase && (reason.empty() || now.reason == reason);
  });
  if (become) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << name << " did not become " << phase << " " << reason << " in time.\n"
         << told();
}

testing::AssertionResult EndToEnd::looks_again(int count) {
  static constexpr const char* kTicks =
      R"(sconverge_reconciles_total{cluster="default",result="success"})";
  const double before = controller_->metric(kTicks).value_or(0);
  const auto began = steady_clock::now();
  const auto least = 2 * std::chrono::seconds(std::stoi(flags_.at("prune-grace")));
  return comes_true([&] {
    return controller_->metric(kTicks).value_or(0) >= before + count &&
           steady_clock::now() >= began + least;
  });
}

std::vector<SlurmView> EndToEnd::queue_of(const std::string& name) const {
  std::vector<SlurmView> jobs = queue();
  std::erase_if(jobs, [&](const SlurmView& job) { return job.spec != "default/" + name; });
  std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return jobs;
}

std::string EndToEnd::states_of(const std::string& name) const {
  std::string text;
  for (const auto& job : queue_of(name)) text += (text.empty() ? "" : " ") + job.state;
  return text;
}

std::string EndToEnd::scontrol(std::uint32_t job) const {
  return lab_.exec("root", {"scontrol", "--oneliner", "show", "job", std::to_string(job)});
}

std::string EndToEnd::told() const {
  std::string text = "get:\n" + look({"get", "-o", "wide"}).out + "slurm:\n";
  for (const auto& job : queue()) {
    text += std::to_string(job.id) + " " + job.state + " " + job.comment + "\n";
  }
  return text + "log:\n" + (controller_ ? last_of(controller_->log(), 4000) : "") +
         (gateway_ ? "gateway:\n" + last_of(gateway_->log(), 4000) : "");
}

}  // namespace sconverge::test
