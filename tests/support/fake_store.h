#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controller/ports/store.h"

namespace sconverge::test {

/// A disk in memory, with a store of one cluster on it. What is saved is a copy; what is loaded
/// shares one new JobSpec for equal contents, so nothing can lean on an address it once had. Passes
/// the same contract suite as the real store.
class FakeStore : public Store {
 public:
  explicit FakeStore(std::string cluster = "lab");

  Result<History> load() override;
  Result<Done> save(const History& history, const std::vector<SpecName>& names) override;
  Result<std::vector<Request>> requests() override;
  Result<Done> add_request(const Request& request) override;
  Result<Done> answered(const std::vector<Request>& requests) override;
  Result<Done> publish(const Published& published) override;
  Result<Published> published() override;
  /// Of what survives a power cut: its text.
  std::optional<std::uint64_t> size_bytes() const override;

  /// A power cut: what need not survive one is lost, what was promised to be durable is there.
  void crash();

  // Faults. Counts say which call from now fails, once; 0: none.
  int fail_save_in{0};
  bool fail_every_save{false};
  /// The commit reached the disk, its answer was lost: an Error that is not what it seems.
  bool next_save_lands_but_reports_error{false};
  int fail_load_in{0};
  int fail_requests_in{0};
  int fail_add_request_in{0};
  int fail_answered_in{0};
  int fail_publish_in{0};

  /// How many saves have been asked for.
  [[nodiscard]] int saves() const { return saves_; }
  /// What a restart would find.
  [[nodiscard]] const History& durable() const { return history_; }

 private:
  std::string cluster_;
  History history_;
  std::vector<Request> requests_;
  std::int64_t last_request_{0};
  std::optional<Published> published_;
  int saves_{0};
};

}  // namespace sconverge::test
