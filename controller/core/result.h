#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "controller/core/slurm_failure.h"

namespace sconverge {

/// What the caller may do about a failure.
enum class ErrorKind {
  Unavailable,  ///< nothing happened; try again later
  Unknown,      ///< it may have happened; observe before trying again
  Rejected,     ///< the request is wrong and stays wrong until its content changes
  Denied,       ///< the operator's credentials do not allow it; nothing happened
};

/// `message`: lower case, no final period, names the object.
struct Error {
  ErrorKind kind{ErrorKind::Unavailable};
  std::string message{};
  int slurm_errno{0};        ///< Slurm's error number where it gave one
  bool retry_slowly{false};  ///< Unavailable by a limit (jobs, rate): wait longer than a tick
  std::optional<TransportFailure> transport{};  ///< why a request brought no answer, if that is it

  friend bool operator==(const Error&, const Error&) = default;
};

/// A value, or the reason why there is none. Reading the one that is not there is a broken
/// invariant and ends the process.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] const T& value() const {
    if (!ok()) std::abort();
    return std::get<T>(state_);
  }
  [[nodiscard]] T& value() {
    if (!ok()) std::abort();
    return std::get<T>(state_);
  }
  [[nodiscard]] const Error& error() const {
    if (ok()) std::abort();
    return std::get<Error>(state_);
  }

  const T& operator*() const { return value(); }
  T& operator*() { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

 private:
  std::variant<T, Error> state_;
};

/// The value of a Result that carries none.
struct Done {
  friend bool operator==(const Done&, const Done&) = default;
};

}  // namespace sconverge
