#include "controller/app/report_log.h"

#include <algorithm>

namespace sconverge {
namespace {

/// Beside the cluster and the tick, which all lines of a report get.
LogLine line_of(LogLevel level, LogMessage msg) { return {level, "reconciler", msg, {}}; }

std::int64_t duration_ms(const TickReport& report) {
  return std::chrono::duration_cast<milliseconds>(report.ended - report.began).count();
}

void add_spec(LogLine& line, const SpecName& spec) {
  line.fields.push_back({"namespace", spec.name_space});
  line.fields.push_back({"name", spec.name});
}

std::string_view error_class(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Unavailable:
      return "unavailable";
    case ErrorKind::Unknown:
      return "unknown";
    case ErrorKind::Rejected:
      return "rejected";
    case ErrorKind::Denied:
      return "denied";
  }
  return "unknown";
}

bool needs_attention(Phase phase) {
  return phase == Phase::Invalid || phase == Phase::Failed || phase == Phase::Lost ||
         phase == Phase::Blocked;
}

LogLine transition_line(const Transition& transition) {
  const SpecStatus& now = transition.now;
  const bool attention = needs_attention(now.verdict.phase);
  LogLine line = line_of(attention ? LogLevel::Warning : LogLevel::Info, "spec changed phase");
  add_spec(line, now.name);
  line.fields.push_back({"phase", std::string(to_text(now.verdict.phase))});
  line.fields.push_back({"reason", std::string(to_text(now.verdict.reason))});
  if (transition.before) {
    line.fields.push_back({"from", std::string(to_text(transition.before->phase))});
  }
  if (now.job) line.fields.push_back({"job_id", std::int64_t{now.job->value}});
  if (now.attempt > 0) {
    line.fields.push_back({"run", std::int64_t{now.run}});
    line.fields.push_back({"attempt", std::int64_t{now.attempt}});
  }
  if (now.exit_code) line.fields.push_back({"exit_code", std::int64_t{*now.exit_code}});
  line.fields.push_back({"generation", now.generation});
  line.fields.push_back({"message", now.verdict.message});
  return line;
}

LogLine action_line(const ActionReport& action) {
  const bool good = action.result == OperationResult::Success;
  LogLine line = good ? line_of(LogLevel::Debug, "operation done")
                      : line_of(LogLevel::Warning, "operation failed");
  add_spec(line, action.spec);
  line.fields.push_back({"operation", std::string(to_text(action.operation))});
  if (action.job) line.fields.push_back({"job_id", std::int64_t{action.job->value}});
  if (!good) {
    line.fields.push_back({"result", std::string(to_text(action.result))});
    line.fields.push_back({"error", action.message});
  }
  return line;
}

}  // namespace

std::vector<LogLine> ReportLog::lines(const TickReport& report) {
  std::vector<LogLine> out;
  say_connection(report, out);
  say_source(report, out);
  say_problems(report, out);
  say_guards(report, out);
  say_actions(report, out);
  for (const auto& transition : report.transitions) {
    out.push_back(transition_line(transition));
  }
  if (report.adoptions > 0) {
    out.push_back(line_of(LogLevel::Info, "jobs adopted by their marks"));
    out.back().fields.push_back({"jobs", std::int64_t{report.adoptions}});
  }
  if (report.duplicates > 0) {
    out.push_back(line_of(LogLevel::Error, "second jobs of one run found"));
    out.back().fields.push_back({"jobs", std::int64_t{report.duplicates}});
  }
  ++tick_;
  for (auto& line : out) {
    line.fields.insert(line.fields.begin(), {{"cluster", report.cluster}, {"tick", tick_}});
  }
  return out;
}

void ReportLog::say_connection(const TickReport& report, std::vector<LogLine>& out) {
  const std::string failure = report.failed ? report.failed_step + report.failed->message : "";
  if (failure != failure_ && report.failed) {
    out.push_back(line_of(LogLevel::Error, "tick failed, trying again"));
    out.back().fields.push_back({"step", report.failed_step});
    out.back().fields.push_back({"error_class", std::string(error_class(report.failed->kind))});
    out.back().fields.push_back({"error", report.failed->message});
    out.back().fields.push_back({"duration_ms", duration_ms(report)});
  } else if (failure != failure_ || (tick_ == 0 && !report.failed)) {
    out.push_back(tick_ > 0 ? line_of(LogLevel::Info, "ticks go through again")
                            : line_of(LogLevel::Info, "first tick went through"));
    out.back().fields.push_back({"jobs", static_cast<std::int64_t>(report.jobs_seen)});
    out.back().fields.push_back({"duration_ms", duration_ms(report)});
  }
  failure_ = failure;
}

