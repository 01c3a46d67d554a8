#include "tests/support/fake_store.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace sconverge::test {
namespace {

/// Counts a fault down; true when this is the call that fails.
bool due(int& calls_left) { return calls_left > 0 && --calls_left == 0; }

Error fault(const std::string& what) {
  return {.kind = ErrorKind::Unavailable, .message = "fake store: " + what + " failed as told"};
}

}  // namespace

FakeStore::FakeStore(std::string cluster) : cluster_(std::move(cluster)) {}

Result<History> FakeStore::load() {
  if (due(fail_load_in)) return fault("load");
  std::map<std::string, JobSpecPtr> by_text;
  const auto read_anew = [&](JobSpecPtr& spec) {
    if (spec == nullptr) return;
    JobSpecPtr& shared = by_text[canonical_text(*spec)];
    if (shared == nullptr) shared = std::make_shared<JobSpec>(*spec);
    spec = shared;
  };
  History history = history_;
  for (auto& [name, entry] : history) {
    read_anew(entry.accepted);
    read_anew(entry.submitted);
  }
  return history;
}

Result<Done> FakeStore::save(const History& history, const std::vector<SpecName>& names) {
  ++saves_;
  const bool fails = due(fail_save_in) || fail_every_save;
  const bool lands = std::exchange(next_save_lands_but_reports_error, false);
  if (fails && !lands) return fault("save");
  for (const SpecName& name : names) {
    const auto found = history.find(name);
    if (found == history.end()) {
      history_.erase(name);
    } else {
      history_.insert_or_assign(name, found->second);
    }
  }
  if (lands) return fault("the answer to a save");
  return Done{};
}

Result<std::vector<Request>> FakeStore::requests() {
  if (due(fail_requests_in)) return fault("requests");
  return requests_;
}

Result<Done> FakeStore::add_request(const Request& request) {
  if (due(fail_add_request_in)) return fault("add_request");
  requests_.push_back(request);
  requests_.back().id = ++last_request_;
  return Done{};
}

Result<Done> FakeStore::answered(const std::vector<Request>& requests) {
  if (due(fail_answered_in)) return fault("answered");
  std::erase_if(requests_, [&](const Request& open) {
    return std::any_of(requests.begin(), requests.end(),
                       [&](const Request& request) { return request.id == open.id; });
  });
  return Done{};
}

Result<Done> FakeStore::publish(const Published& published) {
  if (due(fail_publish_in)) return fault("publish");
  published_ = published;
  std::sort(published_->statuses.begin(), published_->statuses.end(),
            [](const SpecStatus& a, const SpecStatus& b) { return a.name < b.name; });
  return Done{};
}

Result<Published> FakeStore::published() {
  if (!published_) {
    return Error{.kind = ErrorKind::Unavailable,
                 .message = "nothing is known yet about cluster " + cluster_};
  }
  return *published_;
}

std::optional<std::uint64_t> FakeStore::size_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [name, entry] : history_) {
    bytes += to_text(name).size();
    if (entry.accepted) bytes += canonical_text(*entry.accepted).size();
  }
  return bytes;
}

void FakeStore::crash() { published_.reset(); }

}  // namespace sconverge::test
