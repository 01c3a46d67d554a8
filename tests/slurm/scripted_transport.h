#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "controller/ports/transport.h"
#include "tests/slurm/golden.h"

namespace sconverge::test {

struct ScriptedAnswer {
  int status{200};
  std::string body{};
  std::optional<seconds> retry_after{};
  std::string refusal{};
};

/// What a ScriptedTransport was asked and is to answer; shared between it and the test.
struct Script {
  /// By "METHOD path" without the query. Without an entry: 404, as slurmrestd answers for an
  /// unknown URL. Several answers are given one after the other, the last one for ever.
  std::map<std::string, std::vector<Result<ScriptedAnswer>>> answers{};
  std::vector<SlurmCall> calls{};
  unsigned credentials{1};         ///< those in use
  unsigned newest_credentials{1};  ///< those that a renewal finds
  bool refuses_queries{false};     ///< paths with one, as something before Slurm may
  bool takes_queries{true};
  int sends{1};  ///< of each request, until it is answered
  std::mutex mutex{};

  void serve(const std::string& version) { on("GET /slurm/" + version + "/ping/", "ping.json"); }
  void on(const std::string& request, const std::string& file, int status = 200) {
    answers[request].push_back(ScriptedAnswer{status, recorded(file)});
  }
  void on_text(const std::string& request, const std::string& body, int status = 200) {
    answers[request].push_back(ScriptedAnswer{status, body});
  }
  void on_error(const std::string& request, ErrorKind kind) {
    answers[request].push_back(Error{kind, "scripted"});
  }
  [[nodiscard]] std::vector<std::string> paths(const std::string& containing) const {
    std::vector<std::string> found;
    for (const SlurmCall& call : calls) {
      const std::string text = std::string(to_text(call.method)) + " " + call.path;
      if (text.find(containing) != std::string::npos) found.push_back(text);
    }
    return found;
  }
};

class ScriptedTransport : public Transport {
 public:
  explicit ScriptedTransport(std::shared_ptr<Script> script) : script_(std::move(script)) {}

  Result<AnswerHead> exchange(const SlurmCall& call, const BodyReader& read_body) override {
    const std::lock_guard lock(script_->mutex);
    script_->calls.push_back(call);
    const std::string request =
        std::string(to_text(call.method)) + " " + call.path.substr(0, call.path.find('?'));
    Result<ScriptedAnswer> answer =
        ScriptedAnswer{404, recorded("version_not_served_404.txt"), {}, {}};
    if (const auto known = script_->answers.find(request); known != script_->answers.end()) {
      auto& queue = known->second;
      answer = queue.front();
      if (queue.size() > 1) queue.erase(queue.begin());
    }
    if (script_->refuses_queries && call.path.find('?') != std::string::npos) {
      script_->takes_queries = false;
      answer = Error{ErrorKind::Unavailable, "scripted: no queries"};
    }
    for (int i = 0; i < script_->sends; ++i) {
      TextSource body(answer && i + 1 == script_->sends ? answer->body : "");
      read_body(body);
    }
    if (!answer) return answer.error();
    return AnswerHead{answer->status, answer->retry_after, script_->credentials, answer->refusal};
  }

  bool renew_credentials(unsigned used) override {
    script_->credentials = script_->newest_credentials;
    return script_->credentials > used;
  }
  std::optional<TimePoint> credentials_expiry() const override {
    return TimePoint(seconds(1900000000));
  }
  std::string credentials_text() const override { return "the token in /scripted"; }
  bool takes_queries() const override { return script_->takes_queries; }
  std::string endpoint() const override { return "http://scripted"; }
  std::string user() const override { return "alice"; }

 private:
  std::shared_ptr<Script> script_;
};

}  // namespace sconverge::test
