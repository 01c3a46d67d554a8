#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "controller/ports/http_client.h"

namespace sconverge::test {

/// An HTTP client that reaches nobody: what a test says is the answer. For hosts that are not on
/// the loopback.
class AnsweringHttp : public HttpClient {
 public:
  using Answer = std::function<Result<HttpReply>(const HttpCall& call)>;
  explicit AnsweringHttp(Answer answer) : answer_(std::move(answer)) {}

  Result<HttpHead> exchange(const HttpCall& call, const BodyReader& read_body) override {
    calls_.push_back(call);
    auto reply = answer_(call);
    Body body(reply ? reply->body : "");
    read_body(body);
    return reply ? Result<HttpHead>(reply->head) : reply.error();
  }
  [[nodiscard]] const std::vector<HttpCall>& calls() const { return calls_; }

 private:
  class Body : public ByteSource {
   public:
    explicit Body(std::string text) : text_(std::move(text)) {}
    std::string_view next() override {
      return std::exchange(given_, true) ? std::string_view{} : text_;
    }

   private:
    std::string text_;
    bool given_{false};
  };

  Answer answer_;
  std::vector<HttpCall> calls_{};
};

/// A token of an hour.
inline HttpReply token_reply() {
  return {{200, {}, {}, {}}, R"({"access_token": "ya29.x", "expires_in": 3600})"};
}

}  // namespace sconverge::test
