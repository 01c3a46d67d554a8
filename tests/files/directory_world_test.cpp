#include "tests/files/directory_world.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "specs/sbatch_file.h"

namespace sconverge::test {

int FaultyFiles::check(const std::string& call, const std::string& path) {
  if (before) before(call, path);
  return fault ? -fault(call, path) : 0;
}

int FaultyFiles::open_at(int directory, const std::string& path, int flags) {
  if (const int failed = check("open", path); failed != 0) return failed;
  opened.push_back(path);
  return FileSystem::open_at(directory, path, flags);
}

int FaultyFiles::open_beneath(int root, const std::string& path, int flags) {
  if (const int failed = check("open", path); failed != 0) return failed;
  opened.push_back(path);
  return FileSystem::open_beneath(root, path, flags);
}

int FaultyFiles::stat_at(int directory, const std::string& path, bool follow, struct stat& out) {
  if (const int failed = check("stat", path); failed != 0) return failed;
  return FileSystem::stat_at(directory, path, follow, out);
}

int FaultyFiles::stat_open(int fd, struct stat& out) {
  if (const int failed = check("fstat", ""); failed != 0) return failed;
  return FileSystem::stat_open(fd, out);
}

int FaultyFiles::read_link(int directory, const std::string& path, std::string& target) {
  if (const int failed = check("readlink", path); failed != 0) return failed;
  return FileSystem::read_link(directory, path, target);
}

int FaultyFiles::list(int fd, std::vector<DirectoryItem>& items) {
  if (const int failed = check("list", ""); failed != 0) return failed;
  return FileSystem::list(fd, items);
}

ssize_t FaultyFiles::read(int fd, char* buffer, std::size_t size) {
  if (const int failed = check("read", ""); failed != 0) return failed;
  return FileSystem::read(fd, buffer, size);
}

int FaultyFiles::is_remote(int fd, bool& result) {
  static_cast<void>(fd);
  if (const int failed = check("statfs", ""); failed != 0) return failed;
  result = remote;
  return 0;
}

DirectoryWorld::DirectoryWorld() {
  std::string pattern = testing::TempDir() + "sconverge-files-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no temporary directory " << pattern;
  base = std::filesystem::canonical(pattern).string();
  make_directory("jobs");
  now = std::chrono::floor<milliseconds>(std::chrono::system_clock::now()) + std::chrono::hours(1);
  options.root = at("jobs");
  options.say = [this](const std::string& message) { said.push_back(message); };
}

DirectoryWorld::~DirectoryWorld() {
  watched_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(base, ignored);
}

void DirectoryWorld::write(const std::string& path, const std::string& text) const {
  std::filesystem::create_directories(std::filesystem::path(at(path)).parent_path());
  std::ofstream(at(path), std::ios::binary) << text;
}

void DirectoryWorld::make_directory(const std::string& path) const {
  std::filesystem::create_directories(at(path));
}

void DirectoryWorld::link(const std::string& target, const std::string& path) const {
  // As git-sync and the kubelet publish: a new link is renamed over the old one.
  const std::string temporary = at(path) + ".new-link";
  std::filesystem::create_symlink(target, temporary);
  std::filesystem::rename(temporary, at(path));
}

void DirectoryWorld::remove(const std::string& path) const {
  std::filesystem::remove_all(at(path));
}

void DirectoryWorld::rename(const std::string& from, const std::string& to) const {
  std::filesystem::rename(at(from), at(to));
}

std::string DirectoryWorld::run(const std::string& command) const {
  const std::string whole = "cd '" + base + "' && ( " + command + " ) 2>&1";
  std::string output;
  FILE* const pipe = ::popen(whole.c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), size);
  }
  EXPECT_EQ(::pclose(pipe), 0) << command << "\n" << output;
  while (output.ends_with('\n')) output.pop_back();
  return output;
}

TimePoint DirectoryWorld::changed_at(const std::string& path) const {
  struct stat stat {};
  EXPECT_EQ(::stat(at(path).c_str(), &stat), 0) << path;
  const std::chrono::nanoseconds stamp(signature_of(stat).ctime_ns);
  return TimePoint(std::chrono::duration_cast<milliseconds>(stamp));
}

SpecFile DirectoryWorld::parse(std::string_view text, const std::string& file,
                               const ScriptReader& script) {
  if (is_sbatch_name(file)) return read_spec_file(text, file, script);
  parsed.push_back(file);
  SpecFile result;
  std::istringstream words{std::string(text)};
  const auto problem = [&](int line, const std::string& what, ProblemKind kind) {
    result.problems.push_back({file, line, 0, "", what, "", kind});
  };
  std::string line;
  for (int number = 1; std::getline(words, line); ++number) {
    std::istringstream parts(line);
    std::string verb;
    std::string rest;
    parts >> verb >> rest;
    if (verb == "job" || verb == "bad") result.names.push_back({"default", rest});
    if (verb == "job") {
      JobSpec spec;
      spec.name = {"default", rest};
      spec.file = file;
      spec.line = number;
      result.specs.push_back(spec);
    } else if (verb == "bad") {
      problem(number, "is bad", ProblemKind::Schema);
    } else if (verb == "script") {
      result.script_files.push_back(rest);
      const ScriptText read = script(rest);
      if (!read.error.empty()) problem(number, rest + " " + read.error, ProblemKind::Schema);
      result.specs.back().script = read.text;
    } else {
      problem(number, "is no word", ProblemKind::Syntax);
      result.names_known = false;
    }
  }
  if (!result.problems.empty()) result.specs.clear();
  return result;
}

std::unique_ptr<SpecSource> DirectoryWorld::source() {
  DirectorySeams seams;
  seams.files = files;
  seams.reader = [this](std::string_view text, const std::string& file,
                        const ScriptReader& script) { return parse(text, file, script); };
  seams.now = [this] { return now; };
  seams.sleep = [this](milliseconds pause) {
    sleeps.push_back(pause);
    now += pause;
    if (on_sleep) on_sleep();
  };
  seams.start_inotify = start_inotify;
  seams.add_watch = add_watch;
  return watch_directory(options, seams);
}

SpecSource& DirectoryWorld::watched() {
  if (!watched_) watched_ = source();
  return *watched_;
}

std::vector<std::string> DirectoryWorld::names(const Desired& desired) {
  std::vector<std::string> result;
  for (const auto& [name, spec] : desired.specs) result.push_back(name.name);
  return result;
}

std::string DirectoryWorld::whats(const Desired& desired) {
  std::string text;
  for (const Problem& problem : desired.problems) text += to_text(problem) + "\n";
  return text;
}

}  // namespace sconverge::test
