#include "controller/files/spec_directory.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "controller/files/assemble.h"
#include "controller/files/change_hint.h"
#include "controller/files/checkout.h"
#include "controller/files/directory_look.h"
#include "controller/files/directory_seams.h"
#include "controller/files/watch_list.h"

namespace sconverge {
namespace {

constexpr int kRounds = 5;

enum class Outcome {
  Final,
  Unsettled,  ///< some file is still being written; the rest was taken
  Changed,    ///< the directory changed during the look: nothing was taken
};

/// One try at a snapshot.
struct Try {
  Outcome outcome{Outcome::Final};
  Desired desired{};
  milliseconds pause{0};  ///< before the next try
  bool soon{false};       ///< what is in the way goes away by itself: look again soon
};

Try unavailable(std::string reason, bool soon = false) {
  Try result;
  result.desired.incomplete_reason = std::move(reason);
  result.soon = soon;
  return result;
}

std::string first_of(const std::vector<std::string>& sentences) {
  std::string text = sentences.front();
  if (sentences.size() > 1) text += " (and " + std::to_string(sentences.size() - 1) + " more)";
  return text;
}

std::string sentence_of(const Problem& problem) { return problem.file + " " + problem.what; }

bool same_directories(const Look& a, const Look& b) {
  return std::equal(a.directories.begin(), a.directories.end(), b.directories.begin(),
                    b.directories.end(), [](const SeenDirectory& x, const SeenDirectory& y) {
                      return x.physical == y.physical && x.device == y.device && x.inode == y.inode;
                    });
}

/// The files of a snapshot, read or not.
struct Taken {
  std::vector<TakenEntry> entries{};
  std::set<std::string> unsettled{};  ///< paths
  std::vector<std::string> unread{};  ///< a sentence each
  milliseconds settles_in{0};
  bool changed{false};
  bool loaded{false};  ///< something was read anew
};

class SpecDirectory : public SpecSource {
 public:
  SpecDirectory(DirectoryOptions options, DirectorySeams seams)
      : options_(std::move(options)),
        seams_(std::move(seams)),
        cache_(*seams_.files, seams_.reader, options_.quiet),
        hint_({options_.inotify, options_.quiet, options_.say, seams_.start_inotify,
               seams_.add_watch}) {}

  Desired read() override;
  SourceScan last_scan() const override { return scan_; }
  bool wait(milliseconds timeout, const std::stop_token& stop) override {
    return hint_.wait(timeout, stop);
  }

 private:
  Try try_once();
  Taken take(const Root& root, const Look& look);
  void take_entry(const Root& root, const Entry& entry, Taken& taken);
  Try verify(const Root& root, const Checkout& checkout, const Look& look, Taken& taken);
  Try finish(const Checkout& checkout, const Look& look, const Taken& taken);
  bool same_files(const Root& root, const Look& second, Taken& taken);
  std::string emptied_by_mount(const Root& root, const Look& look) const;
  void remember(const Look& look, const Desired& desired);

  DirectoryOptions options_;
  DirectorySeams seams_;
  SpecCache cache_;
  ChangeHint hint_;
  std::optional<bool> told_of_change_;  ///< before the read under way; none: before the first one
  SourceScan scan_;

  /// The last complete snapshot, for as long as nothing changes.
  std::vector<Entry> last_entries_;
  int last_ignored_files_{0};
  std::optional<Desired> last_;