void ReportLog::say_source(const TickReport& report, std::vector<LogLine>& out) {
  if (report.failed && !report.source_complete && report.source_reason.empty()) return;  // not read
  const std::string reason = report.source_complete ? "" : "incomplete: " + report.source_reason;
  if (reason != source_reason_) {
    if (report.source_complete) {
      out.push_back(line_of(LogLevel::Info, "watched directory is whole again"));
    } else {
      out.push_back(line_of(LogLevel::Warning,
                            "watched directory cannot be read whole, nothing is cancelled"));
      out.back().fields.push_back({"error", report.source_reason});
    }
  }
  source_reason_ = reason;
  if (!report.source_complete || report.revision == revision_) return;
  out.push_back(line_of(LogLevel::Info, "declared jobs read"));
  out.back().fields.push_back({"revision", report.revision});
  out.back().fields.push_back({"valid_files", std::int64_t{report.valid_files}});
  out.back().fields.push_back({"invalid_files", std::int64_t{report.invalid_files}});
  out.back().fields.push_back({"ignored_files", std::int64_t{report.ignored_files}});
  revision_ = report.revision;
}

void ReportLog::say_problems(const TickReport& report, std::vector<LogLine>& out) {
  std::set<std::string> problems;
  for (const auto& problem : report.problems) {
    const std::string text = to_text(problem);
    if (!problems.insert(text).second || problems_.contains(text)) continue;
    out.push_back(line_of(LogLevel::Warning, "declared job refused"));
    out.back().fields.push_back({"error_class", std::string(to_text(problem.kind))});
    out.back().fields.push_back({"error", text});
  }
  if (problems.empty() && !problems_.empty()) {
    out.push_back(line_of(LogLevel::Info, "every declared job is valid again"));
  }
  problems_ = std::move(problems);
}

void ReportLog::say_actions(const TickReport& report, std::vector<LogLine>& out) {
  std::map<std::pair<SpecName, Operation>, std::string> failures;
  for (const auto& action : report.actions) {
    if (action.result != OperationResult::Success) {
      const std::pair key{action.spec, action.operation};
      failures[key] = action.message;
      const auto said = action_failures_.find(key);
      if (said != action_failures_.end() && said->second == action.message) continue;
    }
    out.push_back(action_line(action));
  }
  // A tick that was cut short, or one that waits before it tries again, says nothing of the end of
  // a trouble: only the same operation's success does.
  for (const auto& action : report.actions) {
    if (action.result == OperationResult::Success) {
      action_failures_.erase({action.spec, action.operation});
    }
  }
  for (auto& [key, message] : failures) action_failures_[key] = std::move(message);
  std::erase_if(action_failures_, [&](const auto& entry) {
    return !report.failed &&
           std::none_of(report.statuses.begin(), report.statuses.end(),
                        [&](const SpecStatus& status) { return status.name == entry.first.first; });
  });
}

void ReportLog::say_guards(const TickReport& report, std::vector<LogLine>& out) {
  if (report.failed) return;  // no plan was made, so nothing is known of the guards
  std::map<Guard, std::vector<SpecName>> guards;
  for (const auto& hit : report.guards) {
    guards[hit.guard] = hit.specs;
    const auto said = guards_.find(hit.guard);
    if (said != guards_.end() && said->second == hit.specs) continue;
    out.push_back(line_of(LogLevel::Warning, "guard holds back"));
    out.back().fields.push_back({"guard", std::string(to_text(hit.guard))});
    out.back().fields.push_back({"specs", static_cast<std::int64_t>(hit.specs.size())});
    out.back().fields.push_back({"message", hit.message});
  }
  for (const auto& [guard, specs] : guards_) {
    if (guards.contains(guard)) continue;
    out.push_back(line_of(LogLevel::Info, "guard holds back nothing any more"));
    out.back().fields.push_back({"guard", std::string(to_text(guard))});
  }
  guards_ = std::move(guards);
}

}  // namespace sconverge
