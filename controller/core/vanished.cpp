#include "controller/core/vanished.h"

#include <algorithm>

namespace sconverge {
namespace {

constexpr std::chrono::hours kTogether{1};

/// When the spec's job vanished, if nobody has explained or accepted that.
std::optional<TimePoint> vanished_at(const SpecHistory& entry) {
  const Attempt* newest = entry.newest();
  if (newest == nullptr || !newest->job || !newest->unseen_since) return {};
  const bool open = is_open(*newest);
  if (!open && newest->outcome->kind != OutcomeKind::Lost) return {};
  if (entry.vanish_approved && *entry.vanish_approved >= *newest->unseen_since) return {};
  return newest->unseen_since;
}

}  // namespace

std::vector<SpecName> vanished_together(const History& history, const Policy& policy) {
  std::vector<std::pair<SpecName, TimePoint>> vanished;
  TimePoint latest{};
  std::size_t present = 0;
  for (const auto& [name, entry] : history) {
    if (const auto at = vanished_at(entry)) {
      vanished.emplace_back(name, *at);
      latest = std::max(latest, *at);
    } else if (entry.newest() != nullptr && has_live_job(*entry.newest())) {
      ++present;
    }
  }
  std::vector<SpecName> together;
  for (const auto& [name, at] : vanished) {
    if (at + kTogether >= latest) together.push_back(name);
  }
  const auto percent = static_cast<std::size_t>(policy.vanish_percent);
  const bool many = together.size() > static_cast<std::size_t>(policy.vanish_minimum) &&
                    together.size() * 100 > percent * (together.size() + present);
  return many ? together : std::vector<SpecName>{};
}

}  // namespace sconverge
