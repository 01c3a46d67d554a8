#include "controller/http/content_coding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <utility>

#include "controller/http/http_server.h"
#include "tests/http/raw_connection.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

std::string unpacked(const std::string& packed, std::size_t most) {
  std::string text(most, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

TEST(ContentCodingTest, GzipIsWantedWhereItIsAcceptedAndNotLessThanIdentity) {
  for (const char* header :
       {"gzip", "GZIP", "x-gzip", "deflate, gzip", "gzip;q=1.0", "gzip ; q=0.001",
        "br,\tgzip;Q=0.5", "*", "deflate, *;q=0.5", "gzip;q=0.5, identity;q=0.5", "identity;q=0, *",
        "gzip, *;q=0", "zstd, gzip;q=0.8, identity;q=0.1", "identity;q=0.5, gzip;q=1.000",
        ",,gzip,,"}) {
    EXPECT_TRUE(wants_gzip(header)) << header;
  }
}

TEST(ContentCodingTest, GzipIsNotWantedOtherwise) {
  for (const char* header : {"",
                             "identity",
                             "deflate",
                             "gzip;q=0",
                             "gzip;q=0.000",
                             "gzip;q=0, *",
                             "*;q=0",
                             "identity, gzip;q=0.5",
                             "identity;q=1.0, *;q=0.9",
                             "gzipped",
                             "notgzip",
                             "gzi",
                             "gzip;q=2",
                             "gzip;q=1.001",
                             "gzip;q=-1",
                             "gzip;q=0.1234",
                             "gzip;q=",
                             "gzip;level=9",
                             "gzip;q=0,5",
                             "gzip gzip"}) {
    EXPECT_FALSE(wants_gzip(header)) << header;
  }
}

TEST(ContentCodingTest, WhatIsPackedIsTheSameUnpacked) {
  std::string text;
  for (std::uint32_t i = 0; i < 50'000; ++i) text += static_cast<char>(i * i % 251);
  for (const std::string& one :
       {std::string(), std::string("x"), std::string(300'000, 'x'), text}) {
    EXPECT_EQ(unpacked(gzip(one), one.size() + 1), one);
  }
}

TEST(ContentCodingTest, ASmallBodyStaysAsItIs) {
  HttpAnswer answer{200, kPlainText, std::string(500, 'x'), {}};
  encode(answer, "gzip");
  EXPECT_EQ(answer.body.size(), 500U);
  EXPECT_THAT(answer.headers, IsEmpty());
}

TEST(ContentCodingTest, ALargeBodySaysThatItDependsOnTheHeader) {
  HttpAnswer answer{200, kPlainText, std::string(5000, 'x'), {{"Vary", "Accept"}}};
  HttpAnswer packed = answer;
  encode(answer, "");
  EXPECT_EQ(answer.body.size(), 5000U);
  EXPECT_THAT(answer.headers, ElementsAre(Pair("Vary", "Accept, Accept-Encoding")));
  encode(packed, "gzip");
  EXPECT_LT(packed.body.size(), 500U);
  EXPECT_THAT(packed.headers, ElementsAre(Pair("Vary", "Accept, Accept-Encoding"),
                                          Pair("Content-Encoding", "gzip")));
}

// A page of 5000 bytes.
struct CompressedPageTest : testing::Test {
  std::string ask(const std::string& method, const std::string& headers) const {
    return ask_raw((*started)->port(), request_text(method, "/page", "", headers));
  }
  static std::string body_of(const std::string& answer) {
    return answer.substr(answer.find("\r\n\r\n") + 4);
  }

  const std::string text = std::string(5000, 'x');
  Result<std::unique_ptr<HttpServer>> started =
      serve({.listen = {"127.0.0.1", 0}, .on_answer = {}},
            {{"/page", [this](const HttpRequest&) {
                return HttpAnswer{200, kPlainText, text, {}};
              }}});
};

TEST_F(CompressedPageTest, IsSentPackedToWhoAsksForIt) {
  const std::string answer = ask("GET", "Accept-Encoding: gzip\r\n");
  EXPECT_THAT(answer, HasSubstr("Content-Encoding: gzip\r\n"));
  EXPECT_THAT(answer, HasSubstr("Vary: Accept-Encoding\r\n"));
  const std::string body = body_of(answer);
  EXPECT_THAT(answer, HasSubstr("Content-Length: " + std::to_string(body.size()) + "\r\n"));
  EXPECT_EQ(unpacked(body, 5001), text);
}

TEST_F(CompressedPageTest, IsSentAsItIsToAllOthers) {
  for (const char* headers : {"", "Accept-Encoding: identity\r\n", "Accept-Encoding: gzip;q=0\r\n",
                              "Accept-Encoding:\r\n"}) {
    const std::string answer = ask("GET", headers);
    EXPECT_EQ(body_of(answer), text) << headers;
    EXPECT_THAT(answer, HasSubstr("Vary: Accept-Encoding\r\n")) << headers;
    EXPECT_THAT(answer, Not(HasSubstr("Content-Encoding"))) << headers;
  }
}

TEST_F(CompressedPageTest, SeveralHeadersAreOneList) {
  EXPECT_THAT(ask("GET", "Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n"),
              HasSubstr("Content-Encoding: gzip\r\n"));
  EXPECT_THAT(ask("GET", "Accept-Encoding: gzip;q=0.5\r\nAccept-Encoding: identity\r\n"),
              Not(HasSubstr("Content-Encoding")));
}

TEST_F(CompressedPageTest, HeadTellsTheSameWithoutTheBody) {
  const std::string get = ask("GET", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(ask("HEAD", "Accept-Encoding: gzip\r\n"), get.substr(0, get.find("\r\n\r\n") + 4));
}

}  // namespace
}  // namespace sconverge::test
