#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controller/files/file_system.h"

namespace sconverge {

struct NameInDirectory {
  std::string directory;
  std::string name;
};

/// The watched directory, opened: one directory for the whole snapshot, even if the path leads to
/// another one in the meantime.
struct Root {
  std::string given{};  ///< the path as configured, made absolute
  std::string path{};   ///< without links
  UniqueFd fd{};
  std::uint64_t device{0};
  std::uint64_t inode{0};
  bool remote{false};  ///< FileSystem::is_remote

  /// Every name (in absolute directories) that was looked up on the way, links included: the places
  /// where the path can come to lead elsewhere. Also filled when opening failed.
  std::vector<NameInDirectory> hops{};
  std::vector<std::string> link_targets{};
  std::string error{};  ///< why it could not be opened; empty: it is open
};

/// REQUIRES: `given` is absolute.
Root open_root(FileSystem& files, const std::string& given);

/// Of a path relative to the root.
std::string absolute_path(const Root& root, const std::string& path);

enum class PlaceKind {
  Inside,
  Outside,  ///< leads out of the directory
  Loop,     ///< links that lead to each other
  Missing,  ///< leads to nothing
  Failed,   ///< could not be followed, see `error`
};

/// Where a path below the root leads.
struct Place {
  PlaceKind kind{PlaceKind::Failed};
  std::string path{};    ///< Inside: relative to the root, without links; Missing: what is missing
  struct stat stat {};   ///< Inside
  std::string target{};  ///< Outside: what the link that leaves says
  int error{0};
};

/// Follows `path` (relative to the root) link by link. A link may be absolute if it leads into the
/// root by name. Every name looked up on the way is added to `hops`, its directory
/// relative to the root.
Place resolve_inside(FileSystem& files, const Root& root, const std::string& path,
                     std::vector<NameInDirectory>* hops = nullptr);

}  // namespace sconverge
