#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/app/log_line.h"
#include "controller/core/report.h"

namespace sconverge {

/// Turns one cluster's ticks into log lines: one per transition, failed action, and change of the
/// source, of a guard or of the connection; none when nothing changed. So it remembers what it said
/// last: a trouble that stays is said once, again when it changes, and once more when it is over.
/// One thread.
class ReportLog {
 public:
  std::vector<LogLine> lines(const TickReport& report);

 private:
  void say_connection(const TickReport& report, std::vector<LogLine>& out);
  void say_source(const TickReport& report, std::vector<LogLine>& out);
  void say_problems(const TickReport& report, std::vector<LogLine>& out);
  void say_actions(const TickReport& report, std::vector<LogLine>& out);
  void say_guards(const TickReport& report, std::vector<LogLine>& out);

  std::int64_t tick_{0};  ///< the last one's number
  std::string failure_{};
  std::string revision_{};
  std::string source_reason_{};
  std::set<std::string> problems_{};
  std::map<std::pair<SpecName, Operation>, std::string> action_failures_{};
  std::map<Guard, std::vector<SpecName>> guards_{};
};

}  // namespace sconverge
