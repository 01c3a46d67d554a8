#include "controller/google/jwt.h"

#include <gtest/gtest.h>

#include "controller/google/base64.h"
#include "controller/google/form.h"
#include "tests/support/matchers.h"
#include "tests/support/rsa_key.h"

namespace sconverge::test {
namespace {

TEST(Jwt, IsSignedWithTheKeyOverItsTwoParts) {
  const RsaKey key = make_rsa_key();
  const auto jwt = signed_jwt(R"({"alg":"RS256"})", R"({"iss":"me"})", key.private_pem);
  ASSERT_THAT(jwt, Works());
  const auto end = jwt->rfind('.');
  EXPECT_EQ(jwt->substr(0, end), "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJtZSJ9");
  const auto signature = base64url_decoded(jwt->substr(end + 1));
  ASSERT_TRUE(signature);
  EXPECT_TRUE(is_signed_by(key.public_pem, jwt->substr(0, end), *signature));
  EXPECT_FALSE(is_signed_by(key.public_pem, jwt->substr(0, end) + "x", *signature));
  EXPECT_FALSE(is_signed_by(make_rsa_key().public_pem, jwt->substr(0, end), *signature));
}

TEST(Jwt, IsNotSignedWithWhatIsNoRsaKey) {
  const RsaKey key = make_rsa_key();
  for (const std::string& pem : {std::string(), std::string("secret"), key.public_pem,
                                 key.private_pem.substr(0, 500), make_ec_private_pem()}) {
    EXPECT_THAT(signed_jwt("{}", "{}", pem), FailsWith(ErrorKind::Denied));
  }
}

// RFC 4648 section 10.
TEST(Base64, EncodesTheTestVectorsOfItsRfc) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xfb\xff"), "+/8=");
  EXPECT_EQ(base64url("\xfb\xff"), "-_8");
  EXPECT_EQ(base64url("foo"), "Zm9v");
}

TEST(Form, EncodesAllButUnreservedCharactersAndLeavesOutWhatIsEmpty) {
  EXPECT_EQ(form({{"a", "x y&z=1/+%"}, {"empty", ""}, {"b~", "\xc3\xa9"}}),
            "a=x%20y%26z%3D1%2F%2B%25&b~=%C3%A9");
  EXPECT_EQ(form({}), "");
}

}  // namespace
}  // namespace sconverge::test
