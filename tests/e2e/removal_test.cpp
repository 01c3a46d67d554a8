// Specs that are removed, or only seem to be.
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "tests/e2e/end_to_end.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr uid_t kNobody = 65534;

/// Seconds since 1970 of sacct's "2026-01-31T08:00:00", in this machine's zone, which is the lab's.
std::time_t time_of(const std::string& text) {
  std::tm time{};
  ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
  return ::timegm(&time);
}

class Removal : public EndToEnd {
 protected:
  void write_running(const std::vector<std::string>& names) {
    for (const auto& name : names) write({name, gate(name)});
  }

  [[nodiscard]] bool all_are(const std::vector<std::string>& names, const std::string& phase) {
    const auto now = rows();
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      const auto found = now.find(name);
      return found != now.end() && found->second.phase == phase;
    });
  }

  [[nodiscard]] int running() const {
    const auto jobs = queue();
    return static_cast<int>(std::count_if(
        jobs.begin(), jobs.end(), [](const SlurmView& job) { return job.state == "RUNNING"; }));
  }

  /// The directory cannot be read: said by metrics and `get`, and no reason to cancel anything.
  void expect_frozen(const std::vector<std::string>& names, const std::string& why) {
    ASSERT_TRUE(comes_true([&] { return controller_->metric("sconverge_source_complete") == 0; }));
    ASSERT_TRUE(looks_again());
    EXPECT_EQ(running(), static_cast<int>(names.size()));
    EXPECT_THAT(queue(), SizeIs(names.size()));
    const ClusterRow seen = cluster();
    EXPECT_FALSE(seen.source_complete);
    EXPECT_THAT(seen.source_reason, HasSubstr(why));
    EXPECT_TRUE(all_are(names, "Running"));
    EXPECT_EQ(controller_->get("/readyz").status, 200);  // a restart would not mend the directory
  }

  /// The directory is back: the same jobs go on.
  void expect_going_on(const std::vector<std::string>& names) {
    ASSERT_TRUE(comes_true([&] { return controller_->metric("sconverge_source_complete") == 1; }));
    ASSERT_TRUE(looks_again());
    EXPECT_EQ(running(), static_cast<int>(names.size()));
    for (const auto& name : names) open(name);
    ASSERT_TRUE(comes_true([&] { return all_are(names, "Succeeded"); }));
    EXPECT_THAT(queue(), SizeIs(names.size()));
  }
};

TEST_F(Removal, CancelsTheJobAfterTheGraceAndNotBefore) {
  flags_["prune-grace"] = "5s";
  write_running({"stays", "goes"});
  start();
  ASSERT_TRUE(comes_true([&] { return all_are({"stays", "goes"}, "Running"); }));

  const std::time_t removed = std::time(nullptr);
  remove("goes.yaml");
  ASSERT_TRUE(becomes("goes", "Running", "RemovalGrace"));
  ASSERT_TRUE(comes_true([&] { return states_of("goes") == "CANCELLED"; }));
  ASSERT_TRUE(comes_true([&] { return accounting().size() == 1; }));
  EXPECT_GE(time_of(accounting().at(0).end), removed + 5);
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("stays"), "RUNNING");
  EXPECT_EQ(row("stays").phase, "Running");
}

TEST_F(Removal, KeepsTheJobOfAFileThatCameBackWithinTheGrace) {
  flags_["prune-grace"] = "1h";
  write_running({"back"});
  start();
  ASSERT_TRUE(becomes("back", "Running"));

  remove("back.yaml");
  ASSERT_TRUE(becomes("back", "Running", "RemovalGrace"));
  write_running({"back"});
  ASSERT_TRUE(becomes("back", "Running", "JobRunning"));
  EXPECT_EQ(states_of("back"), "RUNNING");
}

TEST_F(Removal, OfTenOfTwelveSpecsWaitsForApproval) {
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("spec-" + std::to_string(i));
  write_running(names);
  start();
  ASSERT_TRUE(comes_true([&] { return all_are(names, "Running"); }));

  const std::vector<std::string> gone(names.begin(), names.begin() + 10);
  for (const auto& name : gone) remove(name + ".yaml");
  ASSERT_TRUE(comes_true([&] { return all_are(gone, "Blocked"); }));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(running(), 12);
  EXPECT_EQ(row("spec-0").reason, "PruneBudget");
  EXPECT_THAT(row("spec-0").message, HasSubstr("sconverge approve"));
  EXPECT_THAT(cluster().guards["PruneBudget"], SizeIs(10));
  EXPECT_EQ(
      controller_->metric(R"(sconverge_prune_blocked{cluster="default",guard="PruneBudget"})"), 10);

  EXPECT_EQ(look({"approve"}).code, 0);
  ASSERT_TRUE(comes_true([&] { return running() == 2; }));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("spec-0"), "CANCELLED");
  EXPECT_EQ(states_of("spec-10"), "RUNNING");
  EXPECT_EQ(states_of("spec-11"), "RUNNING");
}

