#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "controller/files/directory_seams.h"
#include "controller/files/spec_directory.h"

namespace sconverge::test {

/// The real file system, with faults. Not remote, whatever the test machine's is.
class FaultyFiles : public FileSystem {
 public:
  /// The errno that the call on `path` shall fail with; zero: none. Calls on descriptors have an
  /// empty path.
  std::function<int(const std::string& call, const std::string& path)> fault;
  std::function<void(const std::string& call, const std::string& path)> before;
  bool remote{false};
  std::vector<std::string> opened;

  int open_at(int directory, const std::string& path, int flags) override;
  int open_beneath(int root, const std::string& path, int flags) override;
  int stat_at(int directory, const std::string& path, bool follow, struct stat& out) override;
  int stat_open(int fd, struct stat& out) override;
  int read_link(int directory, const std::string& path, std::string& target) override;
  int list(int fd, std::vector<DirectoryItem>& items) override;
  ssize_t read(int fd, char* buffer, std::size_t size) override;
  int is_remote(int fd, bool& result) override;

 private:
  int check(const std::string& call, const std::string& path);
};

/// A directory of its own for each test, watched at `jobs/` below it. Files are written in a small
/// language, so that these tests are about files alone: lines `job NAME`, `script FILE` (the script
/// of the job above), `bad NAME` (a refused document), `broken` (a syntax error).
///
/// It is an hour later than the files say, and only `sleep` makes time pass.
class DirectoryWorld : public testing::Test {
 protected:
  DirectoryWorld();
  ~DirectoryWorld() override;

  [[nodiscard]] std::string at(const std::string& path) const { return base + "/" + path; }
  void write(const std::string& path, const std::string& text) const;
  void make_directory(const std::string& path) const;
  void link(const std::string& target, const std::string& path) const;
  void remove(const std::string& path) const;
  void rename(const std::string& from, const std::string& to) const;
  std::string run(const std::string& command) const;  ///< in `base`; must succeed
  [[nodiscard]] TimePoint changed_at(const std::string& path) const;

  /// A source for `jobs/`, with the seams of this world.
  std::unique_ptr<SpecSource> source();
  Desired read() { return watched().read(); }
  SpecSource& watched();

  static std::vector<std::string> names(const Desired& desired);
  static std::string whats(const Desired& desired);  ///< all problems as text, a line each

  std::string base;
  std::shared_ptr<FaultyFiles> files{std::make_shared<FaultyFiles>()};
  DirectoryOptions options{};
  std::vector<std::string> parsed;  ///< files given to the reader
  std::vector<milliseconds> sleeps;
  std::function<void()> on_sleep;
  TimePoint now{};
  std::vector<std::string> said;
  std::function<int()> start_inotify;  ///< empty: the real one, as the next
  std::function<int(int fd, const std::string& path, std::uint32_t mask)> add_watch;

 private:
  SpecFile parse(std::string_view text, const std::string& file, const ScriptReader& script);

  std::unique_ptr<SpecSource> watched_;
};

}  // namespace sconverge::test
