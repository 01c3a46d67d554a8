#include "specs/sbatch_reading.h"

#include <algorithm>

#include "specs/job_field.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

// A control character but tab and line feed, as in the fields of `job:`.
bool is_control(char c) { return (c >= 0 && c < 0x20 && c != '\t' && c != '\n') || c == 0x7F; }

std::string naming(const SbatchOption& option) {
  std::string name = "--" + std::string(option.name);
  // Where the line says something else, show it; but for variables, whose values may be secret.
  if (!option.text.starts_with('#') || option.name == "export") return name;
  return in_quotes(option.text) + " (" + name + ")";
}

ScriptProblem problem_at(const SbatchOption& option, std::string what, std::string remedy) {
  ScriptProblem problem;
  problem.line = option.line;
  problem.column = option.column;
  problem.what = std::move(what);
  problem.remedy = std::move(remedy);
  problem.option = std::string(option.name);
  return problem;
}

}  // namespace

void SbatchReading::begin(const SbatchOption& option) {
  given_[option.name] = Given{&option, count_++};
}

const SbatchOption* SbatchReading::given(std::string_view name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? nullptr : found->second.option;
}

const SbatchOption* SbatchReading::last_given(std::initializer_list<std::string_view> names) const {
  const Given* last = nullptr;
  for (const std::string_view name : names) {
    const auto found = given_.find(name);
    if (found == given_.end()) continue;
    if (last == nullptr || last->place < found->second.place) last = &found->second;
  }
  return last == nullptr ? nullptr : last->option;
}

void SbatchReading::refuse(const SbatchOption& option, std::string_view what, std::string remedy,
                           ProblemKind kind) {
  request.problems.push_back(
      problem_at(option, naming(option) + ": " + std::string(what), std::move(remedy)));
  request.problems.back().kind = kind;
}

void SbatchReading::note(const SbatchOption& option, std::string_view what, std::string remedy) {
  request.notes.push_back(
      problem_at(option, naming(option) + ": " + std::string(what), std::move(remedy)));
}

void SbatchReading::refuse_together(std::initializer_list<std::string_view> names, std::string what,
                                    std::string remedy) {
  const SbatchOption* option = last_given(names);
  request.problems.push_back(
      problem_at(option == nullptr ? SbatchOption{} : *option, std::move(what), std::move(remedy)));
}

void SbatchReading::note_together(std::initializer_list<std::string_view> names, std::string what,
                                  std::string remedy) {
  const SbatchOption* option = last_given(names);
  request.notes.push_back(
      problem_at(option == nullptr ? SbatchOption{} : *option, std::move(what), std::move(remedy)));
}

std::string SbatchReading::wrong_value(std::string_view field, const FieldValue& value) const {
  const JobField* row = find_job_field(field);
  if (row == nullptr) return {};
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (*number < row->minimum) {
      return std::to_string(*number) + " is too small, the smallest value is " +
             std::to_string(row->minimum);
    }
    if (*number > row->maximum) {
      return std::to_string(*number) + " is too large, the largest value is " +
             std::to_string(row->maximum);
    }
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (std::any_of(text->begin(), text->end(), is_control)) return "holds a control character";
    if (row->kind == FieldKind::Text && static_cast<std::int64_t>(text->size()) > row->maximum) {
      return "is " + std::to_string(text->size()) + " bytes long, at most " +
             std::to_string(row->maximum) + " fit";
    }
  }
  const bool infinite = std::holds_alternative<Unlimited>(value);
  return infinite && row->kind != FieldKind::Minutes ? "cannot be infinite" : "";
}

void SbatchReading::set(std::string_view field, FieldValue value, const SbatchOption* option) {
  const std::string wrong = wrong_value(field, value);
  if (!wrong.empty()) {
    const SbatchOption nobody{};
    refuse(option == nullptr ? nobody : *option, wrong,
           "see the field `" + std::string(field) + "`");
    return;
  }
  request.fields.insert_or_assign(std::string(field), std::move(value));
  if (option != nullptr) request.lines.insert_or_assign(std::string(field), option->line);
}

void SbatchReading::unset(std::string_view field) {
  if (const auto at = request.fields.find(field); at != request.fields.end()) {
    request.fields.erase(at);
  }
  if (const auto at = request.lines.find(field); at != request.lines.end()) {
    request.lines.erase(at);
  }
}

}  // namespace sconverge
