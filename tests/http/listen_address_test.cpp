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

TEST(ListenAddressTest, LoopbackAddressesAreRead) {
  EXPECT_EQ(*read_listen_address("127.0.0.1:9810"), (ListenAddress{"127.0.0.1", 9810}));
  EXPECT_EQ(*read_listen_address("127.1.2.3:0"), (ListenAddress{"127.1.2.3", 0}));
  EXPECT_EQ(*read_listen_address("localhost:65535"), (ListenAddress{"127.0.0.1", 65535}));
}

TEST(ListenAddressTest, WiderAddressesAreRefusedUntilThereIsTls) {
  for (const char* text : {"0.0.0.0:9810", ":9810", "10.0.0.1:9810", "[::]:9810", "[fe80::1]:9810",
                           "128.0.0.1:9810"}) {
    EXPECT_THAT(error_of(text),
                AllOf(HasSubstr("only loopback addresses are served, because there is neither TLS "
                                "nor a token"),
                      HasSubstr("write 127.0.0.1:9810")));
  }
}

TEST(ListenAddressTest, IpVersionSixIsRefusedWithTheWayOut) {
  EXPECT_EQ(error_of("[::1]:9810"),
            "cannot listen on \"[::1]:9810\": the HTTP library cannot listen on IPv6 addresses; "
            "write 127.0.0.1:9810");
}

TEST(ListenAddressTest, WhatIsNoAddressIsRefused) {
  for (const char* text : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
                           "127.0.0.1:98x", "127.0.0.1:+80", "9810"}) {
    EXPECT_THAT(error_of(text), HasSubstr("it is not ADDRESS:PORT"));
  }
  for (const char* text : {"node1:9810", "::1:9810", "127.0.0.1.:9810", "[]:9810", "127.1:9810"}) {
    EXPECT_THAT(error_of(text), HasSubstr("is not an IP address"));
  }
}

TEST(ReservedPortTest, PortZeroBecomesARealOne) {
  const auto first = ReservedPort::reserve({"127.0.0.1", 0});
  const auto second = ReservedPort::reserve({"127.0.0.1", 0});
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(first->address().port, 0);
  EXPECT_NE(first->address().port, second->address().port);
}

TEST(ReservedPortTest, AnAddressOfNobodyIsOneLine) {
  EXPECT_EQ(cannot_listen({"127.0.0.1", 80}, EACCES).message,
            "cannot listen on 127.0.0.1:80: permission denied");
}

}  // namespace
}  // namespace sconverge::test
