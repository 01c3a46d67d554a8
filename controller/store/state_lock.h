#pragma once

#include <string>

#include "controller/core/result.h"

namespace sconverge {

/// Says that this process is the one controller of a state directory. Held until destroyed or until
/// the process ends, however it ends; the lock file stays behind and means nothing by itself.
class StateLock {
 public:
  StateLock(StateLock&& other) noexcept;
  StateLock& operator=(StateLock&& other) noexcept;
  StateLock(const StateLock&) = delete;
  StateLock& operator=(const StateLock&) = delete;
  ~StateLock();

  [[nodiscard]] const std::string& directory() const { return directory_; }

 private:
  friend Result<StateLock> lock_state(const std::string& directory);
  StateLock(std::string directory, int descriptor);

  std::string directory_;
  int descriptor_{-1};
};

/// Takes the lock of `directory`, which is created (0700, parents too) with an empty store in it
/// (0600) if there is none. Does not wait. What is there already is never deleted or overwritten.
/// Denied: held by another process (which one is said), or permissions. Rejected: a file in the
/// way, a store that is damaged, foreign or of a newer release. Unavailable: disk full, I/O error.
Result<StateLock> lock_state(const std::string& directory);

}  // namespace sconverge
