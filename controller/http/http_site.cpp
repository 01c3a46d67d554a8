#include "controller/http/http_site.h"

#include <utility>

#include "controller/http/content_coding.h"

namespace sconverge {
namespace {

constexpr const char* kOther = "other";
constexpr std::size_t kMostTargetBytes = 4UL * 1024;
constexpr std::size_t kMostHeaderBytes = 16UL * 1024;

HttpAnswer plain(int status, const std::string& text) {
  return {status, kPlainText, text + "\n", {}};
}

}  // namespace

Site::Site(const HttpOptions& options, std::vector<Route> routes)
    : service_(options.service), on_answer_(options.on_answer) {
  for (Route& route : routes) routes_[route.path] = std::move(route.get);
  if (service_) {
    threads_ = std::make_unique<ServiceThreads>(service_->threads, service_->most_waiting);
  }
}

std::optional<SiteAnswer> Site::answer(const HttpRequest& head, std::size_t target_bytes,
                                       std::size_t header_bytes) {
  if (target_bytes > kMostTargetBytes) return refuse(414, "request line too long");
  const auto route = routes_.find(head.path);
  const bool known = route != routes_.end();
  const std::string& handler = known ? route->first : kOther;
  if (header_bytes > kMostHeaderBytes) {
    if (!known) return refuse(431, "headers too large");
    return told(handler, {plain(431, "headers too large"), true, {}});
  }
  if (!known && service_) return std::nullopt;

  auto in_flight = in_flight_->begin();
  if (!in_flight) return told(handler, {plain(503, "shutting down"), true, {}});
  if (!known) return told(handler, {plain(404, "not found"), false, std::move(in_flight)});
  if (head.method != "GET" && head.method != "HEAD") {
    HttpAnswer refusal = plain(405, "only GET and HEAD are served");
    refusal.headers.emplace_back("Allow", "GET, HEAD");
    return told(handler, {std::move(refusal), false, std::move(in_flight)});
  }
  return ask(handler, route->second, head, std::move(in_flight));
}

void Site::serve(HttpRequest whole, const std::function<void(SiteAnswer)>& done) {
  auto in_flight = in_flight_->begin();
  if (!in_flight) return done(refuse(503, "shutting down"));
  const auto shared = std::make_shared<HttpRequest>(std::move(whole));
  const bool offered = threads_->offer([this, shared, done, in_flight] {
    SiteAnswer answer = ask(kOther, service_->answer, *shared, in_flight);
    answer.close = shared->body_too_large;
    done(std::move(answer));
  });
  if (!offered) done(refuse(503, "too many requests wait for an answer"));
}

SiteAnswer Site::refuse(int status, const std::string& why) {
  HttpAnswer answer = plain(status, why);
  if (service_ && service_->refuse) {
    try {
      answer = service_->refuse(status, why);
    } catch (...) {  // the plain words have to do
    }
  }
  return told(kOther, {std::move(answer), true, {}});
}

void Site::drop() {
  in_flight_->drain(milliseconds{0});
  if (threads_) threads_->drop();
}

void Site::stop() {
  drop();
  if (threads_) threads_->stop();
}

SiteAnswer Site::ask(const std::string& handler, const Get& get, const HttpRequest& request,
                     InFlight::Ticket in_flight) {
  try {
    HttpAnswer answer = get(request);
    // A service words its answers itself.
    if (handler != kOther) encode(answer, request.accept_encoding);
    return told(handler, {std::move(answer), false, in_flight});
  } catch (...) {  // what a handler throws must not reach the client, nor end the process
    if (handler != kOther) {
      return told(handler, {plain(500, "internal error"), false, std::move(in_flight)});
    }
    SiteAnswer answer = refuse(500, "internal error");
    answer.close = false;
    answer.in_flight = std::move(in_flight);
    return answer;
  }
}

SiteAnswer Site::told(const std::string& handler, SiteAnswer answer) const {
  if (on_answer_) on_answer_(handler, answer.answer.status);
  return answer;
}

}  // namespace sconverge
