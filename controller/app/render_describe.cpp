#include "controller/app/render_describe.h"

#include <algorithm>

#include "controller/app/printable.h"
#include "controller/app/render_get.h"
#include "controller/app/time_text.h"
#include "controller/app/words.h"
#include "controller/core/diff.h"

namespace sconverge {
namespace {

constexpr std::size_t kShownIndexes = 400;  // bytes of text

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

/// "Name:         train".
std::string entry(std::string_view label, const std::string& value) {
  static constexpr std::size_t label_width = 14;
  if (value.empty()) return "";
  std::string line = std::string(label) + ":";
  line.append(line.size() < label_width ? label_width - line.size() : 1, ' ');
  return line + printable(value) + "\n";
}

std::string ago(TimePoint time, TimePoint now) {
  if (time == TimePoint{}) return "";
  return time_text(time) + " (" + age_text(now - time) + " ago)";
}

std::string status_section(const Published& published, const SpecStatus& status, TimePoint now,
                           Paint paint) {
  const Verdict& verdict = status.verdict;
  std::string out = entry("Name", status.name.name);
  out += entry("Namespace", status.name.name_space);
  out += entry("Cluster", published.cluster);
  const std::string phase(to_text(verdict.phase));
  // The colour is put around the word after the line has been made printable.
  std::string line = entry("Phase", phase);
  if (const auto at = line.find(phase); at != std::string::npos) {
    line.replace(at, phase.size(), paint(style_of(verdict.phase), phase));
  }
  out += line;
  out += entry("Reason", std::string(to_text(verdict.reason)));
  out += entry("Message", verdict.message);
  out += entry("Job", status.job ? to_text(*status.job) : "");
  out += entry("Attempt", status.attempt > 0 ? attempt_text(status.run, status.attempt) : "");
  out += entry("Tasks", status.tasks ? to_text(*status.tasks) : "");
  out += entry("Exit code", status.exit_code ? std::to_string(*status.exit_code) : "");
  out += entry("Since", ago(status.since, now));
  out += entry("Accepted", ago(status.accepted_at, now));
  out += entry("Generation", status.generation);
  out += entry("Revision", published.revision);
  out += entry("File", status.file);
  out += entry("Removed", status.removed ? "yes: it is no longer declared" : "");
  return out;
}

std::string map_section(std::string_view title, const std::map<std::string, std::string>& map) {
  if (map.empty()) return "";
  std::string out = std::string(title) + ":\n";
  for (const auto& [key, value] : map) out += "  " + printable(key) + "=" + printable(value) + "\n";
  return out;
}

std::string spec_section(const JobSpec& spec) {
  std::string out =
      map_section("Labels", spec.labels) + map_section("Annotations", spec.annotations);
  out += "Spec:\n";
  std::size_t width = std::string_view("on delete").size();
  for (const auto& [field, value] : spec.job) width = std::max(width, columns_of(field));
  const auto line = [&](std::string_view name, const std::string& value) {
    out += "  " + std::string(name) + std::string(width + 2 - columns_of(name), ' ') +
           printable(value) + "\n";
  };
  for (const auto& [field, value] : spec.job) line(field, field_text(field, value));
  line("script", script_size_text(spec.script));
  line("on delete", spec.on_delete == OnDelete::Cancel ? "Cancel" : "Orphan");
  if (spec.suspend) line("suspend", "true");
  if (is_protected(spec)) line("protected", "true");
  return out;
}

std::string remark(const Attempt& attempt) {
  std::string text = attempt.outcome ? attempt.outcome->message : attempt.reason;
  if (!attempt.outcome && !attempt.send_error.empty()) text = attempt.send_error;
  if (attempt.cancel) {
    text = "cancelled, because " + std::string(because_text(attempt.cancel->cause)) +
           (text.empty() ? "" : "; " + text);
  }
  return text;
}

std::vector<Cell> attempt_row(const Attempt& attempt, TimePoint now) {
  const auto age = [&](const std::optional<TimePoint>& time) {
    return time && *time != TimePoint{} ? age_text(now - *time) + " ago" : std::string("-");
  };
  std::string exit = "-";
  std::optional<TimePoint> ended;
  std::string state = attempt.state.words;
  if (attempt.outcome) {
    const Outcome& outcome = *attempt.outcome;
    if (outcome.exit_code) exit = std::to_string(*outcome.exit_code);
    if (outcome.signal && *outcome.signal != 0) exit = "signal " + std::to_string(*outcome.signal);
    ended = outcome.ended;
    if (!outcome.state.empty()) state = outcome.state;
  }
  return {{attempt_text(attempt.run, attempt.attempt)},
          {attempt.generation},
          {attempt.job ? to_text(*attempt.job) : "-"},
          {attempt.outcome ? std::string(to_text(attempt.outcome->kind)) : "-"},
          {state.empty() ? "-" : state},
          {exit},
          {age(attempt.intended)},
          {age(attempt.started)},
          {age(ended)},
          {remark(attempt)}};
}

std::string indented(const std::string& lines) {
  std::string out;
  bool at_start = true;
  for (const char c : lines) {
    if (at_start) out += "  ";
    out += c;
    at_start = c == '\n';
  }
  return out;
}

std::string attempts_section(const std::vector<Attempt>& attempts, TimePoint now, Paint paint) {
  if (attempts.empty()) return "Attempts:     none\n";
  std::vector<std::vector<Cell>> rows;
  rows.reserve(attempts.size());
  for (const auto& attempt : attempts) rows.push_back(attempt_row(attempt, now));
  return "Attempts:\n" + indented(table_text({"ATTEMPT", "GENERATION", "JOB", "OUTCOME", "STATE",
                                              "EXIT", "SENT", "STARTED", "ENDED", "REMARK"},
                                             rows, paint));
}

/// The tasks of the array that the status is about, those that ended otherwise first.
std::string tasks_section(const SpecStatus& status, const std::vector<Attempt>& attempts,
                          Paint paint) {
  const auto shown = std::find_if(attempts.rbegin(), attempts.rend(), [&](const Attempt& attempt) {
    return attempt.run == status.run && attempt.attempt == status.attempt;
  });
  if (shown == attempts.rend() || shown->tasks.empty()) return "";
  std::vector<std::vector<Cell>> rows;
  const auto add = [&](const std::string& state, const std::string& exit, const IndexSet& indexes,
                       Style style) {
    if (indexes.empty()) return;
    rows.push_back({{state, style},
                    {std::to_string(indexes.size())},
                    {exit},
                    {to_text(indexes, kShownIndexes)}});
  };
  for (const TaskEnd& end : shown->tasks.ended) {
    if (end.base == BaseState::Completed) continue;
    std::string exit = end.exit_code ? std::to_string(*end.exit_code) : "-";
    if (end.signal.value_or(0) != 0) exit = "signal " + std::to_string(*end.signal);
    add(end.base == BaseState::Other ? "lost" : end.state, exit, end.indexes,
        end.base == BaseState::Cancelled ? Style::Dim : Style::Red);
  }
  add("running", "-", shown->tasks.running, Style::Cyan);
  add("pending", "-", shown->tasks.pending, Style::Yellow);
  add("COMPLETED", "0", shown->tasks.succeeded(), Style::Green);
  add("not seen", "-", missing_tasks(*shown), Style::Plain);
  return "Tasks:\n" + indented(table_text({"STATE", "COUNT", "EXIT", "INDEXES"}, rows, paint));
}

std::string guards_section(const Published& published, const SpecName& name) {
  std::string out;
  for (const auto& hit : published.guards) {
    if (std::find(hit.specs.begin(), hit.specs.end(), name) == hit.specs.end()) continue;
    out += "  " + std::string(to_text(hit.guard)) + ": " + printable(hit.message) + "\n";
  }
  return out.empty() ? "" : "Guards:\n" + out;
}

std::string names_only(const std::vector<std::string>& environment) {
  std::string out;
  for (const auto& variable : environment) {
    out += (out.empty() ? "" : ", ") + variable.substr(0, variable.find('='));
  }
  return out;
}

}  // namespace

std::string field_text(std::string_view field, const FieldValue& value) {
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  return field == "environment" && list != nullptr ? names_only(*list) : to_text(value);
}

std::string script_size_text(std::string_view script) {
  auto lines = static_cast<std::size_t>(std::count(script.begin(), script.end(), '\n'));
  if (!script.empty() && !script.ends_with('\n')) ++lines;
  return counted(lines, "line") + ", " + counted(script.size(), "byte");
}

std::string describe_text(const Published& published, const SpecStatus& status,
                          const SpecHistory& history, TimePoint now, Paint paint) {
  std::string out = status_section(published, status, now, paint);
  if (history.accepted) out += spec_section(*history.accepted);
  out += attempts_section(history.attempts, now, paint);
  out += tasks_section(status, history.attempts, paint);
  out += guards_section(published, status.name);
  return out;
}

}  // namespace sconverge