  /// The file systems that directories with entries were on, by physical path.
  std::unordered_map<std::string, std::uint64_t> devices_;
};

Desired SpecDirectory::read() {
  const auto began = std::chrono::steady_clock::now();
  const bool first = !told_of_change_;
  told_of_change_ = false;
  Try latest;
  for (int round = 0; round < kRounds; ++round) {
    if (round > 0) seams_.sleep(latest.pause);
    latest = try_once();
    if (latest.outcome == Outcome::Final) break;
  }
  scan_.trigger = first              ? ScanTrigger::Startup
                  : *told_of_change_ ? ScanTrigger::Event
                                     : ScanTrigger::Poll;
  scan_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  scan_.events = hint_.take_events();
  hint_.look_ended(latest.soon ? std::min(options_.poll, 4 * options_.quiet) : options_.poll);
  return std::move(latest.desired);
}

Try SpecDirectory::try_once() {
  if (hint_.look_begins()) told_of_change_ = true;
  const Root root = open_root(*seams_.files, options_.root);
  if (!root.error.empty()) {
    hint_.arm(watch_list_of(root, {}, {}));
    return unavailable(root.error);
  }
  const Checkout checkout = look_at_checkout(*seams_.files, root, seams_.now());
  const Look look = checkout.lock.empty() ? look_at_directory(*seams_.files, root) : Look();
  const bool watched_before = hint_.arm(watch_list_of(root, look, checkout));
  if (!checkout.error.empty()) return unavailable(checkout.error);
  if (!checkout.lock.empty()) return unavailable(checkout.lock, true);
  if (std::string reason = emptied_by_mount(root, look); !reason.empty()) {
    return unavailable(std::move(reason));
  }
  Taken taken = take(root, look);
  // Every file was found as in the last snapshot, so none had changed when this look began: what
  // held at that moment is that snapshot, and no second look is needed to prove it.
  const bool same = last_ && !taken.loaded && look.entries == last_entries_ &&
                    look.ignored_files == last_ignored_files_;
  if (same && watched_before && taken.unread.empty() && taken.unsettled.empty()) {
    Try result;
    result.desired = *last_;
    if (!checkout.revision.empty()) result.desired.revision = checkout.revision;
    return result;
  }
  return verify(root, checkout, look, taken);
}

Taken SpecDirectory::take(const Root& root, const Look& look) {
  Taken taken;
  taken.entries.reserve(look.entries.size());
  for (const Entry& entry : look.entries) take_entry(root, entry, taken);
  return taken;
}

void SpecDirectory::take_entry(const Root& root, const Entry& entry, Taken& taken) {
  TakenEntry& item = taken.entries.emplace_back(TakenEntry{&entry});
  if (entry.kind == EntryKind::Refused || entry.kind == EntryKind::Unreadable) {
    item.problem = entry.problem;
    if (entry.kind == EntryKind::Unreadable) taken.unread.push_back(sentence_of(entry.problem));
    return;
  }
  Problem problem;
  Freshness freshness = Freshness::Stale;
  item.file = cache_.find(entry);
  if (item.file != nullptr) freshness = cache_.freshness(root, entry, *item.file, problem);
  if (freshness == Freshness::Fresh) return;
  item.file = nullptr;
  LoadResult result;
  if (freshness == Freshness::Failed) {
    result = {Loading::Failed, {}, problem};
  } else {
    taken.loaded = true;
    result = cache_.load(root, entry, seams_.now());
  }
  switch (result.loading) {
    case Loading::Taken:
      item.file = cache_.find(entry);
      return;
    case Loading::Unsettled:
      taken.unsettled.insert(entry.path);
      taken.settles_in = std::max(taken.settles_in, result.settles_in);
      return;
    case Loading::Changed:
      taken.changed = true;
      return;
    case Loading::Failed:
      taken.unread.push_back(sentence_of(result.problem));
      item.problem = result.problem;
      return;
  }
}

bool SpecDirectory::same_files(const Root& root, const Look& second, Taken& taken) {
  bool same = second.entries.size() == taken.entries.size();
  for (std::size_t i = 0; same && i < taken.entries.size(); ++i) {
    const Entry& before = *taken.entries[i].entry;
    const Entry& now = second.entries[i];
    same = taken.unsettled.contains(before.path)
               ? now.path == before.path && now.physical == before.physical
               : now == before;
  }
  for (const TakenEntry& item : taken.entries) {
    if (item.file == nullptr) continue;
    Problem problem;
    const Freshness freshness = cache_.freshness(root, *item.entry, *item.file, problem);
    if (freshness == Freshness::Stale) same = false;
    if (freshness == Freshness::Failed) taken.unread.push_back(sentence_of(problem));
  }
  for (const Entry& entry : second.entries) {
    if (!same && entry.kind == EntryKind::Unreadable) {
      taken.unread.push_back(sentence_of(entry.problem));
    }
  }
  return same && !second.moved;
}

// A second look proves that what was read was all there at one moment: between the two.
Try SpecDirectory::verify(const Root& root, const Checkout& checkout, const Look& look,
                          Taken& taken) {
  if (!taken.changed) {
    const Root again = open_root(*seams_.files, options_.root);
    if (!again.error.empty()) return unavailable(again.error, true);
    const Checkout checkout_again = look_at_checkout(*seams_.files, again, seams_.now());
    if (!checkout_again.error.empty()) return unavailable(checkout_again.error);
    const Look second = look_at_directory(*seams_.files, again);
    taken.changed = !same_files(again, second, taken) || !same_directories(look, second) ||
                    checkout_again != checkout;
  }
  if (!taken.changed) return finish(checkout, look, taken);
  // An error is never made up for by trying again at once: what it hid is unknown.
  if (!taken.unread.empty()) return unavailable(first_of(taken.unread), true);
  Try result = unavailable(root.given + " kept changing while it was read", true);
  result.outcome = Outcome::Changed;
  result.pause = options_.quiet / 4;
  return result;
}

Try SpecDirectory::finish(const Checkout& checkout, const Look& look, const Taken& taken) {
  Try result;
  Desired& desired = result.desired;
  desired = assemble(taken.entries, look.ignored_files);
  if (!checkout.revision.empty()) desired.revision = checkout.revision;
  if (!taken.unread.empty()) {
    desired.incomplete_reason = first_of(taken.unread);
  } else if (!taken.unsettled.empty()) {
    result.outcome = Outcome::Unsettled;
    result.pause = taken.settles_in;
    result.soon = true;
    desired.incomplete_reason = *taken.unsettled.begin() + " is still being written";
  } else {
    desired.complete = true;
    remember(look, desired);
  }
  return result;
}

void SpecDirectory::remember(const Look& look, const Desired& desired) {
  last_entries_ = look.entries;
  last_ignored_files_ = look.ignored_files;
  last_ = desired;
  cache_.keep_only(look.entries);
  devices_.clear();
  for (const SeenDirectory& directory : look.directories) {
    if (directory.entries_below > 0) devices_[directory.physical] = directory.device;
  }
}

std::string SpecDirectory::emptied_by_mount(const Root& root, const Look& look) const {
  for (const SeenDirectory& directory : look.directories) {
    const auto before = devices_.find(directory.physical);
    if (directory.entries_below == 0 && before != devices_.end() &&
        before->second != directory.device) {
      return absolute_path(root, directory.physical) +
             " is empty and on another file system than before: a mount may have failed; mount it "
             "again, or restart the controller if it is meant to be empty";
    }
  }
  return {};
}

}  // namespace

std::unique_ptr<SpecSource> watch_directory(DirectoryOptions options) {
  return watch_directory(std::move(options), DirectorySeams());
}

std::unique_ptr<SpecSource> watch_directory(DirectoryOptions options, DirectorySeams seams) {
  std::error_code error;
  options.root = std::filesystem::absolute(options.root, error).string();
  if (!seams.now) {
    seams.now = [] { return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()); };
  }
  if (!seams.sleep) {
    seams.sleep = [](milliseconds pause) { std::this_thread::sleep_for(pause); };
  }
  return std::make_unique<SpecDirectory>(std::move(options), std::move(seams));
}

}  // namespace sconverge
