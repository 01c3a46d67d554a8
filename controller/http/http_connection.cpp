#include "controller/http/http_connection.h"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sconverge {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using ErrorCode = beast::error_code;
using PlainStream = beast::tcp_stream;
using TlsStream = beast::ssl_stream<beast::tcp_stream>;

/// Far enough above the site's limits that the site words the refusal.
constexpr std::uint32_t kMostHeadBytes = 64U * 1024;
constexpr std::chrono::minutes kAnswerPatience{10};
constexpr seconds kFarewellPatience{10};
constexpr std::size_t kMostIgnoredBytes = 64UL * 1024 * 1024;

std::string text_of(boost::string_view text) { return {text.data(), text.size()}; }

template <typename Fields>
std::size_t bytes_of(const Fields& fields) {
  std::size_t bytes = 0;
  for (const auto& field : fields) bytes += field.name_string().size() + field.value().size();
  return bytes;
}

/// A list may be sent in several headers of one name (RFC 9110, 5.2).
template <typename Message>
std::string joined(const Message& message, http::field name) {
  std::string all;
  const auto [begin, end] = message.equal_range(name);
  for (auto field = begin; field != end; ++field) {
    all += (all.empty() ? "" : ",") + text_of(field->value());
  }
  return all;
}

template <typename Message>
HttpRequest head_of(const Message& message) {
  HttpRequest head;
  head.method = text_of(message.method_string());
  // Of two, a proxy in front may have looked at the other one: neither counts.
  if (message.count(http::field::authorization) == 1) {
    head.authorization = text_of(message[http::field::authorization]);
  }
  head.accept = joined(message, http::field::accept);
  head.accept_encoding = joined(message, http::field::accept_encoding);
  const std::string target = text_of(message.target());
  std::string_view rest = target;
  if (const auto scheme = rest.find("://"); !rest.starts_with('/') && scheme != rest.npos) {
    rest.remove_prefix(std::min(rest.find('/', scheme + 3), rest.size()));  // as sent to a proxy
  }
  const auto mark = rest.find('?');
  head.path = rest.substr(0, mark);
  if (mark != rest.npos) head.query = rest.substr(mark + 1);
  return head;
}

bool is_safe(std::string_view header) {
  return std::none_of(header.begin(), header.end(),
                      [](char byte) { return byte == '\r' || byte == '\n'; });
}

http::response<http::string_body> response_of(HttpAnswer answer, bool keep_alive) {
  http::response<http::string_body> response;
  response.result(static_cast<unsigned>(answer.status));
  response.set(http::field::content_type, answer.content_type);
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : answer.headers) response.erase(name);
  for (const auto& [name, value] : answer.headers) {
    if (is_safe(name) && is_safe(value)) response.insert(name, value);
  }
  response.keep_alive(keep_alive);
  response.body() = std::move(answer.body);
  response.content_length(response.body().size());
  return response;
}

