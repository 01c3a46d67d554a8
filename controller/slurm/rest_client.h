#pragma once

#include <functional>
#include <memory>
#include <string>

#include "controller/core/observer.h"
#include "controller/core/time.h"
#include "controller/ports/slurm_client.h"
#include "controller/ports/transport.h"

namespace sconverge {

struct RestClientOptions {
  std::string api_version{};         ///< e.g. "v0.0.42"; empty: the newest one both sides know
  std::function<TimePoint()> now{};  ///< empty: the system clock
  ObserverOptions observer{};
};

/// Speaks the Slurm REST API v0.0.40 to v0.0.45 through `transport`.
std::unique_ptr<SlurmClient> make_rest_client(std::unique_ptr<Transport> transport,
                                              RestClientOptions options);

}  // namespace sconverge
