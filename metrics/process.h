#pragma once

#include <optional>
#include <string_view>

namespace sconverge {

/// What the kernel says about this process, in Prometheus' units.
struct ProcessSample {
  double cpu_seconds{0};
  double threads{0};
  double virtual_memory_bytes{0};
  double resident_memory_bytes{0};
  double started{0};  ///< seconds since boot
};

/// Reads the text of /proc/self/stat. Nothing if it is not one. Pure.
std::optional<ProcessSample> read_process_stat(std::string_view stat, double ticks_per_second,
                                               double page_bytes);

std::optional<ProcessSample> sample_process();

std::optional<double> open_descriptor_count();
std::optional<double> most_descriptors();
/// 1.8e19: without a limit.
std::optional<double> most_virtual_memory();

/// Seconds since 1970. Needs no /proc/stat, which systemd's ProcSubset=pid hides. Moves with the
/// clock, so it is to be asked once.
std::optional<double> process_start_time();

}  // namespace sconverge
