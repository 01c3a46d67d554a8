#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "controller/gateway/gateway.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {

inline const std::string kRunToken = "run-0123456789abcdef";    // NOLINT(cert-err58-cpp)
inline const std::string kReadToken = "read-0123456789abcdef";  // NOLINT(cert-err58-cpp)
inline constexpr const char* kUrlPath =
    "/v1beta1/projects/p1/locations/europe-west4/modelDevelopmentClusters/lab:callSlurmRestApi";

/// Hands out a text in pieces of a few bytes, as a network does.
class PieceSource : public ByteSource {
 public:
  explicit PieceSource(std::string_view text, std::size_t piece = 7) : rest_(text), piece_(piece) {}
  std::string_view next() override {
    const auto part = rest_.substr(0, piece_);
    rest_.remove_prefix(part.size());
    return part;
  }
  [[nodiscard]] std::size_t unread() const { return rest_.size(); }

 private:
  std::string_view rest_;
  std::size_t piece_;
};

struct SlurmSays {
  int status{200};
  std::string body{};
};

/// A slurmrestd that answers by "METHOD path": several answers one after the other, the last one
/// for ever. What it has no answer for is 404, as slurmrestd answers for an unknown URL.
class ScriptedSlurm : public Transport {
 public:
  Result<AnswerHead> exchange(const SlurmCall& call, const BodyReader& read_body) override {
    calls.push_back(call);
    Result<SlurmSays> says = SlurmSays{404, "Unable find requested URL"};
    const auto known = answers.find(std::string(to_text(call.method)) + " " + call.path);
    if (known != answers.end()) {
      says = known->second.front();
      if (known->second.size() > 1) known->second.erase(known->second.begin());
    }
    const std::string body = says ? says->body : "";
    PieceSource bytes(body, body.size() > 100'000 ? 65536 : 7);
    read_body(bytes);
    unread = bytes.unread();
    if (!says) return says.error();
    return AnswerHead{says->status, std::nullopt, credentials};
  }
  bool renew_credentials(unsigned used) override {
    ++renewals;
    if (newer_credentials) credentials = used + 1;
    return credentials > used;
  }
  std::optional<TimePoint> credentials_expiry() const override { return std::nullopt; }
  std::string credentials_text() const override { return "the token in /run/slurm-token"; }
  std::string endpoint() const override { return "http://scripted"; }
  std::string user() const override { return slurm_user; }

  void on(const std::string& request, const Result<SlurmSays>& says) {
    answers[request].push_back(says);
  }
  void on(const std::string& request, ErrorKind kind) {
    answers[request].push_back(Error{kind, "scripted failure"});
  }
  [[nodiscard]] std::vector<std::string> asked() const {
    std::vector<std::string> texts;
    for (const SlurmCall& call : calls) {
      texts.push_back(std::string(to_text(call.method)) + " " + call.path);
    }
    return texts;
  }

  std::map<std::string, std::vector<Result<SlurmSays>>> answers{};
  std::vector<SlurmCall> calls{};
  std::string slurm_user{"alice"};
  unsigned credentials{1};
  bool newer_credentials{false};
  int renewals{0};
  std::size_t unread{0};  ///< bytes of the last answer that nobody wanted
};

/// A gateway for cluster "lab" with one token of each permission, in front of a slurmrestd that
/// knows job 7 of alice, who is the gateway's user, and job 8 of bob.
struct GatewayWorld : testing::Test {
  GatewayWorld() {
    write_tokens("tokens:\n  - {token: " + kRunToken +
                 ", permission: run, name: ci}\n  - {token: " + kReadToken +
                 ", permission: read, name: board}\n");
    slurm.on("GET /slurm/v0.0.42/job/7",
             SlurmSays{200, R"({"jobs":[{"job_id":7,"user_name":"alice"}]})"});
    slurm.on("GET /slurm/v0.0.42/job/8",
             SlurmSays{200, R"({"jobs":[{"job_id":8,"user_name":"bob"}]})"});
    slurm.on("POST /slurm/v0.0.42/job/submit", SlurmSays{200, R"({"job_id":9,"errors":[]})"});
    slurm.on("POST /slurm/v0.0.42/job/7", SlurmSays{200, R"({"results":[]})"});
    slurm.on("DELETE /slurm/v0.0.42/job/7", SlurmSays{200, R"({"errors":[]})"});
    options.project = "p1";
    options.region = "europe-west4";
    options.cluster = "lab";
    options.observe = [this](const GatewayExchange& exchange) { seen.push_back(exchange); };
    options.now = [this] { return std::exchange(now, now + std::chrono::milliseconds{250}); };
  }

  void write_tokens(const std::string& text) { std::ofstream(tokens_file) << text; }

  Gateway& gateway() {
    if (!tokens) {
      auto opened = BearerTokens::open(tokens_file, {});
      if (!opened) std::abort();
      tokens = std::move(*opened);
    }
    if (!made) made = std::make_unique<Gateway>(options, slurm, *tokens);
    return *made;
  }

  static HttpRequest request(const std::string& body, const std::string& token = kRunToken) {
    HttpRequest request;
    request.method = "POST";
    request.path = kUrlPath;
    request.authorization = "Bearer " + token;
    request.body = body;
    return request;
  }

  HttpAnswer send(const std::string& body, const std::string& token = kRunToken) {
    return gateway().answer(request(body, token));
  }
  /// A call without a body, or with one.
  HttpAnswer call(const std::string& method, const std::string& path, const std::string& body = "",
                  const std::string& token = kRunToken) {
    return send(R"({"method":"HTTP_METHOD_)" + method + R"(","path":")" + path + "\"" +
                    (body.empty() ? "" : ",\"body\":" + body) + "}",
                token);
  }

  TempDirectory directory;
  std::string tokens_file{directory / "tokens.yaml"};
  std::unique_ptr<BearerTokens> tokens{};
  ScriptedSlurm slurm{};
  GatewayOptions options{};
  std::vector<GatewayExchange> seen{};
  std::chrono::steady_clock::time_point now{};

 private:
  std::unique_ptr<Gateway> made{};
};

/// Google's word for an error, if it has exactly the form of AIP-193 and its code is the HTTP
/// status; else the whole body.
inline std::string status_of(const HttpAnswer& answer) {
  static const std::regex form(
      R"re(\{"error":\{"code":(\d+),("details":\[\{[^\]]*\}\],)?"message":"(?:[^"\\]|\\.)+","status":"([A-Z_]+)"\}\})re");
  std::smatch match;
  const bool fits = std::regex_match(answer.body, match, form) &&
                    match[1] == std::to_string(answer.status) && answer.content_type == kJson;
  return fits ? match[3].str() : answer.body;
}

}  // namespace sconverge::test
