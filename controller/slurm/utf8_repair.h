#pragma once

#include <string>
#include <string_view>

#include "controller/ports/transport.h"

namespace sconverge {

/// Passes bytes on as well-formed UTF-8: each piece that is none becomes U+FFFD (one for each
/// longest beginning of a character, as the Unicode standard recommends). Slurm keeps a job's name
/// and comment as the bytes its user gave, and slurmrestd sends them raw; a strict JSON parser
/// would refuse a whole list for one of them.
class Utf8Repair : public ByteSource {
 public:
  /// REQUIRES: `raw` lives as long.
  explicit Utf8Repair(ByteSource& raw) : raw_(raw) {}

  std::string_view next() override;

 private:
  ByteSource& raw_;
  std::string rest_{};  ///< the beginning of a character that the next bytes may complete
  std::string out_{};
};

}  // namespace sconverge
