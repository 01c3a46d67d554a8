#include "controller/app/heartbeat.h"

namespace sconverge {
namespace {

class BeatingSource : public SpecSource {
 public:
  BeatingSource(std::unique_ptr<SpecSource> inner, Heartbeat& heartbeat, const Clock& clock)
      : inner_(std::move(inner)), heartbeat_(heartbeat), clock_(clock) {}

  Desired read() override {
    heartbeat_.beat(clock_.now());
    Desired desired = inner_->read();
    heartbeat_.scanned();
    return desired;
  }
  SourceScan last_scan() const override { return inner_->last_scan(); }
  bool wait(milliseconds timeout, const std::stop_token& stop) override {
    heartbeat_.beat(clock_.now());
    return inner_->wait(timeout, stop);
  }

 private:
  std::unique_ptr<SpecSource> inner_;
  Heartbeat& heartbeat_;
  const Clock& clock_;
};

class BeatingTransport : public Transport {
 public:
  BeatingTransport(std::unique_ptr<Transport> inner, Heartbeat& heartbeat, const Clock& clock)
      : inner_(std::move(inner)), heartbeat_(heartbeat), clock_(clock) {}

  Result<AnswerHead> exchange(const SlurmCall& call, const BodyReader& read_body) override {
    heartbeat_.beat(clock_.now());
    heartbeat_.begin_request();
    auto answer = inner_->exchange(call, read_body);
    heartbeat_.end_request();
    heartbeat_.beat(clock_.now());
    return answer;
  }
  bool renew_credentials(unsigned used) override { return inner_->renew_credentials(used); }
  [[nodiscard]] bool takes_queries() const override { return inner_->takes_queries(); }
  [[nodiscard]] std::optional<TimePoint> credentials_expiry() const override {
    return inner_->credentials_expiry();
  }
  [[nodiscard]] std::string credentials_text() const override { return inner_->credentials_text(); }
  [[nodiscard]] std::string endpoint() const override { return inner_->endpoint(); }
  [[nodiscard]] std::string user() const override { return inner_->user(); }

 private:
  std::unique_ptr<Transport> inner_;
  Heartbeat& heartbeat_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<SpecSource> with_heartbeat(std::unique_ptr<SpecSource> source, Heartbeat& heartbeat,
                                           const Clock& clock) {
  return std::make_unique<BeatingSource>(std::move(source), heartbeat, clock);
}

std::unique_ptr<Transport> with_heartbeat(std::unique_ptr<Transport> transport,
                                          Heartbeat& heartbeat, const Clock& clock) {
  return std::make_unique<BeatingTransport>(std::move(transport), heartbeat, clock);
}

}  // namespace sconverge
