#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

#include "controller/core/report.h"
#include "controller/core/time.h"
#include "controller/files/file_system.h"

namespace sconverge {

/// What to watch in one directory.
struct WatchedDirectory {
  std::uint64_t device{0};  ///< zero: unknown
  std::uint64_t inode{0};
  bool telling_names{false};      ///< every telling name (file_names.h)
  std::set<std::string> names{};  ///< these besides
};

using WatchList = std::map<std::string, WatchedDirectory>;  ///< by absolute path

struct HintOptions {
  bool inotify{true};
  milliseconds quiet{250};
  std::function<void(const std::string&)> say{};
  /// inotify_init1(2), returning a negative errno on failure.
  std::function<int()> start_inotify{};
  /// inotify_add_watch(2), returning a negative errno on failure.
  std::function<int(int fd, const std::string& path, std::uint32_t mask)> add_watch{};
};

/// Tells when it is worth looking at the directory again. Only hints: whatever inotify loses
/// (limits, overflow, remote file systems) the poll finds. One thread.
class ChangeHint {
 public:
  explicit ChangeHint(HintOptions options);

  /// A look begins: what happened until now is seen by it. True if anything is known to have.
  bool look_begins();

  /// The events since the last call that may mean a change, and those lost.
  std::map<WatchEvent, int> take_events() { return std::exchange(events_, {}); }

  /// Watches exactly `list`. True if no watch is new, so that no event of it can have been missed
  /// since the last time. Says (once, HintOptions::say) when something can only be polled.
  bool arm(const WatchList& list);

  /// A look has ended; the next one is due after `pause` at the latest.
  void look_ended(milliseconds pause);

  /// SpecSource::wait. Events that do not stop are not waited out for more than eight quiet
  /// periods.
  bool wait(milliseconds timeout, const std::stop_token& stop);

 private:
  using Clock = std::chrono::steady_clock;

  void reset();
  void collect();
  void take_event(int watch, std::uint32_t mask, const std::string& name);
  void note_change(std::uint32_t mask);
  int add(const std::string& path, const WatchedDirectory& directory);
  void say_state(const std::string& state);
  [[nodiscard]] std::optional<Clock::time_point> quiet_at() const;
  void sleep_until(Clock::time_point until);

  HintOptions options_;
  UniqueFd inotify_;
  UniqueFd wake_;
  std::map<int, WatchedDirectory> watches_;
  std::map<std::string, int> by_path_;
  std::map<WatchEvent, int> events_;
  std::optional<Clock::time_point> first_change_;
  Clock::time_point last_change_{};
  Clock::time_point next_look_;
  std::string said_;
};

}  // namespace sconverge
