#pragma once

#include <map>
#include <string>
#include <vector>

#include "controller/google/flow.h"
#include "controller/ports/http_client.h"

namespace sconverge {

/// A request to whoever gives tokens. Asking twice does no harm.
struct Question {
  HttpCall call{};
  std::vector<std::string> secrets{};  ///< never to be quoted, even if the answer does
  /// What to do about a refusal, by its code ("invalid_grant", "PERMISSION_DENIED"), its HTTP
  /// status
  /// ("404") or, as "", about any other.
  std::map<std::string, std::string> advice{};
  int attempts{3};
};

/// A success.
struct Reply {
  std::string body{};
  std::map<std::string, std::string> headers{};
  SteadyTime sent{};                ///< when the request left
  TimePoint sent_at{};              ///< the same on our wall clock
  std::optional<TimePoint> date{};  ///< the server's clock
};

/// Asks until there is an answer that is no passing failure: 1 s, 2 s, ... apart, give or take a
/// tenth. Passing are lost connections, HTTP 408, 429, 500, 503 and 504, and OAuth's
/// internal_failure, server_error and temporarily_unavailable (as google-auth has it).
Result<Reply> ask(const Question& question, const FlowContext& context);

/// The token in an answer of OAuth's form (RFC 6749 section 5.1).
Result<FetchedToken> token_in(const Reply& reply, const Question& question);

/// An answer that is a success and yet makes no sense.
Error senseless(const Question& question, const std::string& what);

/// POST of a form.
Question form_question(const std::string& url,
                       const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace sconverge