TEST_F(Removal, OfTheDirectoryItselfCancelsNothing) {
  write_running({"one", "two"});
  start();
  ASSERT_TRUE(comes_true([&] { return all_are({"one", "two"}, "Running"); }));

  std::filesystem::rename(specs_, specs_ + ".away");
  expect_frozen({"one", "two"}, specs_);

  std::filesystem::rename(specs_ + ".away", specs_);
  expect_going_on({"one", "two"});
}

TEST_F(Removal, OfTheMountBelowTheDirectoryCancelsNothing) {
  ASSERT_EQ(::mount("none", specs_.c_str(), "tmpfs", 0, nullptr), 0);
  write_running({"one", "two"});
  start();
  ASSERT_TRUE(comes_true([&] { return all_are({"one", "two"}, "Running"); }));

  ASSERT_EQ(::umount2(specs_.c_str(), MNT_DETACH), 0);
  expect_frozen({"one", "two"}, "mount");

  ASSERT_EQ(::mount("none", specs_.c_str(), "tmpfs", 0, nullptr), 0);
  write_running({"one", "two"});
  expect_going_on({"one", "two"});
  controller_.reset();
  EXPECT_EQ(::umount2(specs_.c_str(), MNT_DETACH), 0);
}

TEST_F(Removal, OfEverythingWhileNoControllerRanWaitsForApproval) {
  write_running({"one", "two"});
  start();
  ASSERT_TRUE(comes_true([&] { return all_are({"one", "two"}, "Running"); }));
  controller_->kill();

  std::filesystem::rename(specs_, specs_ + ".away");
  std::filesystem::create_directory(specs_);
  start();
  ASSERT_TRUE(comes_true([&] { return all_are({"one", "two"}, "Blocked"); }));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(running(), 2);
  EXPECT_THAT(cluster().guards["PruneBudget"], SizeIs(2));

  std::filesystem::remove(specs_);
  std::filesystem::rename(specs_ + ".away", specs_);
  expect_going_on({"one", "two"});
}

/// The controller is nobody here, because root may read everything.
class Unreadable : public Removal {
 protected:
  Unreadable() {
    user_ = kNobody;
    // Slurm's user is the token's, whoever the controller is to this machine.
    std::filesystem::copy_file(flags_[token_flag()], directory_ / "token");
    flags_[token_flag()] = directory_ / "token";
    std::filesystem::create_directory(state_);
    for (const auto& path : {directory_.path(), directory_ / "token", state_}) {
      if (::chown(path.c_str(), kNobody, kNobody) != 0) std::abort();
    }
  }
};

TEST_F(Unreadable, DirectoryCancelsNothing) {
  write_running({"one", "two"});
  start();
  ASSERT_TRUE(comes_true([&] { return all_are({"one", "two"}, "Running"); }));

  ASSERT_EQ(::chmod(specs_.c_str(), 0), 0);
  expect_frozen({"one", "two"}, "ermission denied");

  ASSERT_EQ(::chmod(specs_.c_str(), 0755), 0);
  expect_going_on({"one", "two"});
}

TEST_F(Unreadable, FileCancelsNothingEvenIfAnotherWasRemoved) {
  write_running({"one", "two"});
  start();
  ASSERT_TRUE(comes_true([&] { return all_are({"one", "two"}, "Running"); }));

  ASSERT_EQ(::chmod((specs_ + "/one.yaml").c_str(), 0), 0);
  remove("two.yaml");
  expect_frozen({"one", "two"}, "one.yaml");

  ASSERT_EQ(::chmod((specs_ + "/one.yaml").c_str(), 0644), 0);
  write_running({"two"});
  expect_going_on({"one", "two"});
}

TEST_F(Removal, OfASpecThatSaysOrphanLeavesItsJob) {
  write({"keep", gate("keep"), "", "onDelete: Orphan"});
  start();
  ASSERT_TRUE(becomes("keep", "Running"));
  const auto job = row("keep").job;

  remove("keep.yaml");
  ASSERT_TRUE(comes_true([&] { return rows().empty(); }));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("keep"), "RUNNING");
  EXPECT_EQ(queue_of("keep").at(0).id, job);
}

}  // namespace
}  // namespace sconverge::test
