#pragma once

namespace sconverge {

/// Lets this process have as many files open as it may. Each HTTP client holds one, and 1024 of
/// them, the usual soft limit, are few.
void raise_descriptor_limit();

}  // namespace sconverge
