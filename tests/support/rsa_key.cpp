#include "tests/support/rsa_key.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace sconverge::test {
namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Bytes = std::unique_ptr<BIO, Free>;
using Key = std::unique_ptr<EVP_PKEY, Free>;

std::string text_in(BIO* bytes) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bytes, &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string private_pem_of(EVP_PKEY* key) {
  const Bytes bytes(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_PKCS8PrivateKey(bytes.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    std::abort();
  }
  return text_in(bytes.get());
}

}  // namespace

RsaKey make_rsa_key() {
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", static_cast<std::size_t>(2048)));
  const Bytes bytes(BIO_new(BIO_s_mem()));
  if (!key || PEM_write_bio_PUBKEY(bytes.get(), key.get()) != 1) std::abort();
  return {private_pem_of(key.get()), text_in(bytes.get())};
}

std::string make_ec_private_pem() {
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  if (!key) std::abort();
  return private_pem_of(key.get());
}

std::optional<std::string> base64url_decoded(std::string text) {
  if (text.find_first_of("+/") != text.npos) return std::nullopt;
  text.erase(std::find(text.begin(), text.end(), '='), text.end());
  std::replace(text.begin(), text.end(), '-', '+');
  std::replace(text.begin(), text.end(), '_', '/');
  const std::size_t padding = (4 - text.size() % 4) % 4;
  text.append(padding, '=');
  std::string bytes(text.size(), '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0 || padding > 2) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

bool is_signed_by(const std::string& public_pem, const std::string& text,
                  const std::string& signature) {
  const Bytes bytes(BIO_new_mem_buf(public_pem.data(), static_cast<int>(public_pem.size())));
  const Key key(PEM_read_bio_PUBKEY(bytes.get(), nullptr, nullptr, nullptr));
  const std::unique_ptr<EVP_MD_CTX, Free> context(EVP_MD_CTX_new());
  return key &&
         EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                          signature.size(), reinterpret_cast<const unsigned char*>(text.data()),
                          text.size()) == 1;
}

}  // namespace sconverge::test
