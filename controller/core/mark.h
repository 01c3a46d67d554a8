#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "specs/job_spec.h"

namespace sconverge {

/// Our identity text in a Slurm job: which controller submitted it, for what. It travels in the
/// job's `comment`, after the user's own text, because Slurm keeps it over requeues and (with
/// AccountingStoreFlags=job_comment) into accounting, and lets an unprivileged user set it.
struct Mark {
  std::string controller;  ///< controller id, an RFC 1123 label
  SpecName spec;
  Generation generation;
  int run{0};
  int attempt{0};
  std::string token;  ///< unique to one attempt; the proof that a job is ours

  friend bool operator==(const Mark&, const Mark&) = default;
};

/// Slurm 24.11: a comment of 1024 bytes passes, 1025 fail with errno 2012.
inline constexpr std::size_t kMaxCommentBytes = 1024;

/// `user_text` followed by the mark.
std::string comment_with_mark(std::string_view user_text, const Mark& mark);

/// The mark in a job's comment, if it carries one that is whole and well formed. Text around it
/// does not matter; of several the last one counts.
std::optional<Mark> mark_in(std::string_view comment);

/// The comment without the mark: what the user wrote.
std::string user_text_in(std::string_view comment);

}  // namespace sconverge
