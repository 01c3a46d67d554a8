#pragma once

#include <functional>
#include <memory>

#include "controller/files/change_hint.h"
#include "controller/files/file_system.h"
#include "controller/files/spec_cache.h"
#include "controller/files/spec_directory.h"

namespace sconverge {

/// What a watched directory needs from outside; tests replace any of it.
struct DirectorySeams {
  std::shared_ptr<FileSystem> files{std::make_shared<FileSystem>()};
  SpecReader reader{read_spec_file};
  std::function<TimePoint()> now{};                      ///< default: the system's clock
  std::function<void(milliseconds)> sleep{};             ///< default: sleeps
  decltype(HintOptions::start_inotify) start_inotify{};  ///< default: inotify
  decltype(HintOptions::add_watch) add_watch{};          ///< default: inotify
};

std::unique_ptr<SpecSource> watch_directory(DirectoryOptions options, DirectorySeams seams);

}  // namespace sconverge
