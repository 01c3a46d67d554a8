#include "controller/files/checkout.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "controller/core/result.h"

namespace sconverge {
namespace {

constexpr std::size_t kMaxGitFileBytes = 64 * 1024 * 1024;  // packed-refs of a large repository
constexpr int kMaxSymbolicRefs = 5;                         // as git: refs/files-backend.c
constexpr std::chrono::minutes kStaleLock{5};

bool is_commit(std::string_view text) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return (text.size() == 40 || text.size() == 64) && std::all_of(text.begin(), text.end(), is_hex);
}

std::string without_line_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

Error unreadable(const std::string& path, int error) {
  return {ErrorKind::Unavailable, "cannot read " + path + ": " + error_text(error)};
}

// The text of a file; nullopt if there is none.
using Text = Result<std::optional<std::string>>;

Text read_file(FileSystem& files, const std::string& path) {
  const UniqueFd fd(files.open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  if (fd.get() == -ENOENT || fd.get() == -ENOTDIR) return std::optional<std::string>();
  if (!fd.is_open()) return unreadable(path, -fd.get());
  struct stat stat {};
  if (const int result = files.stat_open(fd.get(), stat); result < 0) {
    return unreadable(path, -result);
  }
  if (!S_ISREG(stat.st_mode)) return std::optional<std::string>();
  std::string text;
  if (const int result = read_text(files, fd.get(), kMaxGitFileBytes, text); result < 0) {
    return unreadable(path, -result);
  }
  return std::optional<std::string>(std::move(text));
}

std::string absolute(const std::string& directory, const std::string& path) {
  return path.starts_with('/') ? path : join_path(directory, path);
}

// The git directory that `directory`/.git is or names; empty if there is none.
Result<std::string> git_directory_in(FileSystem& files, const std::string& directory) {
  std::string found = join_path(directory, ".git");
  struct stat stat {};
  const int result = files.stat_at(AT_FDCWD, found, true, stat);
  if (result == -ENOENT || result == -ENOTDIR) return std::string();
  if (result < 0) return unreadable(found, -result);
  if (S_ISREG(stat.st_mode)) {
    const Text text = read_file(files, found);
    if (!text) return text.error();
    constexpr std::string_view kPrefix = "gitdir: ";
    if (!text->has_value() || !(*text)->starts_with(kPrefix)) return std::string();
    found = absolute(directory, without_line_end((*text)->substr(kPrefix.size())));
  }
  const Text head = read_file(files, join_path(found, "HEAD"));
  if (!head) return head.error();
  return head->has_value() ? found : std::string();
}

Result<std::string> find_git_directory(FileSystem& files, const Root& root) {
  std::string directory = root.path;
  while (true) {
    Result<std::string> found = git_directory_in(files, directory);
    if (!found || !found->empty() || directory == "/") return found;
    const std::string parent = parent_path(directory);
    directory = parent.empty() ? "/" : parent;
    struct stat stat {};
    if (const int result = files.stat_at(AT_FDCWD, directory, true, stat); result < 0) {
      return unreadable(directory, -result);
    }
    if (stat.st_dev != root.device) return std::string();
  }
}

std::string packed_commit(std::string_view packed, std::string_view ref) {
  std::size_t begin = 0;
  while (begin < packed.size()) {
    const std::size_t end = std::min(packed.find('\n', begin), packed.size());
    const std::string_view line = packed.substr(begin, end - begin);
    const std::size_t space = line.find(' ');
    if (space != std::string_view::npos && line.substr(space + 1) == ref) {
      return std::string(line.substr(0, space));
    }
    begin = end + 1;
  }
  return {};
}

// A worktree's own git directory holds HEAD; the refs are in the one it shares.
Result<std::string> shared_directory(FileSystem& files, const std::string& git_directory) {
  const Text text = read_file(files, join_path(git_directory, "commondir"));
  if (!text) return text.error();
  if (!text->has_value()) return git_directory;
  return absolute(git_directory, without_line_end(**text));
}

Result<std::string> head_commit(FileSystem& files, const std::string& git_directory) {
  const Result<std::string> shared = shared_directory(files, git_directory);
  if (!shared) return shared.error();
  Text text = read_file(files, join_path(git_directory, "HEAD"));
  for (int i = 0; i < kMaxSymbolicRefs; ++i) {
    if (!text) return text.error();
    const std::string value = without_line_end(text->value_or(""));
    if (is_commit(value)) return value;
    constexpr std::string_view kPrefix = "ref: ";
    if (!value.starts_with(kPrefix)) return std::string();
    const std::string ref = value.substr(kPrefix.size());
    if (!ref.starts_with("refs/") || ref.find("..") != std::string::npos) return std::string();
    text = read_file(files, join_path(*shared, ref));
    if (text.ok() && !text->has_value()) {
      const Text packed = read_file(files, join_path(*shared, "packed-refs"));
      if (!packed) return packed.error();
      text = std::optional<std::string>(packed_commit(packed->value_or(""), ref));
    }
  }
  return std::string();
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Why git's lock forbids reading; empty if there is none.
Result<std::string> lock_reason(FileSystem& files, const std::string& git_directory,
                                TimePoint now) {
  const std::string path = join_path(git_directory, "index.lock");
  struct stat stat {};
  const int result = files.stat_at(AT_FDCWD, path, false, stat);
  if (result == -ENOENT) return std::string();
  if (result < 0) return unreadable(path, -result);
  std::string reason = "git is changing the directory: " + path + " exists";
  const auto age = now - TimePoint(seconds(stat.st_mtim.tv_sec));
  if (age >= kStaleLock) {
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(age).count();
    reason += " for " + std::to_string(minutes) +
              " minutes; if no git process is at work there, remove it: rm -f " +
              shell_quoted(path);
  }
  return reason;
}

}  // namespace

Checkout look_at_checkout(FileSystem& files, const Root& root, TimePoint now) {
  Checkout checkout;
  const Result<std::string> git_directory = find_git_directory(files, root);
  if (!git_directory) return checkout.error = git_directory.error().message, checkout;
  checkout.git_directory = *git_directory;
  checkout.revision = published_commit(root.link_targets);
  if (git_directory->empty()) return checkout;
  const Result<std::string> lock = lock_reason(files, *git_directory, now);
  if (!lock) return checkout.error = lock.error().message, checkout;
  checkout.lock = *lock;
  if (!checkout.lock.empty() || !checkout.revision.empty()) return checkout;
  const Result<std::string> commit = head_commit(files, *git_directory);
  if (!commit) return checkout.error = commit.error().message, checkout;
  checkout.revision = *commit;
  return checkout;
}

std::string published_commit(const std::vector<std::string>& link_targets) {
  for (std::string target : link_targets) {
    while (target.ends_with('/')) target.pop_back();
    std::string name = target.substr(target.rfind('/') + 1);
    if (is_commit(name)) return name;
  }
  return {};
}

}  // namespace sconverge
