#include "metrics/process.h"

#include <dirent.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>

namespace sconverge {
namespace {

std::optional<double> seconds_of(clockid_t clock) {
  timespec now{};
  if (::clock_gettime(clock, &now) != 0) return std::nullopt;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::optional<double> limit_of(int resource) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return std::nullopt;
  return static_cast<double>(limit.rlim_cur);
}

}  // namespace

std::optional<ProcessSample> read_process_stat(std::string_view stat, double ticks_per_second,
                                               double page_bytes) {
  // The second field is the program's name in brackets, and may hold anything, brackets included.
  const auto after_name = stat.rfind(')');
  if (after_name == std::string_view::npos) return std::nullopt;
  std::istringstream words(std::string(stat.substr(after_name + 1)));
  std::string state;
  std::array<double, 22> field{};  // numbered as in proc(5), from the fourth on
  words >> state;
  for (double& value : field) words >> value;
  if (!words) return std::nullopt;
  const auto number = [&](std::size_t in_manual) { return field.at(in_manual - 4); };
  return ProcessSample{.cpu_seconds = (number(14) + number(15)) / ticks_per_second,
                       .threads = number(20),
                       .virtual_memory_bytes = number(23),
                       .resident_memory_bytes = number(24) * page_bytes,
                       .started = number(22) / ticks_per_second};
}

std::optional<ProcessSample> sample_process() {
  std::ifstream file("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return read_process_stat(text, static_cast<double>(::sysconf(_SC_CLK_TCK)),
                           static_cast<double>(::sysconf(_SC_PAGESIZE)));
}

std::optional<double> open_descriptor_count() {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc/self/fd"), ::closedir);
  if (!directory) return std::nullopt;
  double count = 0;
  while (const dirent* entry = ::readdir(directory.get())) {
    if (entry->d_name[0] != '.') ++count;
  }
  return count - 1;  // the one that reads the directory
}

std::optional<double> most_descriptors() { return limit_of(RLIMIT_NOFILE); }

std::optional<double> most_virtual_memory() { return limit_of(RLIMIT_AS); }

std::optional<double> process_start_time() {
  const auto sample = sample_process();
  const auto since_boot = seconds_of(CLOCK_BOOTTIME);
  const auto now = seconds_of(CLOCK_REALTIME);
  if (!sample || !since_boot || !now) return std::nullopt;
  return *now - *since_boot + sample->started;
}

}  // namespace sconverge
