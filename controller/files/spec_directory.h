#pragma once

#include <functional>
#include <memory>
#include <string>

#include "controller/core/time.h"
#include "controller/ports/spec_source.h"

namespace sconverge {

struct DirectoryOptions {
  std::string root;  ///< may be relative, a link, and need not exist yet

  /// A change is taken when it is this old; half-written files are neither accepted nor refused.
  milliseconds quiet{250};

  /// The directory is looked at this often, events or not.
  milliseconds poll{10000};

  /// False: poll only.
  bool inotify{true};

  /// Called within read() and wait() when inotify cannot watch everything, when it can again, and
  /// when it lost events.
  std::function<void(const std::string& message)> say{};
};

/// A directory of spec files. One thread calls at a time; no thread of its own.
///
/// PROMISES, each held by a test in tests/files/:
///   - `complete` only if every spec file, and every script named by one, was read in one state in
///     which all of them were at the same moment. A missing, unreadable or unmounted directory and
///     any I/O error make the snapshot incomplete, and the reason says what to mend;
///   - what is still being written (settling.h) is waited for, up to four quiet periods in read();
///     then the snapshot is incomplete;
///   - nothing is read while git holds `index.lock`;
///   - pipes, devices, sockets and what links outside of the directory are never opened;
///   - only changed files are parsed again;
///   - the directory may be moved, removed, made again, or its link turned to another one.
///
/// A directory that had specs and is empty on another file system than before counts as an
/// unmounted one. That memory does not outlive the process: after a restart an empty directory is
/// complete and empty.
std::unique_ptr<SpecSource> watch_directory(DirectoryOptions options);

}  // namespace sconverge
