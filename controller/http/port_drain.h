#pragma once

#include <cstdint>

#include "controller/core/time.h"

namespace sconverge {

/// Lets nobody new connect to a TCP port of this process and hangs up on everybody connected to it,
/// from below the library that owns the sockets: to the library it looks as if all its clients had
/// left, and it closes each socket itself. Returns true once all are closed, false if some are not
/// after `patience`. The listening socket is left to its owner.
///
/// cpprestsdk 2.10 needs this: closing a listener that still has a connection races with its own
/// threads, and crashes or hangs about every third time.
bool drain_port(std::uint16_t port, milliseconds patience);

}  // namespace sconverge
