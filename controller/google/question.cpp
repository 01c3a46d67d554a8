#include "controller/google/question.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "controller/core/url_text.h"
#include "controller/google/endpoint_url.h"
#include "controller/google/form.h"
#include "controller/google/plain_line.h"
#include "controller/google/refusal.h"
#include "controller/google/utc_time.h"

namespace sconverge {
namespace {

using nlohmann::json;

constexpr std::size_t kMostBytes = 1024 * 1024;
constexpr seconds kMostLifetime{24 * 3600};
constexpr seconds kMostSkew{300};

std::string advice_for(const Question& question, const Refusal& refusal, int status) {
  for (const std::string& key : {refusal.code, std::to_string(status), std::string()}) {
    const auto found = question.advice.find(key);
    if (found != question.advice.end()) return "; " + found->second;
  }
  return "";
}

/// Says so if the two clocks may be why we were refused.
std::string clock_trouble(const Refusal& refusal, const HttpHead& head, TimePoint sent_at) {
  // "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.
  // Check your iat and exp values in the JWT claim."
  const bool about_time = refusal.code == "invalid_grant" &&
                          refusal.text.find("reasonable timeframe") != std::string::npos;
  const bool skewed =
      head.date && (*head.date > sent_at + kMostSkew || *head.date < sent_at - kMostSkew);
  if (!skewed && !about_time) return "";
  return "; this machine's clock says " + utc_text(sent_at) +
         (head.date ? " and the server's " + utc_text(*head.date) : "") + ": mend the clock";
}

/// Fit for a message.
std::string quoted(const Question& question, const std::string& text) {
  std::vector<std::string> secrets = question.secrets;
  for (const std::string& secret : question.secrets) secrets.push_back(percent_encoded(secret));
  std::string line = plain_line(without(secrets, text));
  if (line.ends_with('.') && !line.ends_with("...")) line.pop_back();
  return line;
}

Error refused(const Question& question, const HttpReply& reply, TimePoint sent_at) {
  const Refusal refusal = refusal_in(reply.body);
  const int status = reply.head.status;
  std::string message = shown_url(question.call.url) + " answered " + std::to_string(status);
  if (!refusal.code.empty()) message += " " + quoted(question, refusal.code);
  if (!refusal.subtype.empty()) message += " (" + quoted(question, refusal.subtype) + ")";
  if (!refusal.text.empty()) message += ": " + quoted(question, refusal.text);
  if (is_passing(status, refusal) || status >= 500) return {ErrorKind::Unavailable, message};
  const bool authentication = status == 400 || status == 401 || status == 403;
  const std::string clock = authentication ? clock_trouble(refusal, reply.head, sent_at) : "";
  return {ErrorKind::Denied,
          message + (clock.empty() ? advice_for(question, refusal, status) : clock)};
}

/// A URL that is none, or a server that is not who it should be, stays so.
Error unanswered(const Question& question, const Error& error) {
  const bool stays = error.kind == ErrorKind::Rejected;
  return {stays ? ErrorKind::Denied : ErrorKind::Unavailable,
          shown_url(question.call.url) + ": " + error.message};
}

milliseconds pause_after(int attempt, const FlowContext& context) {
  const double spread = 0.9 + 0.2 * context.options.chance();
  return milliseconds(static_cast<int>(spread * 1000.0 * static_cast<double>(1U << attempt)));
}

/// A whole number, or a text that is one.
std::optional<seconds> lifetime_in(const json& answer) {
  const auto found = answer.find("expires_in");
  if (found == answer.end()) return std::nullopt;
  double value = 0;
  if (found->is_number()) value = found->get<double>();
  if (found->is_string()) {
    const auto& text = found->get_ref<const std::string&>();
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
  }
  const auto most = static_cast<double>(kMostLifetime.count());
  if (!(value > 0)) return std::nullopt;
  return value > most ? kMostLifetime : seconds(static_cast<int>(value));
}

}  // namespace

Result<Reply> ask(const Question& question, const FlowContext& context) {
  for (int attempt = 0;; ++attempt) {
    const SteadyTime sent = context.options.steady_now();
    const TimePoint sent_at = context.clock.now();
    auto reply = exchange_whole(context.http, question.call, kMostBytes);
    if (reply && reply->head.status == 200) {
      return Reply{std::move(reply->body), std::move(reply->head.headers), sent, sent_at,
                   reply->head.date};
    }
    const bool passing = reply ? is_passing(reply->head.status, refusal_in(reply->body))
                               : reply.error().kind != ErrorKind::Rejected;
    if (!passing || attempt + 1 >= question.attempts) {
      return reply ? refused(question, *reply, sent_at) : unanswered(question, reply.error());
    }
    context.options.sleep(pause_after(attempt, context));
  }
}

Result<FetchedToken> token_in(const Reply& reply, const Question& question) {
  const json answer = json::parse(reply.body, nullptr, false);
  if (!answer.is_object()) return senseless(question, "something that is not JSON");
  const auto token = answer.find("access_token");
  if (token == answer.end() || !token->is_string() ||
      !fits_a_header(token->get_ref<const std::string&>())) {
    return senseless(question, "no access_token");
  }
  const auto lifetime = lifetime_in(answer);
  if (!lifetime) return senseless(question, "a token without a usable expires_in");
  return FetchedToken{token->get<std::string>(), reply.sent, *lifetime};
}

Error senseless(const Question& question, const std::string& what) {
  return {ErrorKind::Unavailable, shown_url(question.call.url) + " answered 200 with " + what};
}

Question form_question(const std::string& url,
                       const std::vector<std::pair<std::string, std::string>>& fields) {
  Question question;
  question.call.method = HttpMethod::Post;
  question.call.url = url;
  question.call.headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                           {"Accept", "application/json"}};
  question.call.body = form(fields);
  question.call.timeout = seconds(30);
  return question;
}

}  // namespace sconverge
