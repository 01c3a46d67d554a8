#pragma once

#include <optional>
#include <string>

#include "controller/core/time.h"
#include "controller/files/root_path.h"

namespace sconverge {

/// What git says about the watched directory.
struct Checkout {
  /// The commit: git-sync's link target, else what HEAD leads to. Empty if there is none.
  std::string revision{};
  std::string git_directory{};  ///< absolute; empty if the directory is in no checkout
  std::string lock{};           ///< why nothing may be read now: git is writing
  std::string error{};          ///< what could not be read; then nothing else is known

  friend bool operator==(const Checkout&, const Checkout&) = default;
};

/// Looks for ".git" in the root and its parents on the same file system, as git does; follows
/// "gitdir:" files (worktrees, submodules). A missing or foreign ".git" is no error.
Checkout look_at_checkout(FileSystem& files, const Root& root, TimePoint now);

/// The commit in the name of what one of `link_targets` leads to, as git-sync publishes:
/// ".worktrees/<40 or 64 hexadecimal digits>".
std::string published_commit(const std::vector<std::string>& link_targets);

}  // namespace sconverge
