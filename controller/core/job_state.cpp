#include "controller/core/job_state.h"

#include <cstdlib>
#include <optional>
#include <utility>

namespace sconverge {
namespace {

constexpr std::pair<std::string_view, BaseState> kBaseWords[] = {
    {"PENDING", BaseState::Pending},     {"RUNNING", BaseState::Running},
    {"SUSPENDED", BaseState::Suspended}, {"COMPLETED", BaseState::Completed},
    {"CANCELLED", BaseState::Cancelled}, {"FAILED", BaseState::Failed},
    {"TIMEOUT", BaseState::Timeout},     {"NODE_FAIL", BaseState::NodeFail},
    {"PREEMPTED", BaseState::Preempted}, {"BOOT_FAIL", BaseState::BootFail},
    {"DEADLINE", BaseState::Deadline},   {"OUT_OF_MEMORY", BaseState::OutOfMemory},
};

// Flags that say nothing about whether the job has ended. Every word that is neither here nor a
// base state nor COMPLETING or CONFIGURING leaves the job unsettled: the flags that reopen an ended
// job (REQUEUED, REQUEUE_HOLD, SPECIAL_EXIT, STAGE_OUT, RESIZING, REQUEUE_FED, EXPEDITING) and the
// words of releases to come are treated alike.
constexpr std::string_view kHarmlessFlags[] = {"LAUNCH_FAILED", "STOPPED", "RECONFIG_FAIL",
                                               "POWER_UP_NODE", "REVOKED", "RESV_DEL_HOLD",
                                               "SIGNALING"};

std::optional<BaseState> base_state(std::string_view word) {
  for (const auto& [text, state] : kBaseWords) {
    if (word == text) return state;
  }
  return {};
}

bool is_harmless(std::string_view word) {
  for (const auto flag : kHarmlessFlags) {
    if (word == flag) return true;
  }
  return false;
}

}  // namespace

bool JobState::final() const {
  const bool ended = base != BaseState::Other && base >= BaseState::Completed;
  return ended && !completing && !unsettled;
}

std::string_view to_text(BaseState state) {
  switch (state) {
    case BaseState::Pending:
      return "pending";
    case BaseState::Running:
      return "running";
    case BaseState::Suspended:
      return "suspended";
    case BaseState::Completed:
      return "completed";
    case BaseState::Cancelled:
      return "cancelled";
    case BaseState::Failed:
      return "failed";
    case BaseState::Timeout:
      return "timeout";
    case BaseState::NodeFail:
      return "node_fail";
    case BaseState::Preempted:
      return "preempted";
    case BaseState::BootFail:
      return "boot_fail";
    case BaseState::Deadline:
      return "deadline";
    case BaseState::OutOfMemory:
      return "out_of_memory";
    case BaseState::Other:
      return "other";
  }
  std::abort();
}

JobState job_state_from(const std::vector<std::string>& words) {
  JobState state;
  for (const auto& whole : words) {
    const std::string word = whole.substr(0, whole.find(' '));  // "CANCELLED by 1000"
    if (!state.words.empty()) state.words += '+';
    state.words += word;
    if (const auto base = base_state(word)) {
      state.base = *base;
    } else if (word == "COMPLETING") {
      state.completing = true;
    } else if (word == "CONFIGURING") {
      state.configuring = true;
    } else if (!is_harmless(word)) {
      state.unsettled = true;
    }
  }
  return state;
}

}  // namespace sconverge
