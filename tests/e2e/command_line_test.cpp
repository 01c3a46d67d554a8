// The command line, from the outside: what it prints, how it ends, what it leaves alone.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/e2e/end_to_end.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A port of this machine that is taken for as long as this lives, and that nobody answers at.
class TakenPort {
 public:
  TakenPort() {
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) != 0) std::abort();
    if (::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) std::abort();
    address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  TakenPort(const TakenPort&) = delete;
  TakenPort& operator=(const TakenPort&) = delete;
  ~TakenPort() { ::close(socket_); }

  void listen() const { ::listen(socket_, 1); }
  [[nodiscard]] const std::string& address() const { return address_; }

 private:
  int socket_{-1};
  std::string address_{};
};

int lines_in(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

class CommandLine : public EndToEnd {};

TEST_F(CommandLine, AppliesTheExamplesAndWaitsForTheirEnd) {
  flags_["specs"] = SCONVERGE_SOURCE_DIR "/specs/examples";
  const Ended ended = verb({"apply", "--once", "--wait", "--timeout", "2m"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  ASSERT_TRUE(comes_true([&] { return accounting().size() == 10; }));
  for (const auto& job : accounting()) EXPECT_EQ(job.state, "COMPLETED") << job.comment;
  for (const auto& [name, row] : rows()) EXPECT_EQ(row.phase, "Succeeded") << name;

  const Ended again = verb({"apply", "--once", "--wait", "--timeout", "2m"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(queue(), SizeIs(10));  // four of them tasks of an array
}

TEST_F(CommandLine, AppliesAndEndsWithOneIfAJobFailed) {
  write({"bad", "exit 7"});
  const Ended ended = verb({"apply", "--once", "--wait", "--timeout", "2m"});
  EXPECT_EQ(ended.code, 1) << ended.out;
  EXPECT_THAT(ended.err, HasSubstr("default/bad Failed"));
  EXPECT_EQ(states_of("bad"), "FAILED");
}

TEST_F(CommandLine, PlansWithoutChangingAnything) {
  write({"waits", "exit 0", kNotBefore2037});
  const Ended before = verb({"plan", "--detailed-exitcode"});
  EXPECT_EQ(before.code, 2) << before.err;
  EXPECT_THAT(before.out, HasSubstr("waits"));
  EXPECT_THAT(queue(), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(state_));

  EXPECT_EQ(verb({"apply", "--once"}).code, 0);
  EXPECT_THAT(queue(), SizeIs(1));
  EXPECT_EQ(verb({"plan", "--detailed-exitcode"}).code, 0);

  write({"waits", "exit 0", std::string(kNotBefore2037) + "\ntime_limit: 90m"});
  const Ended change = verb({"plan", "--detailed-exitcode"});
  EXPECT_EQ(change.code, 2) << change.err;
  EXPECT_THAT(change.out, HasSubstr("time_limit"));
  EXPECT_NE(queue().at(0).time_limit, "1:30:00");
}

TEST_F(CommandLine, AnswersProbesAndEndsWithoutCancellingAnything) {
  write({"train", gate("end")});
  start();
  ASSERT_TRUE(becomes("train", "Running"));
  EXPECT_EQ(controller_->get("/livez").status, 200);
  EXPECT_EQ(controller_->get("/readyz").status, 200);
  EXPECT_EQ(controller_->get("/metrics").status, 200);
  EXPECT_THAT(controller_->get("/api/v1/specs").body, HasSubstr("\"phase\": \"Running\""));
  EXPECT_THAT(controller_->get("/").body, HasSubstr("1 spec: 1 Running"));
  EXPECT_EQ(controller_->metric(R"(sconverge_specs{cluster="default",phase="Running"})"), 1);
  EXPECT_EQ(
      controller_->metric(
          R"(sconverge_job_operations_total{cluster="default",operation="submit",result="success"})"),
      1);

  EXPECT_EQ(controller_->stop(), 0);
  EXPECT_EQ(states_of("train"), "RUNNING");
  // The next one takes over.
  start();
  ASSERT_TRUE(looks_again());
  open("end");
  ASSERT_TRUE(becomes("train", "Succeeded"));
  EXPECT_EQ(states_of("train"), "COMPLETED");
}

TEST_F(CommandLine, RefusesASecondControllerOfOneStateDirectory) {
  start();
  ASSERT_TRUE(controller_->listens());
  const Ended second = verb({"run"});
  EXPECT_EQ(second.code, 1);
  EXPECT_EQ(lines_in(second.err), 1) << second.err;
  EXPECT_THAT(second.err, HasSubstr(state_));
  EXPECT_TRUE(looks_again(1));
}

TEST_F(CommandLine, RefusesAPortThatIsTaken) {
  const TakenPort port;
  port.listen();
  flags_["listen"] = port.address();
  const Ended ended = verb({"run"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(lines_in(ended.err), 1) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(port.address()));
}

TEST_F(CommandLine, ChecksTheConnection) {
  const Ended good = verb({"check"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_THAT(good.out, AllOf(HasSubstr(address()), HasSubstr("accounting")));

  const TakenPort nobody;
  flags_[over_gateway() ? "endpoint" : "slurmrestd"] = "http://" + nobody.address();
  const Ended bad = verb({"check"});
  EXPECT_EQ(bad.code, 7);
  EXPECT_THAT(bad.err, HasSubstr("http://" + nobody.address()));
}

TEST_F(CommandLine, ValidatesAndListsEveryProblemAtOnce) {
  write("typo.yaml", SpecText{"typo", "exit 0", "partitoin: main\ntime_limit: soon"}.yaml());
  write("twice.yaml",
        SpecText{"good", "exit 0"}.yaml() + "---\n" + SpecText{"good", "exit 1"}.yaml());
  write("broken.json", "{");
  const Ended ended = sconverge({"validate", specs_});
  EXPECT_EQ(ended.code, 3);
  const std::string said = ended.out + ended.err;
  EXPECT_THAT(said, AllOf(HasSubstr("partitoin"), HasSubstr("time_limit"), HasSubstr("twice.yaml"),
                          HasSubstr("broken.json")));

  EXPECT_EQ(sconverge({"validate", SCONVERGE_SOURCE_DIR "/specs/examples"}).code, 0);
}

TEST_F(CommandLine, RefusesWrongFlagsAndSettings) {
  const Ended flag = sconverge({"run", "--intervall", "10s"});
  EXPECT_EQ(flag.code, 64);
  EXPECT_THAT(flag.err, HasSubstr("--intervall"));

  flags_["interval"] = "soon";
  flags_["listen"] = "nowhere";
  const Ended values = verb({"run"});
  EXPECT_EQ(values.code, 64);
  EXPECT_THAT(values.err, AllOf(HasSubstr("interval"), HasSubstr("listen")));
}

}  // namespace
}  // namespace sconverge::test
