#include "controller/http/service_threads.h"

#include <algorithm>
#include <utility>

namespace sconverge {

ServiceThreads::ServiceThreads(int threads, std::size_t most_waiting)
    : most_waiting_(most_waiting), idle_(static_cast<std::size_t>(std::max(threads, 1))) {
  const std::size_t count = idle_;
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

bool ServiceThreads::offer(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  // Whom an idle thread is about to take does not wait.
  if (stopping_ || waiting_.size() >= idle_ + most_waiting_) return false;
  waiting_.push_back(std::move(task));
  changed_.notify_one();
  return true;
}

void ServiceThreads::drop() {
  std::deque<std::function<void()>> dropped;  // let go of without the lock
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  std::swap(dropped, waiting_);
  changed_.notify_all();
}

void ServiceThreads::stop() {
  drop();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void ServiceThreads::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    auto task = std::move(waiting_.front());
    waiting_.pop_front();
    --idle_;
    lock.unlock();
    task();
    task = nullptr;  // what it held is let go of without the lock
    lock.lock();
    ++idle_;
  }
}

}  // namespace sconverge
