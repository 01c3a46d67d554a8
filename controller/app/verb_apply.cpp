#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <ostream>
#include <thread>

#include "controller/app/convergence.h"
#include "controller/app/loop.h"
#include "controller/app/render_report.h"
#include "controller/app/runtime.h"
#include "controller/app/signals.h"
#include "controller/app/verbs.h"

namespace sconverge {
namespace {

constexpr milliseconds kLongestInterval{2000};  // somebody is watching

/// Tells of every tick of every cluster's thread, and remembers the last one of each.
class Progress {
 public:
  Progress(const Console& console, std::size_t clusters) : console_(console), clusters_(clusters) {}

  /// True if nothing is left to wait for in any cluster.
  bool take(const TickReport& report) {
    const std::lock_guard guard(mutex_);
    clear_line();
    console_.out << report_text(report, console_.out_paint()) << std::flush;
    const std::string error = error_of(report);
    if (!error.empty() && error != errors_[report.cluster]) {
      fail(console_, "cluster " + report.cluster + ": " + error);
    }
    errors_[report.cluster] = error;
    last_[report.cluster] = report;
    show_line();
    return last_.size() == clusters_ && std::all_of(last_.begin(), last_.end(), [](auto& entry) {
             return error_of(entry.second).empty() && convergence_of(entry.second.statuses).done();
           });
  }

  /// The end: what went wrong, and the sum.
  std::vector<TickReport> finish() {
    const std::lock_guard guard(mutex_);
    clear_line();
    std::vector<TickReport> reports;
    for (const auto& [cluster, report] : last_) {
      const Convergence convergence = convergence_of(report.statuses);
      for (const auto& problem : report.problems) warn(console_, to_text(problem));
      for (const auto& hit : report.guards) {
        warn(console_, "guard " + std::string(to_text(hit.guard)) + ": " + hit.message);
      }
      for (const auto& trouble : convergence.trouble) warn(console_, trouble);
      console_.out << "cluster " << cluster << ": " << convergence.progress << "\n";
      reports.push_back(report);
    }
    return reports;
  }

 private:
  static std::string error_of(const TickReport& report) {
    if (report.failed) return report.failed->message;
    if (!report.source_complete) {
      return "the watched directory cannot be read whole: " + report.source_reason;
    }
    return "";
  }

  void clear_line() {
    if (console_.err_is_terminal) console_.err << "\r\x1b[K";
  }
  void show_line() {
    if (!console_.err_is_terminal) return;
    for (const auto& [cluster, report] : last_) {
      if (clusters_ > 1) console_.err << cluster << " ";
      console_.err << convergence_of(report.statuses).progress << "  ";
    }
    console_.err << std::flush;
  }

  const Console& console_;
  std::size_t clusters_;
  std::mutex mutex_{};
  std::map<std::string, TickReport> last_{};
  std::map<std::string, std::string> errors_{};
};

/// Returns whether the time was over before anybody asked to stop.
bool wait_for_stop(const std::stop_token& stop, milliseconds timeout) {
  std::mutex mutex;
  std::condition_variable_any asleep;
  std::unique_lock lock(mutex);
  if (timeout == milliseconds{0}) {
    asleep.wait(lock, stop, [] { return false; });
  } else {
    asleep.wait_for(lock, stop, timeout, [] { return false; });
  }
  return !stop.stop_requested();
}

/// Ticks until everything stands still, the time is over or a signal comes.
ExitCode wait_for_convergence(Runtime& runtime, const ApplyOptions& options, const Config& config,
                              Signals& signals, Progress& progress, const Console& console) {
  std::atomic<bool> converged{false};
  std::vector<std::thread> threads;
  for (const auto& cluster : runtime.clusters) {
    threads.emplace_back([&, part = cluster.get()] {
      run_loop(*part->reconciler, *part->source, *part->store, console.clock,
               {std::min(config.interval, kLongestInterval)}, signals.stop_token(),
               [&](const TickReport& report) {
                 if (!progress.take(report)) return;
                 converged = true;
                 signals.request_stop();
               });
    });
  }
  const bool timed_out = wait_for_stop(signals.stop_token(), options.timeout);
  signals.request_stop();
  for (auto& thread : threads) thread.join();

  const ExitCode code = code_of(progress.finish(), true);
  if (converged || code == ExitCode::SlurmUnreachable) return code;
  return fail(console, timed_out ? "not everything stands still in time" : "interrupted",
              timed_out ? ExitCode::TimedOut : ExitCode::Error);
}

}  // namespace

ExitCode verb_apply(const ApplyOptions& options, const Config& config, const Console& console) {
  Signals signals;
  const Say say = [&](const std::string& message) { warn(console, message); };
  auto runtime = build_runtime(config, console.clock, say);
  if (!runtime) return fail(console, runtime.error().message);
  Progress progress(console, runtime->clusters.size());
  if (options.wait) {
    return wait_for_convergence(*runtime, options, config, signals, progress, console);
  }
  for (const auto& cluster : runtime->clusters) {
    if (signals.stop_token().stop_requested()) return fail(console, "interrupted");
    progress.take(cluster->reconciler->tick());
  }
  return code_of(progress.finish(), false);
}

}  // namespace sconverge
