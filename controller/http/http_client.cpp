#include "controller/http/http_client.h"

#include <cpprest/astreambuf.h>
#include <cpprest/http_client.h>
#include <pplx/threadpool.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <ctime>
#include <fstream>
#include <map>
#include <mutex>
#include <utility>

#include "controller/core/one_line.h"
#include "controller/http/body_pipe.h"

namespace sconverge {
namespace {

namespace http = web::http;
using http::client::http_client;
using http::client::http_client_config;

// Far above any list of Slurm's; only an answer without end is cut off.
constexpr std::uint64_t kMostBodyBytes = 4ULL << 30;

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

using Headers = std::map<std::string, std::string>;

/// "Sat, 14 Mar 2026 12:00:00 GMT"
std::optional<TimePoint> date_in(const Headers& headers, const std::string& name) {
  const auto header = headers.find(name);
  if (header == headers.end()) return std::nullopt;
  std::tm parts{};
  const char* end = strptime(header->second.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return TimePoint(seconds(timegm(&parts)));
}

/// Seconds, or a date that counts from the server's own.
std::optional<seconds> retry_after_in(const Headers& headers) {
  const auto header = headers.find("retry-after");
  if (header == headers.end()) return std::nullopt;
  const std::string& text = header->second;
  int wait = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, wait);
  if (error == std::errc() && stop == end) return seconds(std::max(wait, 0));
  const auto until = date_in(headers, "retry-after");
  const auto now = date_in(headers, "date");
  if (!until || !now) return seconds(60);  // to know that there is one must do
  return std::max(std::chrono::ceil<seconds>(*until - *now), seconds(0));
}

/// One request on its way, shared between the caller and the library's threads.
class Exchange {
 public:
  Exchange(BodyPipe::Deadline deadline, bool has_body)
      : pipe(deadline, kMostBodyBytes), has_body_(has_body) {}

  BodyPipe pipe;

  /// Called by the library before it writes the body (or, without one, after the headers). False:
  /// the caller has given up, and nothing more may be sent.
  bool begin_body() {
    Sent before = Sent::Nothing;
    return sent_.compare_exchange_strong(before, Sent::Body) || before == Sent::Body;
  }
  /// Called by the caller once it no longer waits. True: the request never left whole, and never
  /// will. Without a body that is known only once the library itself has failed.
  bool give_up() {
    if (!has_body_ && pipe.end() != BodyPipe::End::Broken) return false;
    Sent before = Sent::Nothing;
    return sent_.compare_exchange_strong(before, Sent::Nevermore) || before == Sent::Nevermore;
  }

  void keep_head(const http::http_response& response) {
    const std::lock_guard lock(mutex_);
    head_.status = response.status_code();
    for (const auto& [name, value] : response.headers()) head_.headers[lower_case(name)] = value;
    head_.date = date_in(head_.headers, "date");
    head_.retry_after = retry_after_in(head_.headers);
  }
  [[nodiscard]] HttpHead head() const {
    const std::lock_guard lock(mutex_);
    return head_;
  }

 private:
  enum class Sent { Nothing, Body, Nevermore };

  const bool has_body_;
  std::atomic<Sent> sent_{Sent::Nothing};
  mutable std::mutex mutex_{};
  HttpHead head_{};
};

/// What the library writes an answer's body into. It waits while the pipe is full, so that a list
/// of any length needs little memory.
class PipeBuffer : public concurrency::streams::details::streambuf_state_manager<std::uint8_t> {
 public:
  explicit PipeBuffer(std::shared_ptr<Exchange> exchange)
      : streambuf_state_manager(std::ios_base::out), exchange_(std::move(exchange)) {}

  bool can_seek() const override { return false; }
  bool has_size() const override { return false; }
  std::size_t buffer_size(std::ios_base::openmode) const override { return 0; }
  void set_buffer_size(std::size_t, std::ios_base::openmode) override {}
  std::size_t in_avail() const override { return 0; }
  pos_type getpos(std::ios_base::openmode) const override { return traits::eof(); }
  pos_type seekpos(pos_type, std::ios_base::openmode) override { return traits::eof(); }
  pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override {
    return traits::eof();
  }
  bool acquire(std::uint8_t*&, std::size_t&) override { return false; }
  void release(std::uint8_t*, std::size_t) override {}

 protected:
  pplx::task<std::size_t> _putn(const std::uint8_t* bytes, std::size_t size) override {
    const pplx::task_completion_event<std::size_t> taken;
    exchange_->pipe.put({reinterpret_cast<const char*>(bytes), size},
                        [taken, size] { taken.set(size); });
    return pplx::create_task(taken);
  }
  pplx::task<int_type> _putc(std::uint8_t byte) override {
    return _putn(&byte, 1).then([byte](std::size_t) { return static_cast<int_type>(byte); });
  }
  pplx::task<bool> _sync() override { return pplx::task_from_result(true); }
  std::uint8_t* _alloc(std::size_t) override { return nullptr; }
  void _commit(std::size_t) override {}

