#pragma once

#include <map>
#include <string>
#include <vector>

#include "controller/app/spec_filter.h"
#include "controller/app/status_board.h"
#include "controller/core/time.h"

namespace sconverge {

/// Everything the status page says, whatever the format. Texts are as they came: each format makes
/// them harmless.
struct StatusView {
  struct Row {
    const std::string* cluster;
    const SpecStatus* status;
  };

  TimePoint now{};
  SpecFilter filter{};
  std::vector<ClusterView> clusters{};          ///< keeps what the rows point to
  std::vector<std::string> findings{};          ///< sentences about what deserves a look
  std::vector<std::string> problems{};          ///< of the watched files, one line each
  std::map<std::string, std::size_t> spaces{};  ///< how many specs in each namespace
  std::map<Phase, std::size_t> phases{};        ///< likewise, in the namespace asked for
  std::size_t in_space{0};                      ///< the sum of these
  std::size_t matching{0};                      ///< all that the filter takes
  std::vector<Row> rows{};  ///< the first of them: what needs somebody before what goes well
};

/// `patience`: without a tick for longer than this a cluster counts as stuck.
StatusView status_view(std::vector<ClusterView> clusters, const SpecFilter& filter,
                       std::size_t most_rows, milliseconds patience, TimePoint now);

}  // namespace sconverge
