#include "controller/files/root_path.h"

#include <fcntl.h>

#include <cerrno>
#include <deque>

namespace sconverge {
namespace {

constexpr int kMaxLinks = 40;  // as the kernel: path_resolution(7)

void prepend(std::deque<std::string>& todo, const std::string& path) {
  const std::vector<std::string> names = components_of(path);
  todo.insert(todo.begin(), names.begin(), names.end());
}

std::string failure(const std::string& path, int error) {
  if (error == ENOENT) return path + " does not exist";
  if (error == ENOTDIR) return path + " is not a directory";
  if (error == ELOOP) return path + " is a link that leads back to itself";
  return "cannot read " + path + ": " + error_text(error);
}

// Finds the path without links, noting every hop. Zero or a negative errno; then `root.path` is
// where it failed.
int follow(FileSystem& files, Root& root) {
  std::deque<std::string> todo;
  prepend(todo, root.given);
  root.path = "/";
  int links = 0;
  while (!todo.empty()) {
    const std::string name = todo.front();
    todo.pop_front();
    if (name == ".") continue;
    if (name == "..") {
      const std::string parent = parent_path(root.path);
      root.path = parent.empty() ? "/" : parent;
      continue;
    }
    const std::string here = join_path(root.path, name);
    root.hops.push_back({root.path, name});
    struct stat stat {};
    int result = files.stat_at(AT_FDCWD, here, false, stat);
    if (result == 0 && S_ISLNK(stat.st_mode)) {
      std::string target;
      result = ++links > kMaxLinks ? -ELOOP : files.read_link(AT_FDCWD, here, target);
      if (result == 0) {
        root.link_targets.push_back(target);
        if (target.starts_with('/')) root.path = "/";
        prepend(todo, target);
        continue;
      }
    }
    root.path = here;
    if (result < 0) return result;
  }
  return 0;
}

int open_followed(FileSystem& files, Root& root) {
  const int fd = files.open_at(AT_FDCWD, root.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (fd < 0) return fd;
  root.fd = UniqueFd(fd);
  struct stat stat {};
  if (const int result = files.stat_open(fd, stat); result < 0) return result;
  root.device = stat.st_dev;
  root.inode = stat.st_ino;
  return files.is_remote(fd, root.remote);
}

// What remains of an absolute link target below the root, if it is there by name.
bool strip_root(const Root& root, std::string& target) {
  for (const std::string& prefix : {root.path, root.given}) {
    if (target == prefix || target.starts_with(join_path(prefix, ""))) {
      target.erase(0, prefix.size());
      return true;
    }
  }
  return false;
}

// One link on the way. False if it leaves the root.
bool step_into_link(const Root& root, std::string target, std::string& here,
                    std::deque<std::string>& todo) {
  if (target.starts_with('/')) {
    if (!strip_root(root, target)) return false;
    here.clear();
  }
  prepend(todo, target);
  return true;
}

}  // namespace

Root open_root(FileSystem& files, const std::string& given) {
  Root root;
  root.given = given;
  if (given.empty()) {
    root.error = "no directory is named";
    return root;
  }
  int result = follow(files, root);
  if (result == 0) result = open_followed(files, root);
  if (result < 0) {
    root.error = failure(root.path, -result);
    if (root.path != given) root.error += " (on the way of " + given + ")";
  }
  return root;
}

std::string absolute_path(const Root& root, const std::string& path) {
  return path.empty() ? root.path : join_path(root.path, path);
}

Place resolve_inside(FileSystem& files, const Root& root, const std::string& path,
                     std::vector<NameInDirectory>* hops) {
  Place place;
  std::deque<std::string> todo;
  prepend(todo, path);
  std::string here;
  int links = 0;
  place.target = path;
  while (!todo.empty()) {
    const std::string name = todo.front();
    todo.pop_front();
    if (name == ".") continue;
    if (name == "..") {
      if (here.empty()) return place.kind = PlaceKind::Outside, place;
      here = parent_path(here);
      continue;
    }
    place.path = join_path(here, name);
    if (hops != nullptr) hops->push_back({here, name});
    const int result = files.stat_at(root.fd.get(), place.path, false, place.stat);
    if (result == -ENOENT || result == -ENOTDIR) return place.kind = PlaceKind::Missing, place;
    if (result < 0) return place.error = -result, place;
    if (!S_ISLNK(place.stat.st_mode)) {
      here = place.path;
      continue;
    }
    if (++links > kMaxLinks) return place.kind = PlaceKind::Loop, place;
    if (const int error = files.read_link(root.fd.get(), place.path, place.target); error < 0) {
      return place.error = -error, place;
    }
    if (!step_into_link(root, place.target, here, todo)) {
      return place.kind = PlaceKind::Outside, place;
    }
  }
  if (!here.empty() && place.path == here) return place.kind = PlaceKind::Inside, place;
  place.path = here;
  const int result = here.empty() ? files.stat_open(root.fd.get(), place.stat)
                                  : files.stat_at(root.fd.get(), here, false, place.stat);
  if (result == -ENOENT) return place.kind = PlaceKind::Missing, place;
  if (result < 0) return place.error = -result, place;
  place.kind = PlaceKind::Inside;
  return place;
}

}  // namespace sconverge
