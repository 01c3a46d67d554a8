#include "controller/slurm/slurmrestd_transport.h"

#include <algorithm>
#include <utility>

#include "controller/core/one_line.h"
#include "controller/slurm/server_url.h"
#include "controller/slurm/token.h"

namespace sconverge {
namespace {

class SlurmrestdTransport : public Transport {
 public:
  SlurmrestdTransport(SlurmrestdOptions options, std::shared_ptr<HttpClient> http)
      : options_(std::move(options)),
        base_(options_.url.substr(0, options_.url.find_last_not_of('/') + 1)),
        token_(options_.token_file),
        http_(std::move(http)) {}

  Result<AnswerHead> exchange(const SlurmCall& call, const BodyReader& read_body) override {
    const auto token = token_.current();
    if (!token) return without_credentials(token.error());
    HttpCall request{.method = call.method,
                     .url = base_ + call.path,
                     .headers = {{"X-SLURM-USER-TOKEN", token->text}, {"Accept", kJson}},
                     .body = call.body,
                     .timeout = options_.timeout,
                     .at_most_once = call.at_most_once};
    if (!options_.user.empty()) request.headers["X-SLURM-USER-NAME"] = options_.user;
    if (!call.body.empty()) request.headers["Content-Type"] = kJson;
    auto head = http_->exchange(request, read_body);
    if (head) return AnswerHead{head->status, head->retry_after, token->number};
    Error error = head.error();
    error.message = "slurmrestd at " + options_.url + ": " + error.message;
    return error;
  }

  bool renew_credentials(unsigned used) override { return token_.renew(used); }

  std::optional<TimePoint> credentials_expiry() const override {
    const auto token = token_.last();
    return token ? token->expiry : std::nullopt;
  }

  std::string credentials_text() const override {
    return options_.token_file.empty() ? "the token in the variable SLURM_JWT"
                                       : "the token in " + one_line(options_.token_file);
  }

  std::string endpoint() const override { return options_.url; }

  std::string user() const override {
    if (!options_.user.empty()) return options_.user;
    const auto token = token_.last();
    return token ? token->user : "";
  }

 private:
  static constexpr const char* kJson = "application/json";

  const SlurmrestdOptions options_;
  const std::string base_;
  TokenSource token_;
  const std::shared_ptr<HttpClient> http_;
};

}  // namespace

Result<std::unique_ptr<Transport>> make_slurmrestd_transport(const SlurmrestdOptions& options,
                                                             std::shared_ptr<HttpClient> http) {
  if (const auto trouble = trouble_with_server_url(options.url)) return *trouble;
  const auto fits_a_header = [](char c) { return c > ' ' && c < 0x7F; };
  if (!std::all_of(options.user.begin(), options.user.end(), fits_a_header)) {
    return Error{ErrorKind::Rejected,
                 "user \"" + one_line(options.user) + "\" is no Slurm user's name"};
  }
  return std::unique_ptr<Transport>(
      std::make_unique<SlurmrestdTransport>(options, std::move(http)));
}

}  // namespace sconverge
