// Compiled by tests that want the compiler to refuse it: REFUSED says what, 0 nothing.
#include <string>

#include "controller/app/log_line.h"

namespace sconverge::test {

#if REFUSED == 1
const LogField kField{"jobid", "7"};
#elif REFUSED == 2
const LogLine kLine{LogLevel::Info, "scheduler", "started", {}};
#elif REFUSED == 3
LogLine line_of(const std::string& what) { return {LogLevel::Info, "main", what + " started", {}}; }
#else
const LogLine kLine{LogLevel::Info, "main", "started", {{"job_id", "7"}}};
#endif

}  // namespace sconverge::test