  // It is never read from.
  pplx::task<int_type> _bumpc() override { return pplx::task_from_result(traits::eof()); }
  int_type _sbumpc() override { return traits::eof(); }
  pplx::task<int_type> _getc() override { return pplx::task_from_result(traits::eof()); }
  int_type _sgetc() override { return traits::eof(); }
  pplx::task<int_type> _nextc() override { return pplx::task_from_result(traits::eof()); }
  pplx::task<int_type> _ungetc() override { return pplx::task_from_result(traits::eof()); }
  pplx::task<std::size_t> _getn(std::uint8_t*, std::size_t) override {
    return pplx::task_from_result<std::size_t>(0);
  }
  std::size_t _scopy(std::uint8_t*, std::size_t) override { return 0; }

 private:
  std::shared_ptr<Exchange> exchange_;
};

http::method method_of(HttpMethod method) {
  switch (method) {
    case HttpMethod::Get:
      return http::methods::GET;
    case HttpMethod::Post:
      return http::methods::POST;
    case HttpMethod::Delete:
      return http::methods::DEL;
  }
  return http::methods::GET;
}

/// As curl and google-auth take NO_PROXY: "*", a host, or the end of one.
bool goes_around_proxy(const HttpClientOptions& options, const std::string& host) {
  if (host == "localhost" || host.starts_with("127.")) return true;
  return std::any_of(options.no_proxy.begin(), options.no_proxy.end(), [&](std::string_view entry) {
    if (entry == "*") return true;
    if (entry.starts_with('.')) entry.remove_prefix(1);
    const bool ends = !entry.empty() && host.ends_with(entry);
    return ends && (host.size() == entry.size() || host[host.size() - entry.size() - 1] == '.');
  });
}

http_client_config config_of(const HttpClientOptions& options, const web::uri& server,
                             seconds timeout) {
  http_client_config config;
  const bool proxied = server.scheme() == "https" && !options.https_proxy.empty();
  if (proxied && !goes_around_proxy(options, server.host())) {
    config.set_proxy(web::web_proxy(web::uri(options.https_proxy)));
  }
  // The library's timer starts anew with every part of an answer; BodyPipe keeps the deadline.
  config.set_timeout(timeout + seconds(10));
  config.set_max_redirects(0);
  config.set_validate_certificates(true);
  if (!options.ca_file.empty()) {
    config.set_ssl_context_callback([file = options.ca_file](boost::asio::ssl::context& context) {
      boost::system::error_code ignored;  // then nothing verifies, and the handshake says so
      context.load_verify_file(file, ignored);
    });
  }
  return config;
}

/// Empty: nothing, or there is no file to speak of.
std::string what_is_wrong_with_authorities(const std::string& ca_file) {
  if (ca_file.empty()) return "";
  if (!std::ifstream(ca_file)) return "cannot be read";
  boost::asio::ssl::context context(boost::asio::ssl::context::tls_client);
  boost::system::error_code error;
  context.load_verify_file(ca_file, error);
  return error ? "holds no certificate in PEM" : "";
}

/// Why there is no answer: for people, and for counting.
struct Why {
  std::string text;
  TransportFailure failure;
};

/// What the library says.
Why in_our_words(std::string why) {
  struct Row {
    std::string_view theirs;
    std::string_view ours;
    TransportFailure failure;
  };
  constexpr std::array kWords{
      Row{"Failed to connect to any resolved endpoint", "nobody listens there",
          TransportFailure::Connect},
      Row{"Error resolving address", "the host name has no address", TransportFailure::Dns},
      Row{"Error in SSL handshake",
          "it is not trusted (its certificate is not for this name, or of an authority that is not "
          "known here), or speaks no TLS",
          TransportFailure::Tls},
      Row{"Failed to read HTTP status line", "the connection was closed instead of an answer",
          TransportFailure::Closed},
      Row{"Failed to read response body", "the connection was closed in the middle of an answer",
          TransportFailure::Closed},
  };
  for (const auto& [theirs, ours, failure] : kWords) {
    if (why.starts_with(theirs)) return {std::string(ours), failure};
  }
  if (!why.empty() && why.front() >= 'A' && why.front() <= 'Z' && !why.starts_with("HTTP")) {
    why.front() = static_cast<char>(why.front() - 'A' + 'a');
  }
  return {std::move(why), TransportFailure::Other};
}

class RestSdkClient : public HttpClient {
 public:
  explicit RestSdkClient(HttpClientOptions options) : options_(std::move(options)) {}

