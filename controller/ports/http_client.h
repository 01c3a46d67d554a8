#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "controller/core/result.h"
#include "controller/core/time.h"

namespace sconverge {

enum class HttpMethod { Get, Post, Delete };

std::string_view to_text(HttpMethod method);  ///< "GET", ...

/// Bytes as they arrive.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// The next bytes, valid until the next call; empty: there are no more, for whatever reason.
  virtual std::string_view next() = 0;
};

using BodyReader = std::function<void(ByteSource& body)>;

/// One request of ours to somebody's HTTP server.
struct HttpCall {
  HttpMethod method{HttpMethod::Get};
  std::string url;  ///< absolute, with query
  std::map<std::string, std::string> headers{};
  std::string body{};   ///< its type is a header
  seconds timeout{60};  ///< from the start of the request to the last byte of the answer
  /// Not idempotent: it travels on a connection of its own and is sent at most once.
  bool at_most_once{false};
};

/// An answer but for its body.
struct HttpHead {
  int status{0};
  std::map<std::string, std::string> headers{};  ///< names in lower case
  std::optional<seconds> retry_after{};          ///< of the header, as seconds or as a date
  std::optional<TimePoint> date{};               ///< the server's clock, from the header Date
};

/// Speaks HTTP/1.1 and HTTPS (verified: name and chain). Redirects are not followed, because they
/// would carry credentials to wherever they point. Thread-safe; no exception leaves it.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  /// Blocks until the whole body has arrived. `read_body` is called once, on the calling thread,
  /// while bytes still arrive (and sees none if no answer comes); it may stop reading early. What
  /// it has read counts only if no Error is returned.
  ///
  /// The Error's message is the bare reason ("nobody listens there"); it never holds headers or
  /// bodies. Its kind:
  ///   Unavailable  the request never left whole (no address, refused, no body byte written)
  ///   Unknown      it may have arrived; the answer is lost, broken off or late
  ///   Rejected     the URL is none, or its host is not verified
  virtual Result<HttpHead> exchange(const HttpCall& call, const BodyReader& read_body) = 0;
};

/// A whole answer.
struct HttpReply {
  HttpHead head{};
  std::string body{};
};

/// Takes an answer whole; a body over `most_bytes` is Unknown.
Result<HttpReply> exchange_whole(HttpClient& client, const HttpCall& call, std::size_t most_bytes);

}  // namespace sconverge
