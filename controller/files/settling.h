#pragma once

#include <map>
#include <string>

#include "controller/core/time.h"
#include "controller/files/file_system.h"

namespace sconverge {

/// Tells files that somebody may still be writing. A changed file is settled when
///   - its modification and change times are both at least the quiet period old, by this machine's
///     clock; or
///   - it was seen in the same state for the quiet period. That is the only way where the times
///     cannot be compared with our clock: on remote file systems, and for times in the future.
class Settling {
 public:
  explicit Settling(milliseconds quiet) : quiet_(quiet) {}

  /// Zero if the file is settled; else how long to wait before asking again.
  milliseconds remaining(const std::string& path, const Signature& signature, bool remote,
                         TimePoint now);

  /// Forgets what was seen of files that are not settled.
  void clear() { seen_.clear(); }

 private:
  struct Seen {
    Signature signature;
    TimePoint since;
  };

  milliseconds quiet_;
  std::map<std::string, Seen> seen_;
};

}  // namespace sconverge
