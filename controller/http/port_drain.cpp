#include "controller/http/port_drain.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace sconverge {
namespace {

/// A copy of one of the process's descriptors: its number may be closed and given to another file
/// at any moment, the copy stays what it is.
class Copy {
 public:
  explicit Copy(int descriptor) : copy_(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) {}
  Copy(Copy&& other) noexcept : copy_(std::exchange(other.copy_, -1)) {}
  Copy& operator=(Copy&&) = delete;
  ~Copy() {
    if (copy_ >= 0) ::close(copy_);
  }

  [[nodiscard]] bool is_on(std::uint16_t port) const {
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    return ::getsockname(copy_, reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
           address.ss_family == AF_INET &&
           ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port) == port;
  }

  [[nodiscard]] bool is_listening() const {
    int listening = 0;
    socklen_t size = sizeof(listening);
    return ::getsockopt(copy_, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) == 0 && listening != 0;
  }

  /// Lets no new client in. (shutdown(2) would do, but makes cpprestsdk accept in an endless loop.)
  void refuse_newcomers() const {
    sock_filter drop_everything{BPF_RET | BPF_K, 0, 0, 0};
    const sock_fprog program{1, &drop_everything};
    ::setsockopt(copy_, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
  }

  /// Whether clients are connected that the owner has not accepted yet.
  [[nodiscard]] bool has_waiting() const {
    tcp_info info{};
    socklen_t size = sizeof(info);
    return ::getsockopt(copy_, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_unacked > 0;
  }

  void hang_up() const { ::shutdown(copy_, SHUT_RDWR); }

 private:
  int copy_;
};

std::vector<Copy> sockets_on(std::uint16_t port) {
  std::vector<Copy> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc/self/fd"), ::closedir);
  if (!directory) return found;
  std::vector<int> numbers;
  while (const dirent* entry = ::readdir(directory.get())) {
    numbers.push_back(std::atoi(entry->d_name));
  }
  for (const int number : numbers) {
    if (number <= STDERR_FILENO) continue;
    if (Copy copy(number); copy.is_on(port)) found.push_back(std::move(copy));
  }
  return found;
}

/// Whether there was anybody to hang up on.
bool hang_up_on_all(std::uint16_t port) {
  bool anybody = false;
  for (const Copy& socket : sockets_on(port)) {
    if (socket.is_listening()) {
      socket.refuse_newcomers();
      anybody = anybody || socket.has_waiting();
    } else {
      socket.hang_up();
      anybody = true;
    }
  }
  return anybody;
}

}  // namespace

bool drain_port(std::uint16_t port, milliseconds patience) {
  constexpr milliseconds kStep{1};
  // Who is accepted between the look at the queue and the look at the connections is in neither, so
  // only the second empty look in a row counts.
  int empty_looks = 0;
  for (milliseconds waited{0}; waited <= patience; waited += kStep) {
    empty_looks = hang_up_on_all(port) ? 0 : empty_looks + 1;
    if (empty_looks == 2) return true;
    std::this_thread::sleep_for(kStep);
  }
  return false;
}

}  // namespace sconverge
