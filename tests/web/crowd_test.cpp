// The real `sconverge run` among many clients that want nothing, or take for ever.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <chrono>

#include "tests/http/raw_connection.h"
#include "tests/web/run_under_test.h"

namespace sconverge::test {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::StartsWith;

struct Crowd : RunUnderTest {
  /// Asks on a connection of its own, in time.
  void expect_answer(std::uint16_t port, const std::string& path, const std::string& words) const {
    const auto began = steady_clock::now();
    const std::string answer = ask_raw(port, request_text("GET", path));
    EXPECT_LT(steady_clock::now() - began, seconds{3}) << path;
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 ")) << path;
    EXPECT_THAT(answer, HasSubstr(words)) << path;
  }
  /// Starts it where a process may at first have `descriptors` open, and more if it says so.
  void start_with(rlim_t descriptors) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit narrow{descriptors, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &narrow), 0);
    start({"--health-listen", "127.0.0.1:0"});
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  }
  static std::uint16_t port_of(const std::string& address) {
    return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }
};

TEST_F(Crowd, FiveHundredIdleSlowAndHalfSentRequestsStopNeitherAScrapeNorAProbe) {
  start_with(128);
  const std::uint16_t pages = process->port();
  const std::uint16_t probes = port_of(url("health"));
  std::vector<RawConnection> crowd;
  for (int i = 0; i < 500; ++i) {
    crowd.emplace_back(i % 5 == 4 ? probes : pages);
    ASSERT_TRUE(crowd.back().connected()) << i;
    if (i % 3 == 1) crowd.back().send("GET /metrics HTTP/1.1\r\nHost: he");
    if (i % 3 == 2) {  // asks for much and reads nothing of it
      for (int asked = 0; asked < 20; ++asked) {
        crowd.back().send("GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n");
      }
    }
  }
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = 1; i < crowd.size(); i += 3) crowd[i].send("x");
    expect_answer(pages, "/metrics", "sconverge_build_info");
    expect_answer(pages, "/livez", "ok\n");
    expect_answer(probes, "/livez", "ok\n");
    expect_answer(probes, "/readyz", "ok\n");
  }
  EXPECT_THAT(crowd[1].read_until("x"), StartsWith("(silence)")) << "it is still there";
  EXPECT_EQ(process->stop(), 0);
}

}  // namespace
}  // namespace sconverge::test
