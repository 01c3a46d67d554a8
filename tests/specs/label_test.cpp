#include "specs/label.h"

#include <gtest/gtest.h>

#include <string>

namespace sconverge {
namespace {

TEST(DnsLabel, IsWhatRfc1123Allows) {
  for (const std::string& text :
       {std::string("a"), std::string("0"), std::string("train-resnet-50"), std::string("a--b"),
        std::string(63, 'a')}) {
    EXPECT_TRUE(is_dns_label(text)) << text;
  }
  for (const std::string& text :
       {std::string(), std::string("-a"), std::string("a-"), std::string("A"), std::string("a_b"),
        std::string("a.b"), std::string("a b"), std::string("\xC3\xA9"), std::string(64, 'a')}) {
    EXPECT_FALSE(is_dns_label(text)) << text;
  }
}

TEST(LabelKey, MayHaveADnsPrefix) {
  for (const char* text : {"team", "example.com/Team_1.x", "a/b", "sconverge/protect"}) {
    EXPECT_TRUE(is_label_key(text)) << text;
  }
  for (const char* text : {"", "/a", "a/", "a/b/c", "A/b", "-x", "a b", "a..b/c", ".a/c"}) {
    EXPECT_FALSE(is_label_key(text)) << text;
  }
  EXPECT_FALSE(is_label_key(std::string(64, 'a')));
  EXPECT_FALSE(is_label_key(std::string(254, 'a') + "/b"));
}

TEST(LabelValue, MayBeEmpty) {
  for (const char* text : {"", "a", "A_b-c.9"}) EXPECT_TRUE(is_label_value(text)) << text;
  for (const char* text : {"-a", "a-", "a b", "a/b", "\xC3\xA9"})
    EXPECT_FALSE(is_label_value(text)) << text;
  EXPECT_FALSE(is_label_value(std::string(64, 'a')));
}

}  // namespace
}  // namespace sconverge
