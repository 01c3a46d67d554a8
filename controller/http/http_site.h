#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/http/http_server.h"
#include "controller/http/in_flight.h"
#include "controller/http/service_threads.h"

namespace sconverge {

/// An answer, and what its connection has to know about it.
struct SiteAnswer {
  HttpAnswer answer{};
  bool close{false};             ///< the connection has to be closed after it
  InFlight::Ticket in_flight{};  ///< to be kept until it is written
};

/// Which answer a request gets, whatever the connection it came on. Thread-safe.
class Site {
 public:
  Site(const HttpOptions& options, std::vector<Route> routes);

  /// The answer that needs no body: a page, or a refusal. None: it is for the service.
  std::optional<SiteAnswer> answer(const HttpRequest& head, std::size_t target_bytes,
                                   std::size_t header_bytes);

  /// Has the service answer. `done` is called once, here or later on a thread of the service's; or
  /// never, after `drop`.
  void serve(HttpRequest whole, const std::function<void(SiteAnswer)>& done);

  /// The answer to a request that cannot be read.
  SiteAnswer refuse(int status, const std::string& why);

  /// REQUIRES: there is a service, that is, `answer` has given none.
  [[nodiscard]] std::size_t most_body_bytes() const { return service_->most_body_bytes; }

  bool drain(milliseconds patience) { return in_flight_->drain(patience); }

  void drop();  ///< the requests that wait for the service, and those that come
  void stop();  ///< `drop`, and waits for the service's answers

 private:
  using Get = std::function<HttpAnswer(const HttpRequest&)>;

  SiteAnswer ask(const std::string& handler, const Get& get, const HttpRequest& request,
                 InFlight::Ticket in_flight);
  SiteAnswer told(const std::string& handler, SiteAnswer answer) const;

  std::map<std::string, Get, std::less<>> routes_{};
  const std::optional<Service> service_;
  const std::function<void(const std::string&, int)> on_answer_;
  const std::shared_ptr<InFlight> in_flight_{std::make_shared<InFlight>()};
  std::unique_ptr<ServiceThreads> threads_{};
};

}  // namespace sconverge
