#pragma once

#include <memory>

#include "controller/ports/store.h"

namespace sconverge {

/// The store of a controller that has never run: empty, and it takes nothing. For looking at what a
/// first start would do.
std::unique_ptr<Store> make_no_memory();

}  // namespace sconverge
