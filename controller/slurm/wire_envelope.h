#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "controller/ports/transport.h"

namespace sconverge {

/// A call as callSlurmRestApi takes it: {"method": "HTTP_METHOD_GET", "path": ..., "body": {...}}.
/// REQUIRES: the body of a POST is a JSON object, or empty for {}.
std::string envelope_of(const SlurmCall& call);

/// Reads an answer of callSlurmRestApi while it arrives, {"status": N, "structuredBody": {...}},
/// and gives the bytes of Slurm's own answer in it: those of `structuredBody`, else of `body` as an
/// object, else of `body` as a string (all three have been seen). Where there is none of them: {}.
/// An envelope with two objects for them, or two values of `status`, is none.
class EnvelopeSource : public ByteSource {
 public:
  explicit EnvelopeSource(ByteSource& outer) : outer_(outer) {}

  std::string_view next() override;

  // To be asked once `next` has come to its end.

  /// Slurm's HTTP status; nothing if what arrived is no whole envelope.
  [[nodiscard]] std::optional<int> status() const;
  /// The first bytes, one line, for messages about an answer that is no envelope.
  [[nodiscard]] std::string start() const;

 private:
  enum class At { Start, Key, Colon, Value, AfterValue, End, Broken };
  enum class Use { Nothing, Pass, Body, Status };  ///< what a member's value is for

  void take(char c);
  void take_in_key(char c);
  void begin_value(char c);
  void take_in_value(char c);
  bool ends_value(char c);
  void end_value();
  void add(char c);
  void finish();

  ByteSource& outer_;
  std::string start_{};
  At at_{At::Start};
  std::string key_{};
  Use use_{Use::Nothing};
  bool in_value_{false};
  bool in_string_{false};
  bool escaped_{false};
  std::size_t depth_{0};  ///< of containers open within the value
  std::string status_{};
  std::string body_{};     ///< of `body` as a string, still in quotes
  std::string passing_{};  ///< bytes of Slurm's answer, not yet given
  bool passed_{false};     ///< an object was found
  bool finished_{false};
};

}  // namespace sconverge
