#include "controller/http/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sconverge::test {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view text) {
  const auto address = read_listen_address(text);
  EXPECT_FALSE(address.ok()) << text;
  if (address) return "";
  EXPECT_EQ(address.error().kind, ErrorKind::Rejected);
  EXPECT_THAT(address.error().message, HasSubstr("\"" + std::string(text) + "\""));
  return address.error().message;
}

TEST(ListenAddressTest, AddressesAreRead) {
  EXPECT_EQ(*read_listen_address("127.0.0.1:9810"), (ListenAddress{"127.0.0.1", 9810}));
  EXPECT_EQ(*read_listen_address("127.1.2.3:0"), (ListenAddress{"127.1.2.3", 0}));
  EXPECT_EQ(*read_listen_address("localhost:65535"), (ListenAddress{"127.0.0.1", 65535}));
  EXPECT_EQ(*read_listen_address("0.0.0.0:8443"), (ListenAddress{"0.0.0.0", 8443}));
  EXPECT_EQ(*read_listen_address("*:8443"), (ListenAddress{"0.0.0.0", 8443}));
  EXPECT_EQ(*read_listen_address(":8443"), (ListenAddress{"0.0.0.0", 8443}));
  EXPECT_EQ(*read_listen_address("10.1.2.3:8443"), (ListenAddress{"10.1.2.3", 8443}));
}

TEST(ListenAddressTest, ANameIsReadAndResolvedLater) {
  const auto name = read_listen_address("No-such_host.invalid:8443");
  ASSERT_TRUE(name.ok());
  EXPECT_EQ(*name, (ListenAddress{"No-such_host.invalid", 8443}));
  const auto nobody = resolved(*name);
  ASSERT_FALSE(nobody.ok());
  EXPECT_EQ(nobody.error().kind, ErrorKind::Unavailable);
  EXPECT_EQ(nobody.error().message,
            "cannot listen on No-such_host.invalid:8443: no address is known of this name; write "
            "an IP address of this machine, or *:8443 for all of them");
  EXPECT_EQ(*resolved({"10.1.2.3", 1}), (ListenAddress{"10.1.2.3", 1}));
}

TEST(ListenAddressTest, IpVersionSixIsRefusedWithTheWayOut) {
  EXPECT_EQ(error_of("[::1]:9810"),
            "cannot listen on \"[::1]:9810\": IPv6 addresses are not served; "
            "write 127.0.0.1:9810");
  EXPECT_EQ(error_of("[::]:8443"),
            "cannot listen on \"[::]:8443\": IPv6 addresses are not served; write 0.0.0.0:8443");
}

TEST(ListenAddressTest, WhatIsNoAddressIsRefused) {
  for (const char* text : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
                           "127.0.0.1:98x", "127.0.0.1:+80", "9810"}) {
    EXPECT_THAT(error_of(text), HasSubstr("it is not ADDRESS:PORT"));
  }
  for (const char* text : {"::1:9810", "127.0.0.1.:9810", "[]:9810", "127.1:9810", "no host:9810",
                           "h\xc3\xb6st:9810"}) {
    EXPECT_THAT(error_of(text), AllOf(HasSubstr("is neither an IP address nor a host's name"),
                                      HasSubstr("write 127.0.0.1:9810")));
  }
}

TEST(ListenAddressTest, ServersCollideOnOnePortOfOneAddress) {
  EXPECT_TRUE(collide({"127.0.0.1", 1}, {"127.0.0.1", 1}));
  EXPECT_TRUE(collide({"127.0.0.1", 1}, {"0.0.0.0", 1}));
  EXPECT_TRUE(collide({"0.0.0.0", 1}, {"10.1.2.3", 1}));
  EXPECT_FALSE(collide({"127.0.0.1", 1}, {"127.0.0.1", 2}));
  EXPECT_FALSE(collide({"127.0.0.1", 1}, {"127.0.0.2", 1}));
  EXPECT_FALSE(collide({"127.0.0.1", 0}, {"127.0.0.1", 0})) << "each gets a port of its own";
}

TEST(ListenAddressTest, LoopbackIsTheWholeNetwork127) {
  EXPECT_TRUE(is_loopback({"127.0.0.1", 1}));
  EXPECT_TRUE(is_loopback({"127.255.1.2", 1}));
  EXPECT_FALSE(is_loopback({"0.0.0.0", 1}));
  EXPECT_FALSE(is_loopback({"128.0.0.1", 1}));
}

TEST(ListeningSocketTest, PortZeroBecomesARealOne) {
  const auto first = ListeningSocket::open({"127.0.0.1", 0});
  const auto second = ListeningSocket::open({"127.0.0.1", 0});
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(first->address().port, 0);
  EXPECT_NE(first->address().port, second->address().port);
}

TEST(ListeningSocketTest, AnAddressOfNobodyIsOneLine) {
  EXPECT_EQ(cannot_listen({"127.0.0.1", 80}, EACCES).message,
            "cannot listen on 127.0.0.1:80: permission denied");
}

}  // namespace
}  // namespace sconverge::test
