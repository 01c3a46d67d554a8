#include "controller/files/spec_cache.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <unordered_set>

namespace sconverge {
namespace {

constexpr std::size_t kMaxScriptBytes = 1024 * 1024;

Problem whole_file(const Entry& entry, ProblemKind kind, std::string what, std::string remedy) {
  return {entry.path, 0, 0, "", std::move(what), std::move(remedy), kind};
}

Problem io_problem(const Entry& entry, const std::string& name, int error) {
  const ProblemKind kind =
      error == EACCES || error == EPERM ? ProblemKind::Permission : ProblemKind::Io;
  return whole_file(entry, kind, name + "cannot be read: " + error_text(error), "make it readable");
}

void refuse(LoadedFile& file, Problem problem) {
  file.problems.push_back(std::move(problem));
  file.names_known = false;
}

std::string text_of(PlaceKind kind) {
  switch (kind) {
    case PlaceKind::Outside:
      return "leads out of the directory";
    case PlaceKind::Loop:
      return "is a link that leads back to itself";
    case PlaceKind::Missing:
      return "does not exist";
    case PlaceKind::Inside:
    case PlaceKind::Failed:
      break;
  }
  return "cannot be read";
}

}  // namespace

// One file being read, with the scripts it names.
struct SpecCache::Reading {
  const Root& root;
  const Entry& entry;
  TimePoint now;
  LoadedFile file{};
  LoadResult result{};
  std::string digests{};
};

Freshness SpecCache::freshness(const Root& root, const Entry& entry, const LoadedFile& known,
                               Problem& problem) {
  for (const ScriptState& before : known.scripts) {
    ScriptState now{before.name};
    if (const int error = script_state(root, entry, now); error != 0) {
      problem = io_problem(entry, "names the script \"" + before.name + "\", which ", error);
      return Freshness::Failed;
    }
    if (now != before) return Freshness::Stale;
  }
  return Freshness::Fresh;
}

LoadResult SpecCache::load(const Root& root, const Entry& entry, TimePoint now) {
  Reading reading{root, entry, now};
  reading.result.settles_in = settling_.remaining(entry.path, entry.signature, root.remote, now);
  if (reading.result.settles_in > milliseconds(0)) {
    reading.result.loading = Loading::Unsettled;
    return reading.result;
  }
  LoadedFile& file = reading.file;
  file.physical = entry.physical;
  file.signature = entry.signature;
  const bool is_script = entry.kind == EntryKind::Script;
  if (!is_script && entry.signature.size > static_cast<std::int64_t>(kMaxSpecFileBytes)) {
    refuse(file, whole_file(entry, ProblemKind::TooLarge,
                            "is " + std::to_string(entry.signature.size) + " bytes long; at most " +
                                std::to_string(kMaxSpecFileBytes) + " are read",
                            "split it, or name large scripts with scriptFile"));
  } else {
    std::string text;
    bool changed = false;
    const int error = read_regular(root, entry.physical, entry.signature, text, changed);
    if (changed) return {Loading::Changed, {}, {}};
    if (error != 0) return {Loading::Failed, {}, io_problem(entry, "", error)};
    take_spec(text, reading);
  }
  file.digest = sha256_hex(reading.digests);
  if (reading.result.loading == Loading::Taken) loaded_[entry.path] = std::move(file);
  return reading.result;
}

void SpecCache::take_spec(const std::string& text, Reading& reading) {
  LoadedFile& file = reading.file;
  reading.digests = sha256_hex(text);
  SpecFile read = reader_(text, reading.entry.path,
                          [&](const std::string& name) { return read_script(name, reading); });
  file.problems = std::move(read.problems);
  file.notes = std::move(read.notes);
  file.names = std::move(read.names);
  file.names_known = read.names_known;
  file.ignored = read.ignored;
  if (!file.problems.empty()) return;
  for (JobSpec& spec : read.specs) {
    file.specs.push_back(std::make_shared<const JobSpec>(std::move(spec)));
  }
}

ScriptText SpecCache::read_script(const std::string& name, Reading& reading) {
  if (reading.result.loading != Loading::Taken) return {"", "is not read"};
  ScriptState state{name};
  int error = script_state(reading.root, reading.entry, state);
  std::string text;
  bool changed = false;
  if (error == 0 && state.error.empty()) {
    const milliseconds wait =
        settling_.remaining(state.physical, state.signature, reading.root.remote, reading.now);
    if (wait > milliseconds(0)) {
      reading.result = {Loading::Unsettled, wait, {}};
      return {"", "is still being written"};
    }
    error = read_regular(reading.root, state.physical, state.signature, text, changed);
  }
  if (changed) {
    reading.result = {Loading::Changed, {}, {}};
    return {"", "changed while it was read"};
  }
  if (error != 0) {
    reading.result = {
        Loading::Failed,
        {},
        io_problem(reading.entry, "names the script \"" + name + "\", which ", error)};
    return {"", "cannot be read: " + error_text(error)};
  }
  reading.digests += sha256_hex(text);
  reading.file.scripts.push_back(state);
  if (!state.error.empty()) return {"", state.error};
  return {std::move(text), ""};
}

// Zero, or a positive errno if the script's state cannot be told.
int SpecCache::script_state(const Root& root, const Entry& entry, ScriptState& state) {
  if (state.name.empty() || state.name.starts_with('/')) {
    state.error = "is not a path relative to the spec file";
    return 0;
  }
  const Place place = resolve_inside(files_, root, join_path(parent_path(entry.path), state.name));
  if (place.kind == PlaceKind::Failed) return place.error;
  if (place.kind != PlaceKind::Inside) {
    state.error = text_of(place.kind);
    return 0;
  }
  state.physical = place.path;
  state.signature = signature_of(place.stat);
  if (!S_ISREG(place.stat.st_mode)) {
    state.error = "is not a regular file";
  } else if (place.stat.st_size > static_cast<off_t>(kMaxScriptBytes)) {
    state.error = "is " + std::to_string(place.stat.st_size) + " bytes long; at most " +
                  std::to_string(kMaxScriptBytes) + " are read";
  }
  return 0;
}

// Reads a file in the one state `expected`. Zero or a positive errno.
int SpecCache::read_regular(const Root& root, const std::string& physical,
                            const Signature& expected, std::string& text, bool& changed) {
  // O_NONBLOCK: should a pipe have taken the file's place, opening it must not wait for a writer.
  const UniqueFd fd(files_.open_beneath(root.fd.get(), physical, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  if (fd.get() == -ENOENT || fd.get() == -ELOOP || fd.get() == -ENOTDIR || fd.get() == -ENXIO) {
    changed = true;
    return 0;
  }
  if (!fd.is_open()) return -fd.get();
  struct stat stat {};
  if (const int result = files_.stat_open(fd.get(), stat); result < 0) return -result;
  changed = !S_ISREG(stat.st_mode) || signature_of(stat) != expected;
  if (changed) return 0;
  // One byte more than is allowed, so that a file that is too large is not taken for its beginning.
  const std::size_t limit = std::max(kMaxSpecFileBytes, kMaxScriptBytes) + 1;
  if (const int result = read_text(files_, fd.get(), limit, text); result < 0) return -result;
  if (const int result = files_.stat_open(fd.get(), stat); result < 0) return -result;
  changed = signature_of(stat) != expected;
  return 0;
}

const LoadedFile* SpecCache::find(const Entry& entry) const {
  const auto found = loaded_.find(entry.path);
  if (found == loaded_.end()) return nullptr;
  const LoadedFile& file = found->second;
  return file.signature == entry.signature && file.physical == entry.physical ? &file : nullptr;
}

void SpecCache::keep_only(const std::vector<Entry>& entries) {
  settling_.clear();
  if (loaded_.size() <= entries.size()) return;
  std::unordered_set<std::string_view> paths;
  for (const Entry& entry : entries) paths.insert(entry.path);
  std::erase_if(loaded_, [&](const auto& item) { return !paths.contains(item.first); });
}

}  // namespace sconverge
