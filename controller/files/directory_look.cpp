#include "controller/files/directory_look.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "controller/files/file_names.h"

namespace sconverge {
namespace {

Problem problem_of(const std::string& path, ProblemKind kind, std::string what,
                   std::string remedy) {
  return {path, 0, 0, "", std::move(what), std::move(remedy), kind};
}

ProblemKind kind_of_error(int error) {
  return error == EACCES || error == EPERM ? ProblemKind::Permission : ProblemKind::Io;
}

std::string special_name(mode_t mode) {
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

bool leads_into_git(const std::string& physical) {
  const std::vector<std::string> names = components_of(physical);
  return std::find(names.begin(), names.end(), ".git") != names.end();
}

bool contains(const std::string& directory, const std::string& path) {
  return directory.empty() || path == directory || path.starts_with(directory + "/");
}

class Walk {
 public:
  Walk(FileSystem& files, const Root& root) : files_(files), root_(root) {}

  Look run() {
    enter({"", "", 0});
    following_links_ = !links_.empty();
    if (following_links_) {
      for (const Entry& entry : look_.entries) taken_.insert(entry.physical);
    }
    // Links come last, so that what has a path of its own is taken by that path.
    for (std::size_t i = 0; i < links_.size(); ++i) follow(Found(links_[i]));
    std::sort(look_.entries.begin(), look_.entries.end(),
              [](const Entry& a, const Entry& b) { return a.path < b.path; });
    return std::move(look_);
  }

 private:
  struct Found {
    std::string path;
    std::string physical;
    std::size_t directory;  // index of the directory it is in
  };

  void add(const Found& found, EntryKind kind, const struct stat& stat) {
    if (following_links_ && !taken_.insert(found.physical).second) {
      ++look_.ignored_files;
      return;
    }
    look_.entries.push_back({found.path, found.physical, kind, signature_of(stat), {}});
    count(found.directory);
  }

  void refuse(const Found& found, std::string what, std::string remedy) {
    look_.entries.push_back(
        {found.path,
         found.physical,
         EntryKind::Refused,
         {},
         problem_of(found.path, ProblemKind::Policy, std::move(what), std::move(remedy))});
    count(found.directory);
  }

  void fail(const Found& found, int error, std::string what, std::string remedy) {
    look_.entries.push_back(
        {found.path,
         found.physical,
         EntryKind::Unreadable,
         {},
         problem_of(found.path, kind_of_error(error), std::move(what), std::move(remedy))});
    count(found.directory);
  }

  void fail(const Found& found, int error) {
    fail(found, error, "cannot be read: " + error_text(error), "make it readable");
  }

  void count(std::size_t directory) {
    if (look_.directories.empty()) return;
    while (true) {
      SeenDirectory& seen = look_.directories[directory];
      ++seen.entries_below;
      if (seen.above == directory) return;
      directory = seen.above;
    }
  }

  // The directory and everything below it that is no link.
  void enter(const Found& start) {
    std::vector<Found> todo = {start};
    while (!todo.empty()) {
      const Found next = std::move(todo.back());
      todo.pop_back();
      list(next, todo);
    }
  }

  void list(const Found& directory, std::vector<Found>& sub_directories) {
    if (visited_.contains(directory.physical)) return;
    const std::string path = directory.physical.empty() ? "." : directory.physical;
    const UniqueFd fd(files_.open_beneath(root_.fd.get(), path, O_RDONLY | O_DIRECTORY));
    struct stat stat {};
    std::vector<DirectoryItem> items;
    int result = fd.is_open() ? files_.stat_open(fd.get(), stat) : fd.get();
    if (result >= 0) result = files_.list(fd.get(), items);
    if (result < 0) {
      gone_or_failed(directory, result);
      return;
    }
    const std::size_t index = look_.directories.size();
    look_.directories.push_back(
        {directory.physical, stat.st_dev, stat.st_ino, index == 0 ? 0 : directory.directory});
    visited_.insert(directory.physical);
    for (const DirectoryItem& item : items) {
      take(fd.get(), item,
           {join_path(directory.path, item.name), join_path(directory.physical, item.name), index},
           sub_directories);
    }
  }

  void gone_or_failed(const Found& found, int result) {
    // What is replaced while the walk goes on is looked at again, not reported.
    if (result == -ENOENT || result == -ENOTDIR || result == -ELOOP) {
      look_.moved = true;
    } else {
      fail(found, -result);
    }
  }

  void take(int directory, const DirectoryItem& item, const Found& found,
            std::vector<Found>& sub_directories) {
    const NameKind kind = kind_of_name(item.name);
    if (kind == NameKind::Hidden || kind == NameKind::Temporary) {
      if (kind == NameKind::Temporary || (item.type != DT_DIR && !item.name.starts_with(".."))) {
        ++look_.ignored_files;
      }
      return;
    }
    if (kind == NameKind::Other && item.type != DT_DIR && item.type != DT_LNK &&
        item.type != DT_UNKNOWN) {
      ++look_.ignored_files;
      return;
    }
    struct stat stat {};
    if (const int result = files_.stat_at(directory, item.name, false, stat); result < 0) {
      gone_or_failed(found, result);
    } else if (S_ISLNK(stat.st_mode)) {
      links_.push_back(found);
    } else if (S_ISDIR(stat.st_mode)) {
      sub_directories.push_back(found);
    } else {
      take_file(kind, found, stat);
    }
  }

  void take_file(NameKind kind, const Found& found, const struct stat& stat) {
    if (kind != NameKind::Spec && kind != NameKind::Script) {
      ++look_.ignored_files;
    } else if (!S_ISREG(stat.st_mode)) {
      refuse(found, "is " + special_name(stat.st_mode) + ", not a regular file",
             "remove it, or give it a name with another ending");
    } else {
      add(found, kind == NameKind::Spec ? EntryKind::Spec : EntryKind::Script, stat);
    }
  }

  void follow(Found link) {
    const Place place = resolve_inside(files_, root_, link.physical, &look_.hops);
    switch (place.kind) {
      case PlaceKind::Failed:
        fail(link, place.error);
        return;
      case PlaceKind::Missing:
        fail(link, ENOENT, "is a link to " + place.path + ", which does not exist",
             "remove the link, or restore what it leads to");
        return;
      case PlaceKind::Loop:
        refuse(link, "is a link that leads back to itself", "remove it");
        return;
      case PlaceKind::Outside:
        follow_outside(link, place.target);
        return;
      case PlaceKind::Inside:
        break;
    }
    if (leads_into_git(place.path)) {
      refuse(link, "is a link into .git", "remove it");
      return;
    }
    const std::string from = parent_path(link.physical);
    link.physical = place.path;
    if (S_ISDIR(place.stat.st_mode)) {
      follow_to_directory(link, from);
    } else {
      take_file(kind_of_name(link.path.substr(link.path.rfind('/') + 1)), link, place.stat);
    }
  }

  void follow_outside(const Found& link, const std::string& target) {
    const NameKind kind = kind_of_name(link.path.substr(link.path.rfind('/') + 1));
    bool declares = kind == NameKind::Spec || kind == NameKind::Script;
    if (!declares) {
      struct stat stat {};
      const int result = files_.stat_at(root_.fd.get(), link.physical, true, stat);
      const bool dangling = result == -ENOENT || result == -ENOTDIR || result == -ELOOP;
      if (result < 0 && !dangling) {
        fail(link, -result);
        return;
      }
      declares = dangling || S_ISDIR(stat.st_mode);
    }
    if (declares) {
      refuse(link, "is a link that leads out of the directory, to " + target,
             "copy what it leads to into the directory, or give the link a name that begins with "
             "a dot");
    } else {
      ++look_.ignored_files;
    }
  }

  void follow_to_directory(const Found& link, const std::string& from) {
    if (contains(link.physical, from)) {
      refuse(link, "is a link to a directory that contains it", "remove it");
    } else {
      enter(link);
    }
  }

  FileSystem& files_;
  const Root& root_;
  Look look_;
  std::vector<Found> links_;
  bool following_links_{false};
  std::unordered_set<std::string> visited_;  // directories, by physical path
  std::unordered_set<std::string> taken_;  // files, by physical path; kept once links are followed
};

}  // namespace

bool Look::has_unreadable() const {
  return std::any_of(entries.begin(), entries.end(),
                     [](const Entry& entry) { return entry.kind == EntryKind::Unreadable; });
}

Look look_at_directory(FileSystem& files, const Root& root) { return Walk(files, root).run(); }

}  // namespace sconverge
