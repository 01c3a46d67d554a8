#pragma once

#include <string_view>

#include "controller/core/guard.h"
#include "controller/core/history.h"
#include "controller/core/request.h"
#include "controller/core/slurm_job.h"
#include "controller/core/status.h"

namespace sconverge {

// The words by which the store writes enumerators down. A word, once released, never changes its
// meaning. Past the last enumerator the word is empty, which ends the search of `from_word`.

std::string_view word_of(OutcomeKind kind);
std::string_view word_of(CancelCause cause);
std::string_view word_of(OurHold hold);
std::string_view word_of(BaseState state);
std::string_view word_of(RequestKind kind);
std::string_view word_of(Phase phase);
std::string_view word_of(Reason reason);
std::string_view word_of(Guard guard);

/// False, and `value` as it was, if there is no such word.
template <typename Enum>
bool from_word(std::string_view word, Enum& value) {
  for (int i = 0;; ++i) {
    const auto candidate = static_cast<Enum>(i);
    const std::string_view known = word_of(candidate);
    if (known.empty()) return false;
    if (known == word) {
      value = candidate;
      return true;
    }
  }
}

}  // namespace sconverge
