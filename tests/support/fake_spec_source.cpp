#include "tests/support/fake_spec_source.h"

namespace sconverge::test {

void FakeSpecSource::set(const JobSpec& spec) {
  specs_[spec.name] = std::make_shared<JobSpec>(spec);
  invalid_.erase(spec.name);
  unreadable_.erase(spec.name);
  changed();
}

void FakeSpecSource::remove(const SpecName& name) {
  specs_.erase(name);
  invalid_.erase(name);
  unreadable_.erase(name);
  changed();
}

void FakeSpecSource::remove_all() {
  specs_.clear();
  invalid_.clear();
  unreadable_.clear();
  changed();
}

void FakeSpecSource::make_invalid(const SpecName& name, const std::string& what) {
  unreadable_.erase(name);
  invalid_[name] = what;
  changed();
}

void FakeSpecSource::make_unreadable_text(const SpecName& name) {
  invalid_.erase(name);
  unreadable_.insert(name);
  changed();
}

void FakeSpecSource::make_incomplete(const std::string& reason, bool seen) {
  incomplete_ = reason;
  seen_ = seen;
  changed();
}

void FakeSpecSource::make_complete() {
  incomplete_.clear();
  changed();
}

Desired FakeSpecSource::read() {
  scan_.trigger = !read_before_     ? ScanTrigger::Startup
                  : unread_changes_ ? ScanTrigger::Event
                                    : ScanTrigger::Poll;
  scan_.events = {{WatchEvent::Modify, unread_changes_ ? 1 : 0}};
  read_before_ = true;
  unread_changes_ = false;
  Desired desired;
  desired.complete = incomplete_.empty();
  desired.incomplete_reason = incomplete_;
  desired.revision = revision_.empty() ? "change-" + std::to_string(changes_) : revision_;
  if (!desired.complete && !seen_) return desired;

  for (const auto& [name, spec] : specs_) {
    if (const auto wrong = invalid_.find(name); wrong != invalid_.end()) {
      const Problem problem = problem_of(name, ProblemKind::Schema, wrong->second);
      desired.invalid[name] = {problem};
      desired.problems.push_back(problem);
      desired.invalid_files.insert(spec->file);
    } else if (unreadable_.contains(name)) {
      desired.problems.push_back(problem_of(name, ProblemKind::Syntax, "a quote is not closed"));
      desired.invalid_files.insert(spec->file);
      desired.names_known = false;
    } else {
      desired.specs[name] = spec;
      ++desired.valid_files;
    }
  }
  return desired;
}

bool FakeSpecSource::wait(milliseconds /*timeout*/, const std::stop_token& /*stop*/) {
  return unread_changes_;
}

Problem FakeSpecSource::problem_of(const SpecName& name, ProblemKind kind,
                                   const std::string& what) const {
  return Problem{.file = specs_.at(name)->file,
                 .line = 7,
                 .column = 3,
                 .field = kind == ProblemKind::Syntax ? "" : "spec.job.time_limit",
                 .what = what,
                 .remedy = "write it as the manual says",
                 .kind = kind};
}

void FakeSpecSource::changed() {
  ++changes_;
  unread_changes_ = true;
}

}  // namespace sconverge::test
