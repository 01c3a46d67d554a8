#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sconverge {

/// Threads that take tasks in the order they came.
class ServiceThreads {
 public:
  ServiceThreads(int threads, std::size_t most_waiting);
  ~ServiceThreads() { stop(); }
  ServiceThreads(const ServiceThreads&) = delete;
  ServiceThreads& operator=(const ServiceThreads&) = delete;

  /// False, and nothing is kept, if `most_waiting` wait already or after `stop`. A task must not
  /// throw.
  bool offer(std::function<void()> task);

  void drop();  ///< the tasks that wait, and those that come

  /// `drop`, and waits for the tasks that run. Not to be called by a task.
  void stop();

 private:
  void work();

  const std::size_t most_waiting_;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<std::function<void()>> waiting_{};
  std::size_t idle_{0};  ///< threads that wait for a task
  bool stopping_{false};
  std::vector<std::thread> threads_{};
};

}  // namespace sconverge
