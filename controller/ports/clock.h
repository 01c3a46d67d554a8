#pragma once

#include "controller/core/time.h"

namespace sconverge {

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
};

}  // namespace sconverge
