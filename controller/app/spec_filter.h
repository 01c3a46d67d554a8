#pragma once

#include <string>
#include <vector>

#include "controller/core/result.h"
#include "controller/core/status.h"
#include "controller/ports/http_exchange.h"

namespace sconverge {

/// Which specs a page is asked for.
struct SpecFilter {
  std::string name_space{};     ///< empty: all
  std::vector<Phase> phases{};  ///< empty: all

  [[nodiscard]] bool takes(const SpecStatus& status) const;
  [[nodiscard]] bool is_set() const { return !name_space.empty() || !phases.empty(); }
};

/// Reads "namespace=vision&phase=Failed,Lost" (a phase may also be given several times). Rejected,
/// with what would be right: a phase that is none, and any other parameter.
Result<SpecFilter> filter_of(const HttpRequest& request);

/// A query that asks for the same, e.g. "?namespace=vision&phase=Failed"; empty if nothing is set.
std::string query_text(const SpecFilter& filter);

}  // namespace sconverge
