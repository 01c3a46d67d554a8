#include "controller/ports/http_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

HttpRequest asked(const std::string& query) {
  HttpRequest request;
  request.query = query;
  return request;
}

TEST(HttpRequestTest, ParametersAreDecodedInTheirOrder) {
  EXPECT_THAT(asked("a=1&b=x%20y+z&a=%c3%BC&verbose&c=").parameters(),
              ElementsAre(Pair("a", "1"), Pair("b", "x y z"), Pair("a", "\xc3\xbc"),
                          Pair("verbose", ""), Pair("c", "")));
  EXPECT_THAT(asked("a=b=c&&=d").parameters(), ElementsAre(Pair("a", "b=c"), Pair("", "d")));
  EXPECT_THAT(asked("").parameters(), IsEmpty());
}

TEST(HttpRequestTest, WhatIsNoEscapeStandsForItself) {
  EXPECT_THAT(asked("a=%&b=%4&c=%zz&d=%4g&e=100%").parameters(),
              ElementsAre(Pair("a", "%"), Pair("b", "%4"), Pair("c", "%zz"), Pair("d", "%4g"),
                          Pair("e", "100%")));
}

}  // namespace
}  // namespace sconverge::test
