#include "controller/files/change_hint.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "controller/files/file_names.h"

namespace sconverge {
namespace {

constexpr int kLongestUnrest = 8;  // quiet periods
constexpr milliseconds kWakeless{50};

constexpr std::uint32_t kMask = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE |
                                IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF |
                                IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;

int start_inotify() {
  const int fd = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  return fd < 0 ? -errno : fd;
}

/// Nothing for what only follows another event.
std::optional<WatchEvent> event_of(std::uint32_t mask) {
  const auto has = [&](std::uint32_t bits) { return (mask & bits) != 0; };
  if (has(IN_Q_OVERFLOW)) return WatchEvent::Overflow;
  if (has(IN_CREATE)) return WatchEvent::Create;
  if (has(IN_DELETE | IN_DELETE_SELF | IN_UNMOUNT)) return WatchEvent::Delete;
  if (has(IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF)) return WatchEvent::Move;
  if (has(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)) return WatchEvent::Modify;
  return {};
}

int add_watch(int fd, const std::string& path, std::uint32_t mask) {
  const int watch = ::inotify_add_watch(fd, path.c_str(), mask);
  return watch < 0 ? -errno : watch;
}

}  // namespace

ChangeHint::ChangeHint(HintOptions options)
    : options_(std::move(options)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      next_look_(Clock::now()) {
  if (!options_.start_inotify) options_.start_inotify = start_inotify;
  if (!options_.add_watch) options_.add_watch = add_watch;
}

bool ChangeHint::look_begins() {
  collect();
  return std::exchange(first_change_, std::nullopt).has_value();
}

void ChangeHint::look_ended(milliseconds pause) { next_look_ = Clock::now() + pause; }

bool ChangeHint::arm(const WatchList& list) {
  if (!options_.inotify) return true;
  if (!inotify_.is_open()) inotify_ = UniqueFd(options_.start_inotify());
  if (!inotify_.is_open()) {
    say_state("inotify is not available (" + error_text(-inotify_.get()) +
              "; limit fs.inotify.max_user_instances): changes are found by polling alone");
    return true;
  }
  bool nothing_new = true;
  std::size_t unwatched = 0;
  for (const auto& [path, directory] : list) {
    const auto known = by_path_.find(path);
    if (known != by_path_.end()) {
      const WatchedDirectory& watched = watches_[known->second];
      if (watched.device == directory.device && watched.inode == directory.inode) {
        watches_[known->second] = directory;
        continue;
      }
      ::inotify_rm_watch(inotify_.get(), known->second);
      watches_.erase(known->second);
      by_path_.erase(known);
    }
    // After the limit is met, asking for the rest is in vain.
    const int watch = unwatched > 0 ? -ENOSPC : add(path, directory);
    if (watch >= 0) nothing_new = false;
    if (watch == -ENOSPC) ++unwatched;
  }
  for (auto it = by_path_.begin(); it != by_path_.end();) {
    if (list.contains(it->first)) {
      ++it;
      continue;
    }
    ::inotify_rm_watch(inotify_.get(), it->second);
    watches_.erase(it->second);
    it = by_path_.erase(it);
  }
  if (unwatched > 0) {
    say_state("inotify's limit fs.inotify.max_user_watches is met: changes in " +
              std::to_string(unwatched) + " directories are found by polling alone");
  } else {
    say_state("");
  }
  return nothing_new;
}

int ChangeHint::add(const std::string& path, const WatchedDirectory& directory) {
  const int watch = options_.add_watch(inotify_.get(), path, kMask);
  if (watch < 0) return watch;
  watches_[watch] = directory;
  by_path_[path] = watch;
  return watch;
}

void ChangeHint::say_state(const std::string& state) {
  if (state == said_) return;
  said_ = state;
  if (options_.say) options_.say(state.empty() ? "inotify watches every directory again" : state);
}

void ChangeHint::reset() {
  inotify_ = UniqueFd();
  watches_.clear();
  by_path_.clear();
}

void ChangeHint::note_change(std::uint32_t mask) {
  if (const auto event = event_of(mask)) ++events_[*event];
  last_change_ = Clock::now();
  if (!first_change_) first_change_ = last_change_;
}

void ChangeHint::take_event(int watch, std::uint32_t mask, const std::string& name) {
  if ((mask & IN_IGNORED) != 0) {
    const auto gone = watches_.find(watch);
    if (gone == watches_.end()) return;
    std::erase_if(by_path_, [&](const auto& item) { return item.second == watch; });
    watches_.erase(gone);
    note_change(mask);
    return;
  }
  // Events were lost, or what is below a moved directory is now watched under the wrong path.
  if ((mask & (IN_Q_OVERFLOW | IN_MOVE_SELF | IN_UNMOUNT)) != 0) {
    if ((mask & IN_Q_OVERFLOW) != 0 && options_.say) {
      options_.say("inotify's queue overflowed: events were lost, everything is looked at again");
    }
    note_change(mask);
    reset();
    return;
  }
  const auto known = watches_.find(watch);
  if (known == watches_.end()) return;
  const WatchedDirectory& directory = known->second;
  if (name.empty() || directory.names.contains(name) ||
      (directory.telling_names && is_telling_name(name))) {
    note_change(mask);
  }
}

void ChangeHint::collect() {
  alignas(inotify_event) std::array<char, 65536> buffer;
  // Bounded: a writer may be faster than this reader.
  for (int i = 0; i < 64 && inotify_.is_open(); ++i) {
    const ssize_t size = ::read(inotify_.get(), buffer.data(), buffer.size());
    if (size <= 0) return;
    const char* const end = buffer.data() + size;
    for (const char* at = buffer.data(); at < end && inotify_.is_open();) {
      inotify_event event;
      std::memcpy(&event, at, sizeof event);
      const std::string name = event.len > 0 ? std::string(at + sizeof event) : std::string();
      take_event(event.wd, event.mask, name);
      at += sizeof event + event.len;
    }
  }
}

std::optional<ChangeHint::Clock::time_point> ChangeHint::quiet_at() const {
  if (!first_change_) return std::nullopt;
  return std::min(last_change_ + options_.quiet, *first_change_ + kLongestUnrest * options_.quiet);
}

void ChangeHint::sleep_until(Clock::time_point until) {
  milliseconds pause = std::chrono::ceil<milliseconds>(until - Clock::now());
  if (!wake_.is_open()) pause = std::min(pause, kWakeless);
  pause = std::clamp(pause, milliseconds(0), milliseconds(std::chrono::hours(1)));
  std::array<pollfd, 2> fds = {pollfd{wake_.get(), POLLIN, 0}, pollfd{inotify_.get(), POLLIN, 0}};
  ::poll(fds.data(), fds.size(), static_cast<int>(pause.count()));
}

bool ChangeHint::wait(milliseconds timeout, const std::stop_token& stop) {
  const Clock::time_point end = Clock::now() + timeout;
  std::uint64_t count = 0;
  while (::read(wake_.get(), &count, sizeof count) > 0) continue;
  const std::stop_callback wake(stop, [this] {
    const std::uint64_t one = 1;
    // Fails only if the counter is full, and then it wakes just as well.
    static_cast<void>(!::write(wake_.get(), &one, sizeof one));
  });
  while (true) {
    collect();
    const Clock::time_point now = Clock::now();
    const std::optional<Clock::time_point> quiet = quiet_at();
    if (now >= next_look_ || (quiet && now >= *quiet)) return true;
    if (now >= end || stop.stop_requested()) return quiet.has_value();
    sleep_until(std::min({end, next_look_, quiet.value_or(end)}));
  }
}

}  // namespace sconverge
