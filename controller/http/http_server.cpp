#include "controller/http/http_server.h"

#include <cpprest/http_listener.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "controller/http/port_drain.h"

namespace sconverge {
namespace {

namespace rest = web::http;
using Listener = web::http::experimental::listener::http_listener;

constexpr std::size_t kMostTargetBytes = 4UL * 1024;
constexpr std::size_t kMostHeaderBytes = 16UL * 1024;
constexpr milliseconds kDrainPatience{2000};

HttpAnswer plain(int status, const std::string& text) { return {status, kPlainText, text + "\n"}; }

std::size_t header_bytes(const rest::http_headers& headers) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : headers) bytes += name.size() + value.size();
  return bytes;
}

/// What the library's threads need; shared with them, so that it outlives an answer under way.
class Site {
 public:
  Site(std::vector<Route> routes, std::function<void(const std::string&, int)> on_answer)
      : on_answer_(std::move(on_answer)) {
    for (Route& route : routes) routes_[route.path] = std::move(route.get);
  }

  void answer(const rest::http_request& request) const {
    const auto route = routes_.find(request.relative_uri().path());
    const bool known = route != routes_.end();
    const HttpAnswer answer = known ? answer_to(request, route->second) : unknown(request);
    if (on_answer_) on_answer_(known ? route->first : "other", answer.status);
    send(request, answer);
  }

 private:
  using Get = std::function<HttpAnswer(const HttpRequest&)>;

  static std::optional<HttpAnswer> refusal(const rest::http_request& request) {
    if (request.request_uri().to_string().size() > kMostTargetBytes) {
      return plain(414, "request line too long");
    }
    if (header_bytes(request.headers()) > kMostHeaderBytes) return plain(431, "headers too large");
    return std::nullopt;
  }

  static HttpAnswer unknown(const rest::http_request& request) {
    if (auto refused = refusal(request)) return *refused;
    return plain(404, "not found");
  }

  static HttpAnswer answer_to(const rest::http_request& request, const Get& get) {
    if (auto refused = refusal(request)) return *refused;
    if (request.method() != rest::methods::GET && request.method() != rest::methods::HEAD) {
      return plain(405, "only GET and HEAD are served");
    }
    try {
      return get({.query = request.request_uri().query()});
    } catch (...) {  // the library would take it for its own and tell the client about it
      return plain(500, "internal error");
    }
  }

  static void send(const rest::http_request& request, const HttpAnswer& answer) {
    rest::http_response response(static_cast<rest::status_code>(answer.status));
    const bool head = request.method() == rest::methods::HEAD;
    response.set_body(head ? std::string() : answer.body, answer.content_type);
    response.headers()["Cache-Control"] = "no-store";
    response.headers()["X-Content-Type-Options"] = "nosniff";
    if (answer.status == 405) response.headers()["Allow"] = "GET, HEAD";
    if (answer.status == 414 || answer.status == 431) response.headers()["Connection"] = "close";
    if (head) {
      // The library cannot announce a length without sending that much. Finding nothing to send, it
      // closes the connection after the headers, which is what a HEAD should look like.
      response.headers()["Content-Length"] = std::to_string(answer.body.size());
      response.headers()["Connection"] = "close";
    }
    request.reply(response).then([](const pplx::task<void>& sent) {
      try {
        sent.get();
      } catch (const std::exception&) {
        // The client went away; an exception nobody looks at would end the process.
      }
    });
  }

  std::map<std::string, Get, std::less<>> routes_;
  std::function<void(const std::string&, int)> on_answer_;
};

class RestServer : public HttpServer {
 public:
  RestServer(std::unique_ptr<Listener> listener, std::uint16_t port)
      : listener_(std::move(listener)), port_(port) {}
  RestServer(const RestServer&) = delete;
  RestServer& operator=(const RestServer&) = delete;

  ~RestServer() override {
    drain_port(port_, kDrainPatience);
    try {
      listener_->close().wait();
    } catch (const std::exception&) {
      // It was not open any more, which is what we want.
    }
  }

  [[nodiscard]] std::uint16_t port() const override { return port_; }

  bool drain(milliseconds patience) override { return drain_port(port_, patience); }

 private:
  std::unique_ptr<Listener> listener_;
  std::uint16_t port_;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> serve(const HttpOptions& options, std::vector<Route> routes) {
  // A second listener on an address throws and also takes the first one off it (cpprestsdk 2.10),
  // so the address is known to be free, and stays so, before the library hears of it.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const auto reserved = ReservedPort::reserve(options.listen);
  if (!reserved) return reserved.error();

  const ListenAddress& address = reserved->address();
  try {
    auto listener = std::make_unique<Listener>(web::uri("http://" + to_text(address) + "/"));
    auto site = std::make_shared<const Site>(std::move(routes), options.on_answer);
    const auto answer = [site](const rest::http_request& request) { site->answer(request); };
    listener->support(answer);
    // Left alone, the library answers these itself, and TRACE with all the request's headers.
    listener->support(rest::methods::OPTIONS, answer);
    listener->support(rest::methods::TRCE, answer);
    listener->open().wait();
    return std::unique_ptr<HttpServer>(
        std::make_unique<RestServer>(std::move(listener), address.port));
  } catch (const std::system_error& error) {
    return cannot_listen(address, error.code().value());
  } catch (const std::exception& error) {
    return Error{.kind = ErrorKind::Unavailable,
                 .message = "cannot listen on " + to_text(address) + ": " + error.what()};
  }
}

}  // namespace sconverge
