#include "controller/app/file_text.h"

#include <fcntl.h>

#include "controller/files/file_system.h"

namespace sconverge {

FileText read_whole_file(const std::string& path, std::size_t limit) {
  FileSystem files;
  // Non-blocking, because opening a pipe waits for a writer.
  const int opened = files.open_at(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened == -ENOENT) return {"", "there is no such file"};
  if (opened < 0) return {"", error_text(-opened)};
  const UniqueFd fd(opened);
  struct stat status {};
  if (const int error = files.stat_open(fd.get(), status); error < 0) {
    return {"", error_text(-error)};
  }
  if (!S_ISREG(status.st_mode)) return {"", "it is not a regular file"};
  FileText file;
  if (const int error = read_text(files, fd.get(), limit + 1, file.text); error < 0) {
    return {"", error_text(-error)};
  }
  if (file.text.size() > limit) {
    return {"", "it is larger than " + std::to_string(limit) + " bytes"};
  }
  return file;
}

}  // namespace sconverge
