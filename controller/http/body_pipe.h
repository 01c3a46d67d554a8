#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "controller/ports/http_client.h"

namespace sconverge {

/// Carries an answer's body from the thread that receives it to the one that reads it, in bounded
/// memory: the receiver is told when it may go on. One thread puts, one reads.
class BodyPipe : public ByteSource {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  enum class End {
    Open,      ///< not yet
    Whole,     ///< everything arrived
    Broken,    ///< the connection failed; see `failure`
    Late,      ///< the deadline passed
    TooLarge,  ///< more than `most_bytes`
  };

  BodyPipe(Deadline deadline, std::uint64_t most_bytes)
      : deadline_(deadline), most_bytes_(most_bytes) {}

  /// Takes bytes in. `go_on` is called once there is room for more: at once, or by the reader.
  void put(std::string_view bytes, std::function<void()> go_on);

  /// No more bytes come; empty `failure`: because that was all.
  void finish(const std::string& failure);

  /// Waits for bytes until the deadline. Empty: the end, which `end` tells.
  std::string_view next() override;

  [[nodiscard]] End end() const;
  [[nodiscard]] std::string failure() const;

 private:
  static constexpr std::size_t kCapacity = 256 * 1024;

  const Deadline deadline_;
  const std::uint64_t most_bytes_;
  mutable std::mutex mutex_{};
  std::condition_variable changed_{};
  std::string waiting_{};  ///< put, not yet read
  std::string current_{};  ///< what `next` handed out
  std::uint64_t total_{0};
  std::function<void()> go_on_{};  ///< set while the receiver waits for room
  bool finished_{false};
  std::string failure_{};
  End end_{End::Open};
};

}  // namespace sconverge
