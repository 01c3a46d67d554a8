#include "controller/files/settling.h"

#include <algorithm>

namespace sconverge {

milliseconds Settling::remaining(const std::string& path, const Signature& signature, bool remote,
                                 TimePoint now) {
  const std::chrono::nanoseconds stamp(std::max(signature.mtime_ns, signature.ctime_ns));
  const TimePoint changed(std::chrono::duration_cast<milliseconds>(stamp));
  if (!remote && now - changed >= quiet_) {
    seen_.erase(path);
    return milliseconds(0);
  }
  const Seen fresh{signature, now};
  Seen& seen = seen_.try_emplace(path, fresh).first->second;
  // Time that runs backwards proves nothing.
  if (seen.signature != signature || seen.since > now) seen = fresh;
  const milliseconds by_sight = quiet_ - (now - seen.since);
  if (by_sight <= milliseconds(0)) {
    seen_.erase(path);
    return milliseconds(0);
  }
  if (remote || changed > now) return by_sight;
  return std::min(by_sight, quiet_ - (now - changed));
}

}  // namespace sconverge
