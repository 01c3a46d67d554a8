#pragma once

#include <string>
#include <vector>

#include "specs/problem.h"

namespace sconverge {

/// Gathers the problems of one file, in the order of the text, and apart from them its notes: what
/// Slurm would take without a word and most likely is not meant. Keeps the first 1,000 of each and
/// counts further problems, so that a hostile file cannot fill memory or a screen.
class ProblemSink {
 public:
  explicit ProblemSink(std::string file) : file_(std::move(file)) {}

  void add(Problem problem);
  void note(Problem problem);
  [[nodiscard]] bool empty() const { return problems_.empty(); }
  /// How many were added so far: equal marks mean no problem in between.
  using Mark = std::size_t;
  [[nodiscard]] Mark mark() const { return problems_.size() + dropped_; }
  [[nodiscard]] bool full() const { return problems_.size() >= kMaxProblems; }

  /// All problems, sorted by place. Leaves the sink empty.
  std::vector<Problem> take();
  std::vector<Problem> take_notes();

 private:
  static constexpr std::size_t kMaxProblems = 1000;

  std::string file_;
  std::vector<Problem> problems_{};
  std::vector<Problem> notes_{};
  std::size_t dropped_{0};
};

}  // namespace sconverge
