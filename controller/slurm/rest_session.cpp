#include "controller/slurm/rest_session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <string_view>
#include <utility>

#include "controller/slurm/utf8_repair.h"

namespace sconverge {
namespace {

constexpr std::array<std::string_view, 6> kVersions{"v0.0.45", "v0.0.44", "v0.0.43",
                                                    "v0.0.42", "v0.0.41", "v0.0.40"};

// If nobody takes them, the newest ones are worth keeping.
constexpr std::size_t kMostRequests = 10'000;

std::string_view to_text(Service service) {
  return service == Service::Slurm ? "/slurm/" : "/slurmdb/";
}

/// "2026-03-14T12:00:00Z"
std::string utc_text(TimePoint time) {
  const std::time_t when = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&when, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// ": why", where somebody before Slurm said it.
std::string because(const AnswerHead& head) {
  return head.refusal.empty() ? "" : ": " + head.refusal;
}

}  // namespace

Error about(const std::string& what, Error error) {
  if (!what.empty()) error.message = what + ": " + error.message;
  return error;
}

RestSession::RestSession(std::unique_ptr<Transport> transport, std::string pinned)
    : transport_(std::move(transport)), pinned_(std::move(pinned)) {}

Result<Reply> RestSession::ask(const Ask& ask) {
  const auto before = version();
  if (!before) return about(ask.what, before.error());
  auto reply = send_renewing(ask, *before);
  // Without slurmdb every question to it looks unserved, and that says nothing about the version.
  if (!reply || ask.service == Service::Slurmdb || !is_unserved(reply->head, reply->body)) {
    return reply;
  }
  if (!pinned_.empty()) {
    return about(ask.what, {ErrorKind::Unavailable,
                            transport_->endpoint() + " does not serve API " + pinned_ +
                                ", to which this client is pinned" + because(reply->head)});
  }
  forget_version(*before);
  const auto now = version();
  if (!now) return about(ask.what, now.error());
  return *now == *before ? reply : send_renewing(ask, *now, true);
}

Result<std::string> RestSession::text_of(const std::string& path) {
  std::string text;
  const auto error = read_from(path, [&](ByteSource& bytes) {
    text.clear();
    for (auto part = bytes.next(); !part.empty(); part = bytes.next()) text.append(part);
  });
  if (error) return *error;
  return text;
}

std::optional<Error> RestSession::read_from(const std::string& path, const BodyReader& read) {
  const SlurmCall call{HttpMethod::Get, path};
  const auto read_repaired = [&](ByteSource& raw) {
    Utf8Repair bytes(raw);
    read(bytes);
  };
  auto head = transport_->exchange(call, read_repaired);
  const bool refused = head && head->status == 401;
  if (refused && transport_->renew_credentials(head->credentials)) {
    head = transport_->exchange(call, read_repaired);
  }
  if (!head) return head.error();
  if (head->status == 200) return std::nullopt;
  return Error{ErrorKind::Unavailable,
               transport_->endpoint() + path + ": HTTP " + std::to_string(head->status)};
}

Result<std::string> RestSession::version() {
  if (!pinned_.empty()) return pinned_;
  const std::lock_guard lock(version_mutex_);
  if (!version_.empty()) return version_;
  auto found = find_version();
  if (found) version_ = *found;
  return found;
}

void RestSession::forget_version(const std::string& version) {
  const std::lock_guard lock(version_mutex_);
  if (version_ == version) version_.clear();
}

Result<std::string> RestSession::find_version() {
  std::string why = "; is it a slurmrestd?";
  for (const std::string_view candidate : kVersions) {
    const std::string version(candidate);
    const auto reply = send_renewing(
        {.path = "ping/", .route = "ping", .what = "ping of " + transport_->endpoint()}, version);
    if (!reply) return reply.error();
    if (is_unserved(reply->head, reply->body)) {
      if (!reply->head.refusal.empty()) why = because(reply->head);
      continue;
    }
    if (reply->body.whole && !refuses_credentials(reply->head, reply->body)) return version;
    return error_of(Purpose::Read, "ping of " + transport_->endpoint(), reply->head, reply->body);
  }
  return Error{ErrorKind::Unavailable, transport_->endpoint() + " serves no API version between " +
                                           std::string(kVersions.back()) + " and " +
                                           std::string(kVersions.front()) + why};
}

Result<Reply> RestSession::send_renewing(const Ask& ask, const std::string& version, bool again) {
  auto reply = send(ask, version, again);
  const bool refused = reply && refuses_credentials(reply->head, reply->body);
  if (refused && transport_->renew_credentials(reply->head.credentials)) {
    reply = send(ask, version, true);
  }
  const bool still = reply && refuses_credentials(reply->head, reply->body);
  if (!still || reply->body.submitted) return reply;
  Error error = error_of(ask.purpose, ask.what, reply->head, reply->body);
  error.message += "; Slurm does not accept " + transport_->credentials_text();
  if (const std::string user = transport_->user(); !user.empty()) error.message += " for " + user;
  if (const auto expiry = transport_->credentials_expiry()) {
    error.message += ", which says it ends at " + utc_text(*expiry);
  }
  return error;
}

Result<Reply> RestSession::send(const Ask& ask, const std::string& version, bool again) {
  const std::string service(to_text(ask.service));
  const SlurmCall call{ask.method, service + version + "/" + ask.path, ask.body,
                       ask.purpose == Purpose::Submit};
  Reply reply;
  int sends = 0;  // its body is read as often as the request is sent
  const auto began = std::chrono::steady_clock::now();
  const auto head = transport_->exchange(call, [&](ByteSource& bytes) {
    ++sends;
    reply.body = read_answer(bytes, ask.rows, ask.keep);
  });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  SlurmRequest request{std::string(to_text(ask.method)) + " " + service + ask.route, "",
                       took.count()};
  request.repeats = std::max(sends - 1, 0) + (again ? 1 : 0);
  if (head) {
    request.code = std::to_string(head->status);
    request.api_failure = api_failure_in(*head, reply.body);
  } else {
    if (sends > 0) request.code = "transport_error";
    request.transport_failure = head.error().transport.value_or(TransportFailure::Other);
  }
  record(std::move(request));
  if (!head) {
    Error error = about(ask.what, head.error());
    if (ask.purpose == Purpose::Read && error.kind == ErrorKind::Unknown) {
      error.kind = ErrorKind::Unavailable;
    }
    return error;
  }
  reply.head = *head;
  return reply;
}

void RestSession::record(SlurmRequest request) {
  const std::lock_guard lock(requests_mutex_);
  if (requests_.size() >= kMostRequests) requests_.erase(requests_.begin());
  requests_.push_back(std::move(request));
}

std::vector<SlurmRequest> RestSession::take_requests() {
  const std::lock_guard lock(requests_mutex_);
  return std::exchange(requests_, {});
}

}  // namespace sconverge
