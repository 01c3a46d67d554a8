#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "controller/files/directory_look.h"
#include "controller/files/settling.h"
#include "specs/job_spec.h"
#include "specs/read.h"

namespace sconverge {

/// What a script file named by a spec was when it was read, or why it could not be.
struct ScriptState {
  std::string name;        ///< as the spec says
  std::string physical{};  ///< relative to the root
  Signature signature{};
  std::string error{};

  friend bool operator==(const ScriptState&, const ScriptState&) = default;
};

/// One file, read.
struct LoadedFile {
  std::string physical{};
  Signature signature{};
  std::vector<ScriptState> scripts{};
  std::vector<JobSpecPtr> specs{};  ///< empty if there are problems
  std::vector<Problem> problems{};
  std::vector<Problem> notes{};
  std::vector<SpecName> names{};
  bool names_known{true};
  bool ignored{false};   ///< a script that is no spec
  std::string digest{};  ///< of the file and its scripts
};

enum class Freshness { Fresh, Stale, Failed };

enum class Loading {
  Taken,
  Unsettled,  ///< somebody may still be writing it, or one of its scripts
  Changed,    ///< it is no longer what the look saw
  Failed,     ///< an I/O error
};

struct LoadResult {
  Loading loading{Loading::Taken};
  milliseconds settles_in{0};  ///< Unsettled
  Problem problem{};           ///< Failed
};

using SpecReader =
    std::function<SpecFile(std::string_view text, const std::string& file, const ScriptReader&)>;

/// What the files of a directory declare; a file is read again only when its signature, or that of
/// a script it names, has changed.
class SpecCache {
 public:
  SpecCache(FileSystem& files, SpecReader reader, milliseconds quiet)
      : files_(files), reader_(std::move(reader)), settling_(quiet) {}

  /// Null if the entry's present state was never taken. Stays valid until the file is loaded again
  /// or forgotten.
  [[nodiscard]] const LoadedFile* find(const Entry& entry) const;

  /// Whether the scripts that `known` names are as they were. Failed sets `problem`.
  Freshness freshness(const Root& root, const Entry& entry, const LoadedFile& known,
                      Problem& problem);

  /// Reads the entry's file.
  LoadResult load(const Root& root, const Entry& entry, TimePoint now);

  /// The snapshot is whole: forgets files that are in it no more, and what was not settled.
  void keep_only(const std::vector<Entry>& entries);

 private:
  struct Reading;

  int read_regular(const Root& root, const std::string& physical, const Signature& expected,
                   std::string& text, bool& changed);
  int script_state(const Root& root, const Entry& entry, ScriptState& state);
  ScriptText read_script(const std::string& name, Reading& reading);
  void take_spec(const std::string& text, Reading& reading);

  FileSystem& files_;
  SpecReader reader_;
  Settling settling_;
  std::unordered_map<std::string, LoadedFile> loaded_;  // by path
};

}  // namespace sconverge
