// kill -9 at random and at the worst moments: nothing is submitted twice, and nothing is forgotten.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <set>
#include <thread>

#include "controller/core/mark.h"
#include "controller/store/sqlite_store.h"
#include "tests/e2e/end_to_end.h"

namespace sconverge::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::SizeIs;

constexpr int kKills = 50;
constexpr int kSpecs = 20;

/// When a round's controller is killed.
enum class Moment {
  AnyTime,   ///< a random time after its start
  Intended,  ///< as soon as it has written an intent to its store: nothing is sent yet
  Accepted,  ///< as soon as slurmctld has taken a job: its id is not in the store yet
};
constexpr std::array kMoments{Moment::AnyTime, Moment::Intended, Moment::Accepted};

std::uint32_t seed_of_this_run() {
  const char* given = std::getenv("SCONVERGE_E2E_SEED");
  return given == nullptr ? std::random_device{}()
                          : static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
}

class Kill : public EndToEnd {
 protected:
  Kill() {
    // An intent whose fate is unknown is sent again no sooner than this.
    flags_["request-timeout"] = "5s";
    flags_["interval"] = "200ms";
  }

  /// Names that no other run uses: where accounting has a live job of the same name, it cannot say
  /// that a submit never arrived.
  void write_spec(int number) const {
    write({"kill-" + std::to_string(::getpid()) + "-" + std::to_string(number), "sleep 0.5"});
  }

  /// Jobs that slurmctld has taken: it makes a directory for the script of each before it answers.
  [[nodiscard]] std::set<std::string> accepted_jobs() const {
    std::set<std::string> jobs;
    std::error_code gone;
    for (int digit = 0; digit < 10; ++digit) {
      const std::string folder = lab_.spool() + "/hash." + std::to_string(digit);
      for (const auto& entry : std::filesystem::directory_iterator(folder, gone)) {
        jobs.insert(entry.path().filename().string());
      }
    }
    return jobs;
  }

  /// Grows when an attempt is written down that is going to be sent. SQLite's log of changes holds
  /// the entries of the store as text.
  [[nodiscard]] int intents_written() const {
    static const std::string kIntent = R"("inDoubt":true)";
    std::ifstream file(state_ + "/state.db-wal", std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    int count = 0;
    for (auto at = text.find(kIntent); at != std::string::npos; at = text.find(kIntent, at + 1)) {
      ++count;
    }
    return count;
  }

  /// Watches almost without a pause, for what it waits for may be over in a millisecond.
  static void watch_for(const std::function<bool()>& moment, milliseconds at_most) {
    const auto deadline = steady_clock::now() + at_most;
    while (!moment() && steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  /// Starts a controller and kills it at such a moment, or some time later if that does not come.
  void start_and_kill(Moment moment) {
    const milliseconds some_time{std::uniform_int_distribution(50, 900)(dice_)};
    const auto jobs_before = accepted_jobs();
    const int intents_before = intents_written();
    start();
    switch (moment) {
      case Moment::AnyTime:
        std::this_thread::sleep_for(some_time);
        break;
      case Moment::Intended:
        watch_for([&] { return intents_written() > intents_before; },
                  some_time + milliseconds{600});
        break;
      case Moment::Accepted:
        watch_for(
            [&] {
              const auto now = accepted_jobs();
              return !std::includes(jobs_before.begin(), jobs_before.end(), now.begin(), now.end());
            },
            some_time + milliseconds{600});
        break;
    }
    controller_->kill();
    look_at_what_is_left();
  }

  /// Which intents the memory of the dead controller has without a job: those Slurm has taken, and
  /// those that may never have left. Of a copy, because opening it would mend it.
  void look_at_what_is_left() {
    const std::string copy = directory_ / "copy";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(state_, copy);
    const auto store = open_verb_store(copy, "default");
    if (!store) return;  // killed before there was any memory
    const auto history = (*store)->load();
    ASSERT_TRUE(history) << history.error().message;
    std::set<std::string> taken;
    for (const auto& job : queue()) taken.insert(mark_in(job.comment)->token);
    for (const auto& [name, entry] : *history) {
      for (const auto& attempt : entry.attempts) {
        if (attempt.job) continue;
        (taken.contains(attempt.token) ? taken_unsaved_ : never_sent_).insert(attempt.token);
      }
    }
  }

  std::set<std::string> taken_unsaved_{};  ///< tokens that a kill left so
  std::set<std::string> never_sent_{};
  std::uint32_t seed_{seed_of_this_run()};
  std::mt19937 dice_{seed_};
};

TEST_F(Kill, FiftyTimesWhileTwentySpecsConvergeSubmitsEachOnce) {
  std::cout << "seed " << seed_ << " (SCONVERGE_E2E_SEED)\n";
  SCOPED_TRACE("SCONVERGE_E2E_SEED=" + std::to_string(seed_));
  int written = 0;
  for (int kill = 0; kill < kKills; ++kill) {
    // New specs arrive in waves, so that there is a batch under way for most of the kills.
    const bool wave = kill % 2 == 0 || kSpecs - written > kKills - kill;
    const int size = wave ? std::uniform_int_distribution(0, 3)(dice_) : 0;
    for (int i = 0; i < size && written < kSpecs; ++i, ++written) {
      write_spec(written);
    }
    flags_["concurrency"] = kill % 4 == 0 ? "1" : "4";
    start_and_kill(kMoments[static_cast<std::size_t>(kill) % kMoments.size()]);
  }
  for (; written < kSpecs; ++written) write_spec(written);
  std::cout << "killed " << kKills << " times; of " << kSpecs << " jobs " << taken_unsaved_.size()
            << " were in Slurm before their id was saved, and " << never_sent_.size()
            << " written down before they were sent\n";
  EXPECT_FALSE(taken_unsaved_.empty());
  EXPECT_FALSE(never_sent_.empty());

  start();
  ASSERT_TRUE(comes_true([&] {
    const auto all = rows();
    return all.size() == kSpecs && std::all_of(all.begin(), all.end(), [](const auto& item) {
             return item.second.phase == "Succeeded";
           });
  }));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(controller_->metric(R"(sconverge_duplicates_total{cluster="default"})"), 0);

  ASSERT_TRUE(comes_true([&] { return accounting().size() >= kSpecs; }));
  EXPECT_THAT(queue(), SizeIs(kSpecs));
  const auto jobs = accounting();
  EXPECT_THAT(jobs, SizeIs(kSpecs));
  std::set<std::string> specs;
  std::set<std::uint32_t> ids;
  for (const auto& job : jobs) {
    EXPECT_EQ(job.state, "COMPLETED") << job.id << " " << job.comment;
    EXPECT_EQ(job.exit_code, "0:0") << job.id << " " << job.comment;
    specs.insert(job.spec);
    ids.insert(job.id);
  }
  EXPECT_THAT(specs, SizeIs(kSpecs));
  EXPECT_THAT(ids, SizeIs(kSpecs));
}

}  // namespace
}  // namespace sconverge::test