  Result<HttpHead> exchange(const HttpCall& call, const BodyReader& read_body) override {
    const auto exchange = std::make_shared<Exchange>(
        std::chrono::steady_clock::now() + call.timeout, !call.body.empty());
    try {
      const web::uri url(call.url);
      http_client client = client_for(url.authority(), call);
      return await(exchange, client, request_for(call, url.resource(), exchange), call.timeout,
                   read_body);
    } catch (const web::uri_exception& problem) {
      return Error{ErrorKind::Rejected, "it is no URL: " + one_line(problem.what())};
    } catch (const std::exception& problem) {
      return failure(*exchange, in_our_words(one_line(problem.what())));
    }
  }

 private:
  /// A client keeps its connections; each knows one server and one timeout.
  http_client client_for(const web::uri& server, const HttpCall& call) {
    // The library repeats a request when a reused connection turns out to be closed, even if it
    // had been read (cpprestsdk 2.10.18).
    if (call.at_most_once) return {server, config_of(options_, server, call.timeout)};
    const std::lock_guard lock(mutex_);
    const auto key = std::pair(server.to_string(), call.timeout);
    auto known = clients_.find(key);
    if (known == clients_.end()) {
      known = clients_.emplace(key, http_client(server, config_of(options_, server, call.timeout)))
                  .first;
    }
    return known->second;
  }

  static http::http_request request_for(const HttpCall& call, const web::uri& resource,
                                        const std::shared_ptr<Exchange>& exchange) {
    http::http_request request(method_of(call.method));
    request.set_request_uri(resource);
    if (!call.body.empty()) request.set_body(call.body);
    for (const auto& [name, value] : call.headers) request.headers()[name] = value;
    request.set_response_stream(
        concurrency::streams::streambuf<std::uint8_t>(std::make_shared<PipeBuffer>(exchange))
            .create_ostream());
    request.set_progress_handler(
        [exchange](http::message_direction::direction direction, utility::size64_t) {
          if (direction == http::message_direction::upload && !exchange->begin_body()) {
            throw http::http_exception("given up");
          }
        });
    return request;
  }

  static Result<HttpHead> await(const std::shared_ptr<Exchange>& exchange, http_client& client,
                                const http::http_request& request, seconds timeout,
                                const BodyReader& read_body) {
    const pplx::cancellation_token_source cancel;
    client.request(request, cancel.get_token())
        .then([exchange](const http::http_response& response) {
          exchange->keep_head(response);
          return response.content_ready();
        })
        .then([exchange](const pplx::task<http::http_response>& answer) {
          try {
            answer.get();
            exchange->pipe.finish("");
          } catch (const std::exception& problem) {
            exchange->pipe.finish(problem.what());
          }
        });
    read_body(exchange->pipe);
    while (!exchange->pipe.next().empty()) {
    }
    if (exchange->pipe.end() == BodyPipe::End::Whole) return exchange->head();
    cancel.cancel();
    return failure(*exchange, why(exchange->pipe, timeout));
  }

  static Why why(const BodyPipe& pipe, seconds timeout) {
    switch (pipe.end()) {
      case BodyPipe::End::Late:
        return {"no whole answer within " + std::to_string(timeout.count()) + " s",
                TransportFailure::Timeout};
      case BodyPipe::End::TooLarge:
        return {"the answer is larger than 4 GiB", TransportFailure::Other};
      case BodyPipe::End::Open:
      case BodyPipe::End::Whole:
      case BodyPipe::End::Broken:
        break;
    }
    return in_our_words(one_line(pipe.failure()));
  }

  static Error failure(Exchange& exchange, Why why) {
    const ErrorKind kind = exchange.give_up() ? ErrorKind::Unavailable : ErrorKind::Unknown;
    return {.kind = kind, .message = std::move(why.text), .transport = why.failure};
  }

  const HttpClientOptions options_;
  std::mutex mutex_{};
  std::map<std::pair<std::string, seconds>, http_client> clients_{};
};

}  // namespace

Result<std::shared_ptr<HttpClient>> make_http_client(const HttpClientOptions& options) {
  if (const auto wrong = what_is_wrong_with_authorities(options.ca_file); !wrong.empty()) {
    return Error{ErrorKind::Rejected, "CA file \"" + options.ca_file + "\" " + wrong};
  }
  const std::string& proxy = options.https_proxy;
  if (!proxy.empty() && (!proxy.starts_with("http://") || !web::uri::validate(proxy))) {
    return Error{
        ErrorKind::Rejected,
        "the proxy for https is no URL of the form http://HOST:PORT; set HTTPS_PROXY anew, "
        "or unset it"};
  }
  return std::shared_ptr<HttpClient>(std::make_shared<RestSdkClient>(options));
}

void set_http_threads(int count) {
  crossplat::threadpool::initialize_with_threads(static_cast<std::size_t>(std::max(count, 1)));
}

}  // namespace sconverge
