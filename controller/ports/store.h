#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/history.h"
#include "controller/core/report.h"
#include "controller/core/request.h"
#include "controller/core/result.h"

namespace sconverge {

/// What a controller last published about a cluster, for reading verbs.
struct Published {
  std::string cluster{};
  std::string controller_id{};
  std::string revision{};
  bool source_complete{true};
  std::string source_reason{};
  std::string error{};  ///< why the last tick did not go through; empty if it did
  TimePoint at{};       ///< end of the last tick
  std::vector<SpecStatus> statuses{};
  std::vector<GuardHit> guards{};
};

/// What is published of a tick.
Published published_from(const TickReport& report, const std::string& controller_id);

/// The controller's durable memory of one cluster. One thread.
class Store {
 public:
  virtual ~Store() = default;

  /// All of it. An Error means that memory cannot be trusted, and nothing may be done without it.
  virtual Result<History> load() = 0;

  /// Makes the named entries durable as they are in `history`, in one transaction: on success they
  /// survive a power cut; on an Error none of them was changed.
  virtual Result<Done> save(const History& history, const std::vector<SpecName>& names) = 0;

  /// Requests of people not yet answered, oldest first.
  virtual Result<std::vector<Request>> requests() = 0;
  /// Adds one; its id is given by the store.
  virtual Result<Done> add_request(const Request& request) = 0;
  /// Removes answered ones.
  virtual Result<Done> answered(const std::vector<Request>& requests) = 0;

  /// For reading verbs; need not survive a power cut.
  virtual Result<Done> publish(const Published& published) = 0;
  virtual Result<Published> published() = 0;

  /// What it takes on disk now, other clusters' memory in the same place included. Unknown:
  /// nothing.
  [[nodiscard]] virtual std::optional<std::uint64_t> size_bytes() const = 0;
};

}  // namespace sconverge
