#include "controller/google/jwt.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>

#include "controller/google/base64.h"

namespace sconverge {
namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;

/// Without one, OpenSSL would ask the terminal.
int no_password(char*, int, int, void*) { return -1; }

Key key_in(const std::string& pem) {
  const std::unique_ptr<BIO, Free> bytes(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Key(PEM_read_bio_PrivateKey(bytes.get(), nullptr, no_password, nullptr));
}

/// Empty if OpenSSL cannot.
std::string rs256_signature(EVP_PKEY* key, const std::string& text) {
  const std::unique_ptr<EVP_MD_CTX, Free> context(EVP_MD_CTX_new());
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t size = 0;
  if (EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) != 1) {
    return "";
  }
  std::string signature(size, '\0');
  if (EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     bytes, text.size()) != 1) {
    return "";
  }
  signature.resize(size);
  return signature;
}

}  // namespace

Result<std::string> signed_jwt(const std::string& header, const std::string& claims,
                               const std::string& private_key) {
  const Key key = key_in(private_key);
  const std::string text = base64url(header) + "." + base64url(claims);
  const bool is_rsa = key && EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_RSA;
  const std::string signature = is_rsa ? rs256_signature(key.get(), text) : "";
  ERR_clear_error();  // the next user of this thread's queue must not find ours
  if (signature.empty()) return Error{ErrorKind::Denied, "is no RSA private key in PEM"};
  return text + "." + base64url(signature);
}

}  // namespace sconverge
