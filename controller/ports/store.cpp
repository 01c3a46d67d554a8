#include "controller/ports/store.h"

namespace sconverge {

Published published_from(const TickReport& report, const std::string& controller_id) {
  Published published;
  published.cluster = report.cluster;
  published.controller_id = controller_id;
  published.revision = report.revision;
  published.source_complete = report.source_complete;
  published.source_reason = report.source_reason;
  if (report.failed) published.error = report.failed->message;
  published.at = report.ended;
  published.statuses = report.statuses;
  published.guards = report.guards;
  return published;
}

}  // namespace sconverge
