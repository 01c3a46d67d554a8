#pragma once

#include <map>
#include <set>
#include <string>

#include "controller/ports/spec_source.h"

namespace sconverge::test {

/// A directory of specs in memory. Complete from the start, and without specs. One thread.
class FakeSpecSource : public SpecSource {
 public:
  /// Declares a spec anew, or for the first time; mends a file that was invalid.
  void set(const JobSpec& spec);
  void remove(const SpecName& name);
  void remove_all();

  /// The file of a declared spec can no longer be used; the name is still told.
  void make_invalid(const SpecName& name, const std::string& what = "\"2hh\" is not a duration");
  /// The file of a declared spec has a syntax error: the name is not even told any more.
  void make_unreadable_text(const SpecName& name);

  /// Nothing can be read whole until `make_complete`. What was declared may then be seen only in
  /// part: `seen` tells whether the specs are in the snapshot all the same.
  void make_incomplete(const std::string& reason, bool seen = false);
  void make_complete();

  void set_revision(const std::string& revision) { revision_ = revision; }

  [[nodiscard]] bool declares(const SpecName& name) const { return specs_.contains(name); }
  [[nodiscard]] bool complete() const { return incomplete_.empty(); }
  [[nodiscard]] const std::map<SpecName, JobSpecPtr>& specs() const { return specs_; }

  Desired read() override;
  SourceScan last_scan() const override { return scan_; }
  /// Returns at once; no time passes. True if something changed since the last read.
  bool wait(milliseconds timeout, const std::stop_token& stop) override;

 private:
  Problem problem_of(const SpecName& name, ProblemKind kind, const std::string& what) const;
  void changed();

  std::map<SpecName, JobSpecPtr> specs_;
  std::map<SpecName, std::string> invalid_;  ///< what is wrong
  std::set<SpecName> unreadable_;
  std::string incomplete_{};
  bool seen_{false};
  int changes_{0};
  bool unread_changes_{false};
  SourceScan scan_{ScanTrigger::Startup};
  bool read_before_{false};
  std::string revision_{};
};

}  // namespace sconverge::test
