#pragma once

#include <chrono>

namespace sconverge {

/// Wall-clock time; it is an argument everywhere and read from a Clock only in the loop.
using TimePoint = std::chrono::sys_time<std::chrono::milliseconds>;
using std::chrono::milliseconds;
using std::chrono::seconds;

}  // namespace sconverge
