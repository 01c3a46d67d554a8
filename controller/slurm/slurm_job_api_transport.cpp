#include "controller/slurm/slurm_job_api_transport.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "controller/slurm/outer_error.h"
#include "controller/slurm/wire_envelope.h"

namespace sconverge {
namespace {

using Steady = std::chrono::steady_clock::time_point;

constexpr std::size_t kMostEnvelopeBytes = 999'999;  // "under 1 MB"
constexpr std::size_t kMostErrorBytes = 64UL * 1024;
constexpr int kMostRepeats = 2;
constexpr int kMostRenewals = 2;
constexpr milliseconds kFirstPause{1000};
constexpr seconds kLimitPause{30};  // Service Usage: at least that after a 429
constexpr seconds kLongestPause{3600};
constexpr seconds kClockSkew{300};

/// Passes bytes on and remembers the first of them: an error's are all that there are.
class Remembering : public ByteSource {
 public:
  explicit Remembering(ByteSource& bytes) : bytes_(bytes) {}

  std::string_view next() override {
    const std::string_view bytes = bytes_.next();
    start_.append(bytes.substr(0, kMostErrorBytes - std::min(kMostErrorBytes, start_.size())));
    return bytes;
  }
  [[nodiscard]] const std::string& start() const { return start_; }

 private:
  ByteSource& bytes_;
  std::string start_{};
};

/// What came of sending once.
struct Outcome {
  std::optional<AnswerHead> answer{};  ///< Slurm's
  Error error{};                       ///< without one
  enum class Next { Nothing, Renew, Repeat } next{Next::Nothing};
};

std::string utc_text(TimePoint time) {
  const std::time_t when = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&when, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

SlurmJobApiOptions with_defaults(SlurmJobApiOptions options) {
  if (options.endpoint.empty()) {
    options.endpoint = "https://" + options.region + "-aiplatform.googleapis.com";
  }
  if (!options.steady_now) options.steady_now = [] { return std::chrono::steady_clock::now(); };
  if (!options.now) {
    options.now = [] {
      return std::chrono::time_point_cast<milliseconds>(std::chrono::system_clock::now());
    };
  }
  if (!options.sleep) options.sleep = [](milliseconds time) { std::this_thread::sleep_for(time); };
  if (!options.chance) {
    options.chance = [] {
      thread_local std::minstd_rand dice{std::random_device{}()};
      return std::uniform_real_distribution<double>(0, 1)(dice);
    };
  }
  return options;
}

class SlurmJobApiTransport : public Transport {
 public:
  SlurmJobApiTransport(SlurmJobApiOptions options, std::shared_ptr<HttpClient> http,
                       std::unique_ptr<AccessTokens> tokens)
      : options_(with_defaults(std::move(options))),
        url_(options_.endpoint + "/" + options_.google_api_version + "/projects/" +
             options_.project + "/locations/" + options_.region + "/modelDevelopmentClusters/" +
             options_.cluster + ":callSlurmRestApi"),
        http_(std::move(http)),
        tokens_(std::move(tokens)) {}

  Result<AnswerHead> exchange(const SlurmCall& call, const BodyReader& read_body) override {
    const std::string envelope = envelope_of(call);
    if (envelope.size() > kMostEnvelopeBytes) return too_large(envelope.size());
    int repeats = failing_ ? kMostRepeats : 0;
    int renewals = 0;
    while (true) {
      if (const auto closed = trouble_with_waiting()) return *closed;
      const auto token = tokens_->current();
      if (!token) return without_credentials(token.error());
      Outcome outcome = send(call, envelope, *token, read_body);
      const bool again = (outcome.next == Outcome::Next::Renew && renewals++ < kMostRenewals &&
                          tokens_->renew(token->number)) ||
                         (outcome.next == Outcome::Next::Repeat && repeats++ < kMostRepeats);
      if (!again) {
        failing_ = outcome.next == Outcome::Next::Repeat;
        if (outcome.answer) return *outcome.answer;
        return outcome.error;
      }
      if (outcome.next == Outcome::Next::Repeat) pause(repeats);
    }
  }

  /// Slurm's own refusals are about the account behind the service, which no token of ours mends.
  bool renew_credentials(unsigned) override { return false; }

  /// They are renewed before that matters to anybody.
  std::optional<TimePoint> credentials_expiry() const override { return std::nullopt; }
  std::string credentials_text() const override { return tokens_->text(); }
  std::string endpoint() const override { return options_.endpoint; }
  std::string user() const override { return options_.user; }
  bool takes_queries() const override { return queries_ != Queries::Refused; }

 private:
  enum class Queries { Untried, Taken, Refused };

  static bool has_query(const SlurmCall& call) { return call.path.find('?') != call.path.npos; }

  [[nodiscard]] std::string where() const { return "the Slurm Job API at " + options_.endpoint; }
  [[nodiscard]] std::string cluster_text() const {
    return "cluster " + options_.cluster + " of project " + options_.project + " in " +
           options_.region;
  }

  [[nodiscard]] Error too_large(std::size_t bytes) const {
    return {ErrorKind::Rejected,
            "the request has " + std::to_string(bytes) +
                " bytes, and the Slurm Job API takes less than 1000000; put the script on storage "
                "that the cluster shares and call it from a short one"};
  }

  std::optional<Error> trouble_with_waiting() {
    const std::lock_guard lock(mutex_);
    const Steady now = options_.steady_now();
    if (now >= not_before_) return std::nullopt;
    const auto left = std::chrono::ceil<seconds>(not_before_ - now);
    return Error{ErrorKind::Unavailable,
                 where() + " asked to wait, " + std::to_string(left.count()) + " s more", 0, true,
                 TransportFailure::Refused};
  }

  void wait_at_least(seconds time) {
    const std::lock_guard lock(mutex_);
    not_before_ =
        std::max(not_before_, options_.steady_now() + std::clamp(time, seconds(0), kLongestPause));
  }

  void pause(int repeat) {
    const auto longest = kFirstPause * (1 << (repeat - 1));
    options_.sleep(
        std::chrono::duration_cast<milliseconds>(longest * (0.5 + options_.chance() / 2)));
  }

  Outcome send(const SlurmCall& call, const std::string& envelope, const AccessToken& token,
               const BodyReader& read_body) {
    HttpCall request{.method = HttpMethod::Post,
                     .url = url_,
                     .headers = {{"Authorization", "Bearer " + token.text},
                                 {"Content-Type", "application/json"},
                                 {"Accept", "application/json"}},
                     .body = envelope,
                     .timeout = options_.timeout,
                     .at_most_once = call.at_most_once};
    if (const auto project = tokens_->quota_project(); !project.empty()) {
      request.headers["x-goog-user-project"] = project;
    }
    std::optional<int> slurm_status;
    std::string start;
    const auto head = http_->exchange(request, [&](ByteSource& bytes) {
      Remembering remembering(bytes);
      EnvelopeSource slurm(remembering);
      read_body(slurm);
      while (!slurm.next().empty()) {
      }
      slurm_status = slurm.status();
      start = remembering.start();
    });
    if (!head) return lost(call, head.error());
    if (head->status != 200) {
      Outcome outcome = refused(call, *head, google_error_in(start));
      outcome.error.transport = TransportFailure::Refused;
      return outcome;
    }
    if (!slurm_status) {
      return lost(
          call, {ErrorKind::Unknown, "it answered no envelope: " + google_error_in(start).message});
    }
    if (has_query(call)) queries_ = Queries::Taken;
    return {.answer = AnswerHead{*slurm_status, head->retry_after, token.number}};
  }

  /// Nobody answered, or not all of it arrived.
  [[nodiscard]] Outcome lost(const SlurmCall& call, Error error) const {
    const bool safe = error.kind == ErrorKind::Unavailable ||
                      (error.kind == ErrorKind::Unknown && !call.at_most_once);
    error.message = where() + ": " + error.message;
    return {.error = std::move(error),
            .next = safe ? Outcome::Next::Repeat : Outcome::Next::Nothing};
  }

  /// The service answered for itself.
  Outcome refused(const SlurmCall& call, const HttpHead& head, const GoogleError& error) {
    const OuterMeaning meaning = meaning_of(head.status, error);
    const auto hint = std::max(head.retry_after, error.retry_delay);
    const bool limit = head.status == 429 || error.status == "RESOURCE_EXHAUSTED";
    if (limit || hint)
      wait_at_least(std::max(hint.value_or(seconds(0)), limit ? kLimitPause : seconds(0)));
    const std::string said = said_by(head, error);
    switch (meaning) {
      case OuterMeaning::Malformed:
        return malformed(call, said);
      case OuterMeaning::Unauthenticated:
        return {.error = unauthenticated(head, said), .next = Outcome::Next::Renew};
      case OuterMeaning::Forbidden:
        return {.error = {ErrorKind::Denied, forbidden(said, error)}};
      case OuterMeaning::NoCluster:
        return {.error = {ErrorKind::Unavailable,
                          where() + " knows no " + cluster_text() + ": " + said, 0, true}};
      case OuterMeaning::NotReached:
      case OuterMeaning::Limit:
        return {.error = {ErrorKind::Unavailable, where() + ": " + said, 0,
                          meaning == OuterMeaning::Limit || hint.has_value()}};
      case OuterMeaning::Doubt:
        break;
    }
    Outcome doubt = lost(call, {ErrorKind::Unknown, said, 0, hint.has_value()});
    if (hint) doubt.next = Outcome::Next::Nothing;
    return doubt;
  }

  Outcome malformed(const SlurmCall& call, const std::string& said) {
    if (call.method == HttpMethod::Get && !has_query(call)) {
      // Such a call consists of its path alone: it is one that is not served.
      return {.answer = AnswerHead{.status = 404, .refusal = where() + ": " + said}};
    }
    if (has_query(call)) {
      auto untried = Queries::Untried;
      queries_.compare_exchange_strong(untried, Queries::Refused);
    }
    const auto kind =
        call.method == HttpMethod::Post ? ErrorKind::Rejected : ErrorKind::Unavailable;
    return {.error = {kind, where() + ": " + said}};
  }

  [[nodiscard]] Error unauthenticated(const HttpHead& head, const std::string& said) const {
    std::string text = where() + " does not accept " + tokens_->text() + ": " + said;
    const TimePoint now = options_.now();
    if (head.date && (*head.date > now + kClockSkew || *head.date < now - kClockSkew)) {
      text += "; this machine's clock says " + utc_text(now) + " and the server's " +
              utc_text(*head.date) + ", so set the clock";
    }
    return {ErrorKind::Denied, text};
  }

  [[nodiscard]] std::string forbidden(const std::string& said, const GoogleError& error) const {
    std::string text = tokens_->text() + " may not do this on " + cluster_text() + ": " + said;
    if (error.domain == "sconverge") return text;  // our gateway knows no roles
    return text +
           "; it needs the permission aiplatform.googleapis.com/modelDevelopmentClusters.run, e.g. "
           "by the role roles/aiplatform.user";
  }

  static std::string said_by(const HttpHead& head, const GoogleError& error) {
    std::string text = "HTTP " + std::to_string(head.status);
    if (!error.status.empty()) text += " " + error.status;
    if (!error.message.empty()) text += ", " + error.message;
    return text;
  }

  const SlurmJobApiOptions options_;
  const std::string url_;
  const std::shared_ptr<HttpClient> http_;
  const std::unique_ptr<AccessTokens> tokens_;

  std::atomic<bool> failing_{false};  ///< the last request was lost for good
  std::atomic<Queries> queries_{Queries::Untried};
  std::mutex mutex_{};
  Steady not_before_{};
};

}  // namespace

Result<std::unique_ptr<Transport>> make_slurm_job_api_transport(
    SlurmJobApiOptions options, std::shared_ptr<HttpClient> http,
    std::unique_ptr<AccessTokens> tokens) {
  for (const std::string* name : {&options.project, &options.region, &options.cluster}) {
    if (name->empty()) {
      return Error{ErrorKind::Rejected,
                   "the Slurm Job API needs a project, a region and a cluster"};
    }
  }
  return std::unique_ptr<Transport>(std::make_unique<SlurmJobApiTransport>(
      std::move(options), std::move(http), std::move(tokens)));
}

}  // namespace sconverge
