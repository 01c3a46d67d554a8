#include "controller/http/body_pipe.h"

#include <utility>

namespace sconverge {

void BodyPipe::put(std::string_view bytes, std::function<void()> go_on) {
  {
    const std::lock_guard lock(mutex_);
    if (end_ == End::Open) {
      waiting_.append(bytes);
      changed_.notify_one();
      if (waiting_.size() >= kCapacity) {
        go_on_ = std::move(go_on);
        return;
      }
    }
  }
  go_on();
}

void BodyPipe::finish(const std::string& failure) {
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  failure_ = failure;
  changed_.notify_one();
}

std::string_view BodyPipe::next() {
  std::function<void()> go_on;
  {
    std::unique_lock lock(mutex_);
    if (end_ != End::Open) return {};
    const bool in_time =
        changed_.wait_until(lock, deadline_, [this] { return !waiting_.empty() || finished_; });
    current_.clear();
    std::swap(current_, waiting_);
    total_ += current_.size();
    if (!in_time) {
      end_ = End::Late;
    } else if (total_ > most_bytes_) {
      end_ = End::TooLarge;
    } else if (current_.empty()) {
      end_ = failure_.empty() ? End::Whole : End::Broken;
    }
    if (end_ != End::Open) current_.clear();
    go_on = std::exchange(go_on_, nullptr);
  }
  if (go_on) go_on();
  return current_;
}

BodyPipe::End BodyPipe::end() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

std::string BodyPipe::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace sconverge
