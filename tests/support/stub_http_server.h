#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "controller/core/time.h"

namespace sconverge::test {

/// What an HTTP server does with one request.
struct StubAnswer {
  enum class Manner {
    Whole,
    HangUp,    ///< reads the request and closes the connection
    Silent,    ///< reads the request and never answers
    Drip,      ///< sends the answer byte by byte, `pause` apart
    BreakOff,  ///< sends all but the last byte of the answer and closes the connection
  };

  int status{200};
  std::string body{};
  std::string type{"application/json"};
  std::map<std::string, std::string> headers{};
  Manner manner{Manner::Whole};
  milliseconds pause{20};
};

struct StubRequest {
  std::string method{};
  std::string path{};                            ///< with query
  std::map<std::string, std::string> headers{};  ///< names in lower case
  std::string body{};
  int connection{0};  ///< counts from 1
};

/// An HTTP server on a free port of the loopback that does what a test says, badly if so told. It
/// keeps connections alive, as slurmrestd does.
class StubHttpServer {
 public:
  using Handler = std::function<StubAnswer(const StubRequest&)>;

  /// `handler` is called on several threads, one request at a time.
  explicit StubHttpServer(Handler handler);
  ~StubHttpServer();
  StubHttpServer(const StubHttpServer&) = delete;
  StubHttpServer& operator=(const StubHttpServer&) = delete;

  [[nodiscard]] std::string url() const;  ///< http://127.0.0.1:PORT
  [[nodiscard]] std::vector<StubRequest> requests() const;

  /// From now on connections are accepted and closed at once.
  void close_connections_at_once() { closes_at_once_ = true; }

 private:
  void accept_all();
  void serve(int socket, int connection);
  bool send_answer(int socket, const StubAnswer& answer) const;

  const Handler handler_;
  int listener_{-1};
  int port_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> closes_at_once_{false};
  mutable std::mutex mutex_{};
  std::vector<StubRequest> requests_{};
  std::vector<int> sockets_{};
  std::list<std::thread> serving_{};
  std::thread accepting_{};
};

/// Listens, but so busy that no connection opens: what is sent to it never leaves.
class FullServer {
 public:
  FullServer();
  ~FullServer();
  FullServer(const FullServer&) = delete;
  FullServer& operator=(const FullServer&) = delete;

  [[nodiscard]] std::string url() const;

 private:
  int port_{0};
  std::vector<int> sockets_{};
};

/// A URL of the loopback on which nothing listens.
std::string url_nobody_listens_on();

}  // namespace sconverge::test