template <typename Stream>
class Conversation : public HttpConnection,
                     public std::enable_shared_from_this<Conversation<Stream>> {
 public:
  template <typename... StreamArguments>
  Conversation(std::shared_ptr<Site> site, milliseconds patience, StreamArguments&&... arguments)
      : stream_(std::forward<StreamArguments>(arguments)...),
        site_(std::move(site)),
        patience_(patience) {}

  void start() {
    asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->greet(); });
  }

  void cut_off() override {
    ErrorCode ignored;
    lowest().socket().close(ignored);
  }

 private:
  static constexpr bool kTls = std::is_same_v<Stream, TlsStream>;

  beast::tcp_stream& lowest() { return beast::get_lowest_layer(stream_); }

  /// A handler that keeps this alive.
  template <typename Member>
  auto then(Member member) {
    return [self = this->shared_from_this(), member](ErrorCode error, std::size_t /*bytes*/ = 0) {
      (self.get()->*member)(error);
    };
  }

  void greet() {
    if constexpr (kTls) {
      lowest().expires_after(patience_);
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](ErrorCode error) {
                                if (!error) self->read_head();
                              });
    } else {
      read_head();
    }
  }

  void read_head() {
    is_head_ = false;
    parser_.emplace();
    parser_->header_limit(kMostHeadBytes);
    // Whether a body is too large is asked when its turn comes.
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());
    lowest().expires_after(patience_);
    http::async_read_header(stream_, buffer_, *parser_, then(&Conversation::on_head));
  }

  void on_head(ErrorCode error) {
    if (error == http::error::header_limit) {
      const bool in_headers = !parser_->get().target().empty();
      return write(in_headers ? site_->refuse(431, "headers too large")
                              : site_->refuse(414, "request line too long"));
    }
    if (error) return on_broken(error);
    const auto& message = parser_->get();
    keep_alive_ = message.keep_alive();
    request_ = head_of(message);
    is_head_ = request_.method == "HEAD";
    const auto length = parser_->content_length();
    const bool has_body = parser_->chunked() || length.value_or(0) > 0;
    if (auto answer = site_->answer(request_, message.target().size(), bytes_of(message))) {
      answer->close = answer->close || has_body;
      return write(std::move(*answer));
    }
    if (!has_body) return serve();
    if (length && *length > site_->most_body_bytes()) return serve_too_large();
    if (beast::iequals(message[http::field::expect], "100-continue")) return write_continue();
    read_body({});
  }

  void on_broken(ErrorCode error) {
    static const auto& of_http = http::make_error_code(http::error::end_of_stream).category();
    const bool left = error == http::error::end_of_stream || error == http::error::partial_message;
    if (error.category() != of_http || left) return;  // nobody to answer
    write(site_->refuse(400, "this is not HTTP/1.1"));
  }

  void write_continue() {
    lowest().expires_after(patience_);
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(stream_, asio::buffer(kContinue.data(), kContinue.size()),
                      then(&Conversation::read_body));
  }

  void read_body(ErrorCode error) {
    if (error) return;
    parser_->body_limit(site_->most_body_bytes());
    lowest().expires_after(patience_);
    http::async_read(stream_, buffer_, *parser_, then(&Conversation::on_body));
  }

  void on_body(ErrorCode error) {
    if (error == http::error::body_limit) return serve_too_large();
    if (error) return on_broken(error);
    request_.body = std::move(parser_->get().body());
    serve();
  }

  void serve_too_large() {
    keep_alive_ = false;
    request_.body_too_large = true;
    serve();
  }

  void serve() {
    lowest().expires_never();
    parser_.reset();
    site_->serve(std::exchange(request_, {}), [self = this->shared_from_this()](SiteAnswer answer) {
      const auto shared = std::make_shared<SiteAnswer>(std::move(answer));
      asio::post(self->stream_.get_executor(), [self, shared] { self->write(std::move(*shared)); });
    });
  }

  void write(SiteAnswer answer) {
    in_flight_ = std::move(answer.in_flight);
    response_ = response_of(std::move(answer.answer), keep_alive_ && !answer.close);
    lowest().expires_after(kAnswerPatience);
    if (is_head_) {
      header_only_.emplace(response_);
      http::async_write_header(stream_, *header_only_, then(&Conversation::on_written));
    } else {
      http::async_write(stream_, response_, then(&Conversation::on_written));
    }
  }

  void on_written(ErrorCode error) {
    in_flight_.reset();
    const bool close = response_.need_eof() || !response_.keep_alive();
    header_only_.reset();
    response_ = {};
    request_ = {};
    if (error) return;
    if (!close) return read_head();
    say_goodbye();
  }

  /// Closing at once would make the system tell a client that still sends that the connection
  /// broke, and the answer could be lost over that (RFC 9112, 9.6).
  void say_goodbye() {
    lowest().expires_after(kFarewellPatience);
    if constexpr (kTls) {
      stream_.async_shutdown([self = this->shared_from_this()](ErrorCode) { self->hang_up(); });
    } else {
      hang_up();
    }
  }

  void hang_up() {
    ErrorCode ignored;
    lowest().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    ignored_.resize(16UL * 1024);
    lowest().expires_after(kFarewellPatience);
    ignore({}, 0);
  }

  void ignore(ErrorCode error, std::size_t bytes) {
    ignored_bytes_ += bytes;
    if (error || ignored_bytes_ > kMostIgnoredBytes) return cut_off();
    lowest().async_read_some(asio::buffer(ignored_),
                             [self = this->shared_from_this()](ErrorCode failed, std::size_t more) {
                               self->ignore(failed, more);
                             });
  }

  Stream stream_;
  const std::shared_ptr<Site> site_;
  const milliseconds patience_;
  beast::flat_buffer buffer_{};
  std::optional<http::request_parser<http::string_body>> parser_{};
  HttpRequest request_{};
  bool keep_alive_{false};
  bool is_head_{false};
  InFlight::Ticket in_flight_{};
  http::response<http::string_body> response_{};
  std::optional<http::response_serializer<http::string_body>> header_only_{};
  std::vector<char> ignored_{};
  std::size_t ignored_bytes_{0};
};

template <typename Stream, typename... Arguments>
std::shared_ptr<HttpConnection> begin(Arguments&&... arguments) {
  auto conversation = std::make_shared<Conversation<Stream>>(std::forward<Arguments>(arguments)...);
  conversation->start();
  return conversation;
}

}  // namespace

std::shared_ptr<HttpConnection> converse(asio::io_context& io, int socket, ssl_ctx_st* tls,
                                         std::shared_ptr<Site> site, milliseconds patience) {
  ErrorCode ignored;
  asio::ip::tcp::socket connected(asio::make_strand(io));
  connected.assign(asio::ip::tcp::v4(), socket, ignored);
  connected.set_option(asio::ip::tcp::no_delay(true), ignored);
  if (tls == nullptr) {
    return begin<PlainStream>(std::move(site), patience, std::move(connected));
  }
  // The stream takes a reference of its own to what the context stands for.
  asio::ssl::context context(tls);
  return begin<TlsStream>(std::move(site), patience, std::move(connected), context);
}

}  // namespace sconverge
