#pragma once

#include "controller/files/change_hint.h"
#include "controller/files/checkout.h"
#include "controller/files/directory_look.h"

namespace sconverge {

/// Every directory in which a change may mean that something else is declared: those that the
/// root's path leads through (so that it may be moved, removed, made again, or its links be
/// turned), those that were read, those that links lead over, and git's.
WatchList watch_list_of(const Root& root, const Look& look, const Checkout& checkout);

}  // namespace sconverge
