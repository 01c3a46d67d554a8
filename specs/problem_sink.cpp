#include "specs/problem_sink.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sconverge {
namespace {

void sort_by_place(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
}

}  // namespace

void ProblemSink::add(Problem problem) {
  if (full()) {
    ++dropped_;
    return;
  }
  problem.file = file_;
  problems_.push_back(std::move(problem));
}

void ProblemSink::note(Problem problem) {
  if (notes_.size() >= kMaxProblems) return;
  problem.file = file_;
  notes_.push_back(std::move(problem));
}

std::vector<Problem> ProblemSink::take_notes() {
  sort_by_place(notes_);
  return std::exchange(notes_, {});
}

std::vector<Problem> ProblemSink::take() {
  sort_by_place(problems_);
  if (dropped_ > 0) {
    problems_.push_back({.file = file_,
                         .line = 0,
                         .column = 0,
                         .field = "",
                         .what = std::to_string(dropped_) + " further problems are not listed",
                         .remedy = "mend those above first"});
  }
  dropped_ = 0;
  return std::exchange(problems_, {});
}

}  // namespace sconverge
