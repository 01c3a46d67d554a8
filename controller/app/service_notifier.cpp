#include "controller/app/service_notifier.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "controller/app/printable.h"

namespace sconverge {
namespace {

/// Of a send to somebody who does not read. The datagram is lost then.
constexpr timeval kPatience{1, 0};

std::string variable(const std::map<std::string, std::string>& variables, const std::string& name) {
  const auto found = variables.find(name);
  return found == variables.end() ? "" : found->second;
}

std::optional<std::int64_t> positive(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value <= 0) return {};
  return value;
}

std::optional<milliseconds> watchdog_of(const std::map<std::string, std::string>& variables,
                                        int process) {
  const std::string whose = variable(variables, "WATCHDOG_PID");
  if (!whose.empty() && positive(whose) != process) return {};
  const auto period = positive(variable(variables, "WATCHDOG_USEC"));
  if (!period) return {};
  return std::max(milliseconds{1},
                  std::chrono::duration_cast<milliseconds>(std::chrono::microseconds(*period)));
}

/// Lines are what parts the fields, so a status has none.
std::string status_field(const std::string& status) { return "STATUS=" + printable(status); }

std::int64_t monotonic_microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

class Socket {
 public:
  Socket() : descriptor_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof(kPatience));
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

ServiceNotifier::ServiceNotifier(const std::map<std::string, std::string>& variables, int process,
                                 std::function<void(const std::string&)> on_failure)
    : socket_(variable(variables, "NOTIFY_SOCKET")), on_failure_(std::move(on_failure)) {
  if (is_service()) watchdog_ = watchdog_of(variables, process);
}

void ServiceNotifier::ready(const std::string& status) { send("READY=1\n" + status_field(status)); }
void ServiceNotifier::reloading() {
  send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(monotonic_microseconds()) + "\n" +
       status_field("reloading the configuration"));
}
void ServiceNotifier::stopping(const std::string& status) {
  send("STOPPING=1\n" + status_field(status));
}
void ServiceNotifier::status(const std::string& status) { send(status_field(status)); }
void ServiceNotifier::alive() {
  if (watchdog_) send("WATCHDOG=1");
}
void ServiceNotifier::needs_time(milliseconds time) {
  send("EXTEND_TIMEOUT_USEC=" + std::to_string(std::chrono::microseconds(time).count()));
}

void ServiceNotifier::send(const std::string& text) {
  if (!is_service()) return;
  const std::string failure = try_to_send(text);
  if (!failure.empty() && !failing_) {
    on_failure_("the service manager cannot be told, NOTIFY_SOCKET=" + socket_ + ": " + failure);
  }
  failing_ = !failure.empty();
}

std::string ServiceNotifier::try_to_send(const std::string& text) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const bool abstract = socket_.front() == '@';
  if (!abstract && socket_.front() != '/') return "neither a path nor an abstract name";
  if (socket_.size() >= sizeof(address.sun_path)) return "too long for a socket's name";
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (abstract) address.sun_path[0] = '\0';
  // An abstract name ends with its length, a path with a zero.
  const auto size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size() + (abstract ? 0 : 1));
  const Socket socket;
  if (::sendto(socket.descriptor(), text.data(), text.size(), MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&address), size) < 0) {
    return std::strerror(errno);
  }
  return "";
}

}  // namespace sconverge
