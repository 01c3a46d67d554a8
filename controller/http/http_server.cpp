#include "controller/http/http_server.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <future>
#include <thread>
#include <utility>

#include "controller/http/http_connection.h"
#include "controller/http/http_site.h"

namespace sconverge {
namespace {

namespace asio = boost::asio;

constexpr int kThreads = 2;
constexpr milliseconds kBreather{100};

class AsioServer : public HttpServer {
 public:
  AsioServer(ListeningSocket listening, std::unique_ptr<TlsIdentity> tls,
             std::shared_ptr<Site> site, milliseconds patience)
      : port_(listening.address().port),
        tls_(std::move(tls)),
        site_(std::move(site)),
        patience_(patience),
        acceptor_(io_, asio::ip::tcp::v4(), listening.release()),
        breather_(io_) {
    wait_for_clients();
    for (int i = 0; i < kThreads; ++i) threads_.emplace_back([this] { io_.run(); });
  }
  AsioServer(const AsioServer&) = delete;
  AsioServer& operator=(const AsioServer&) = delete;

  ~AsioServer() override {
    io_.stop();
    for (std::thread& thread : threads_) thread.join();
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    site_->drop();
    for (const auto& entry : connections_) {
      if (const auto connection = entry.lock()) connection->cut_off();
    }
    site_->stop();
  }

  [[nodiscard]] std::uint16_t port() const override { return port_; }

  [[nodiscard]] bool responds(milliseconds patience) override {
    const auto done = std::make_shared<std::promise<void>>();
    auto answer = done->get_future();
    asio::post(io_, [done] { done->set_value(); });
    return answer.wait_for(patience) == std::future_status::ready;
  }

  bool drain(milliseconds patience) override { return site_->drain(patience); }

 private:
  void wait_for_clients() {
    acceptor_.async_wait(asio::ip::tcp::acceptor::wait_read,
                         [this](const boost::system::error_code& error) {
                           if (!error) accept_all();
                         });
  }

  void accept_all() {
    for (;;) {
      const int client =
          ::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (client >= 0) {
        take(client);
        continue;
      }
      if (errno == EAGAIN || errno == EWOULDBLOCK) return wait_for_clients();
      if (errno != ECONNABORTED && errno != EINTR) break;
    }
    // Out of descriptors or memory: the next attempt would fail as well, and the one after it.
    breather_.expires_after(kBreather);
    breather_.async_wait([this](const boost::system::error_code& error) {
      if (!error) wait_for_clients();
    });
  }

  void take(int client) {
    if (connections_.size() >= sweep_at_) {
      std::erase_if(connections_, [](const auto& connection) { return connection.expired(); });
      sweep_at_ = 2 * std::max<std::size_t>(connections_.size(), 64);
    }
    connections_.push_back(
        converse(io_, client, tls_ ? tls_->context() : nullptr, site_, patience_));
  }

  const std::uint16_t port_;
  const std::unique_ptr<TlsIdentity> tls_;
  const std::shared_ptr<Site> site_;
  const milliseconds patience_;
  asio::io_context io_{kThreads};
  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer breather_;
  /// Touched by the one handler that accepts, and after the threads have ended.
  std::vector<std::weak_ptr<HttpConnection>> connections_{};
  std::size_t sweep_at_{64};
  std::vector<std::thread> threads_{};
};

}  // namespace

Result<std::unique_ptr<HttpServer>> serve(const HttpOptions& options, std::vector<Route> routes) {
  std::unique_ptr<TlsIdentity> identity;
  if (options.tls) {
    auto loaded = TlsIdentity::load(*options.tls, options.on_tls_failure);
    if (!loaded) return loaded.error();
    identity = std::move(*loaded);
  } else if (!options.plain_anywhere && !is_loopback(options.listen)) {
    return Error{ErrorKind::Rejected, "cannot listen on " + to_text(options.listen) +
                                          ": only loopback addresses are served without TLS"};
  }
  auto listening = ListeningSocket::open(options.listen);
  if (!listening) return listening.error();
  try {
    return std::unique_ptr<HttpServer>(std::make_unique<AsioServer>(
        std::move(*listening), std::move(identity),
        std::make_shared<Site>(options, std::move(routes)), options.patience));
  } catch (const std::exception& error) {
    return Error{ErrorKind::Unavailable,
                 "cannot listen on " + to_text(options.listen) + ": " + error.what()};
  }
}

}  // namespace sconverge
