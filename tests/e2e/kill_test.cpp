// kill -9 at random and at the worst moments: nothing is submitted twice, and nothing is forgotten.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <set>
#include <thread>

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
  Intended,  ///< as soon as it has written to its store: an intent, and nothing is sent yet
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

  /// Changes with every transaction of the store.
  [[nodiscard]] std::int64_t store_written() const {
    struct stat file {};
    if (::stat((state_ + "/state.db-wal").c_str(), &file) != 0) return 0;
    return file.st_mtim.tv_sec * 1'000'000'000 + file.st_mtim.tv_nsec;
  }

  /// Watches without a pause, for a moment of a millisecond must not be missed. Whether it came.
  static bool watch_for(const std::function<bool()>& moment, milliseconds at_most) {
    const auto deadline = steady_clock::now() + at_most;
    while (steady_clock::now() < deadline) {
      if (moment()) return true;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return false;
  }

  /// Starts a controller and kills it at such a moment, or at a random one if that does not come.
  bool start_and_kill(Moment moment) {
    const milliseconds at_most{std::uniform_int_distribution(50, 900)(dice_)};
    const auto jobs_before = accepted_jobs();
    start();
    bool came = false;
    switch (moment) {
      case Moment::AnyTime:
        std::this_thread::sleep_for(at_most);
        came = true;
        break;
      case Moment::Intended: {
        // Opening the store writes, too: what counts comes after.
        (void)controller_->listens();
        const auto before = store_written();
        came = watch_for([&] { return store_written() != before; }, at_most);
        break;
      }
      case Moment::Accepted:
        came = watch_for(
            [&] {
              for (const auto& job : accepted_jobs()) {
                if (!jobs_before.contains(job)) return true;
              }
              return false;
            },
            at_most + milliseconds{600});
        break;
    }
    controller_->kill();
    return came;
  }

  std::uint32_t seed_{seed_of_this_run()};
  std::mt19937 dice_{seed_};
};

TEST_F(Kill, FiftyTimesWhileTwentySpecsConvergeSubmitsEachOnce) {
  std::cout << "seed " << seed_ << " (SCONVERGE_E2E_SEED)\n";
  SCOPED_TRACE("SCONVERGE_E2E_SEED=" + std::to_string(seed_));
  std::map<Moment, int> came;
  int written = 0;
  for (int kill = 0; kill < kKills; ++kill) {
    // New specs arrive in waves, so that there is a batch under way for most of the kills.
    const bool wave = kill % 2 == 0 || kSpecs - written > kKills - kill;
    const int size = wave ? std::uniform_int_distribution(0, 3)(dice_) : 0;
    for (int i = 0; i < size && written < kSpecs; ++i, ++written) {
      write({"spec-" + std::to_string(written), "sleep 0.5"});
    }
    flags_["concurrency"] = kill % 4 == 0 ? "1" : "4";
    const Moment moment = kMoments[static_cast<std::size_t>(kill) % kMoments.size()];
    came[moment] += start_and_kill(moment) ? 1 : 0;
  }
  for (; written < kSpecs; ++written) write({"spec-" + std::to_string(written), "sleep 0.5"});
  std::cout << "killed " << kKills << " times, " << came[Moment::Intended]
            << " of them right after an intent was written, " << came[Moment::Accepted]
            << " right after a job was accepted\n";
  EXPECT_GT(came[Moment::Accepted], 0);
  EXPECT_GT(came[Moment::Intended], 0);

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
