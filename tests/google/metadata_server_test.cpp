#include "tests/google/google_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

class MachineAccount : public GoogleWorld {
 protected:
  MachineAccount() {
    options_.variables = {{"GCE_METADATA_HOST", servers_.metadata_host()},
                          {"HOME", directory_.path()}};
  }
  static std::string host_in(const std::string& url) { return url.substr(url.find("//") + 2); }
};

TEST_F(MachineAccount, IsAskedOfTheServerThatIsNamedWithoutProbing) {
  const auto tokens = this->tokens();
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kMachine);
  EXPECT_EQ(tokens->text(), "the metadata server's default service account");
  EXPECT_THAT(servers_.requests(), SizeIs(1));
}

TEST_F(MachineAccount, MayBeNamedInTheOlderVariable) {
  options_.variables.erase("GCE_METADATA_HOST");
  options_.variables["GCE_METADATA_ROOT"] = servers_.metadata_host();
  EXPECT_EQ(principal_of(*tokens()), GoogleServers::kMachine);
}

TEST_F(MachineAccount, IsLookedForAtItsAddress) {
  const StubHttpServer another([](const StubRequest&) { return StubAnswer{200, "hello"}; });
  options_.variables.erase("GCE_METADATA_HOST");
  options_.variables["GCE_METADATA_IP"] = host_in(another.url());
  const auto token = tokens()->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message,
              AllOf(HasSubstr("no Google credentials"), HasSubstr("is no metadata server")));
  ASSERT_THAT(another.requests(), SizeIs(1));
  EXPECT_EQ(another.requests()[0].headers.at("metadata-flavor"), "Google");
}

TEST_F(MachineAccount, ThatDoesNotAnswerYetIsUnavailableAndAskedAgain) {
  options_.variables["GCE_METADATA_HOST"] = host_in(url_nobody_listens_on());
  const auto token = tokens()->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Unavailable));
  EXPECT_THAT(token.error().message, HasSubstr("nobody listens there"));
  EXPECT_THAT(pauses_, SizeIs(4));
}

TEST_F(MachineAccount, WithoutAnAnswerAtItsAddressIsNoProofThatThereIsNone) {
  options_.variables.erase("GCE_METADATA_HOST");
  options_.variables["GCE_METADATA_IP"] = host_in(url_nobody_listens_on());
  options_.variables["GCE_METADATA_DETECT_RETRIES"] = "2";
  const auto token = tokens()->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Unavailable));
  EXPECT_THAT(token.error().message,
              AllOf(HasSubstr("no Google credentials"),
                    HasSubstr("the metadata server does not answer"), HasSubstr("asked again")));
  EXPECT_THAT(pauses_, SizeIs(1));
}

TEST_F(MachineAccount, OfAPodThatHasJustStartedIsWaitedFor) {
  servers_.fail_next(3, "/token", {503, "not ready"});
  EXPECT_EQ(principal_of(*tokens()), GoogleServers::kMachine);
  EXPECT_EQ(servers_.count("/token"), 4);
}

TEST_F(MachineAccount, ThatIsNotAttachedIsSaidToBe) {
  servers_.account_attached = false;
  const auto token = tokens()->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message,
              AllOf(HasSubstr("answered 404"), HasSubstr("attach a service account")));
}

TEST_F(MachineAccount, IsNotTakenFromWhoDoesNotSayThatItIsTheMetadataServer) {
  servers_.fail_next(1, "/token", {200, R"({"access_token":"x","expires_in":100})"});
  const auto token = tokens()->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message, HasSubstr("is no metadata server"));
}

TEST_F(MachineAccount, IsNotAskedForWhereThatIsForbidden) {
  options_.variables["NO_GCE_CHECK"] = "true";
  const auto token = tokens()->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message, HasSubstr("NO_GCE_CHECK says not to ask"));
  EXPECT_THAT(servers_.requests(), SizeIs(0));
}

}  // namespace
}  // namespace sconverge::test
