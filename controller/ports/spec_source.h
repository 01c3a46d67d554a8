#pragma once

#include <stop_token>

#include "controller/core/report.h"
#include "controller/core/time.h"
#include "specs/desired.h"

namespace sconverge {

/// Where declared jobs come from.
class SpecSource {
 public:
  virtual ~SpecSource() = default;

  /// One consistent snapshot. Never fails: what cannot be read makes it incomplete, with the
  /// reason.
  virtual Desired read() = 0;

  /// How the last `read` went; what it found is not in here.
  [[nodiscard]] virtual SourceScan last_scan() const = 0;

  /// Returns when something may have changed and has been quiet since, after `timeout`, or when
  /// asked to stop, whichever comes first. True if something may have changed. Only a hint: a
  /// change may go unnoticed, and a notice may be void.
  virtual bool wait(milliseconds timeout, const std::stop_token& stop) = 0;
};

}  // namespace sconverge
