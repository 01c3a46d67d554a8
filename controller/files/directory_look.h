#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "controller/files/root_path.h"
#include "specs/problem.h"

namespace sconverge {

enum class EntryKind {
  Spec,        ///< a regular file with a spec's ending
  Script,      ///< a regular file with an sbatch script's ending
  Refused,     ///< declares something, but must not be read: a pipe, a link that leaves, ...
  Unreadable,  ///< an I/O error, or a link to nothing
};

struct Entry {
  std::string path;      ///< as people see it, relative to the root
  std::string physical;  ///< without links, relative to the root
  EntryKind kind{EntryKind::Spec};
  Signature signature{};  ///< Spec, Script
  Problem problem{};      ///< Refused, Unreadable

  friend bool operator==(const Entry&, const Entry&) = default;
};

struct SeenDirectory {
  std::string physical;  ///< relative to the root; empty: the root itself
  std::uint64_t device;
  std::uint64_t inode;
  std::size_t above;    ///< index of the directory that led here; the root's is its own
  int entries_below{};  ///< entries in it and in its sub-directories
};

/// One walk over the directory: all names and signatures, no content.
struct Look {
  std::vector<Entry> entries{};  ///< sorted by path
  std::vector<SeenDirectory> directories{};
  std::vector<NameInDirectory> hops{};  ///< names that links lead over
  int ignored_files{0};
  bool moved{false};  ///< something vanished while the walk went on

  [[nodiscard]] bool has_unreadable() const;
};

/// Hidden and temporary names, and what is no spec, are left out. A file or directory that several
/// paths lead to is taken once, by its own path if it has one that is not hidden.
Look look_at_directory(FileSystem& files, const Root& root);

}  // namespace sconverge
