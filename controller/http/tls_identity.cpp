#include "controller/http/tls_identity.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <utility>

#include "controller/ports/changing_file.h"

namespace sconverge {
namespace {

using Bio = std::unique_ptr<BIO, int (*)(BIO*)>;
using Certificate = std::unique_ptr<X509, void (*)(X509*)>;
using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;

Error refused(const std::string& what, const std::string& path, const std::string& why) {
  ERR_clear_error();  // another use of this thread's queue would take it for its own
  return {ErrorKind::Rejected, what + " \"" + path + "\" " + why};
}

Result<std::string> text_of(const std::string& what, const std::string& path) {
  const auto file = read_changing_file(path);
  if (!file) return refused(what, path, file.error().message);
  return file->text;
}

Bio reader_of(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
}

/// For an encrypted key: there is nobody to ask, and OpenSSL would ask the terminal.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*user*/) { return -1; }

/// Puts the file's first certificate and, as its chain, the others into the context.
Result<Certificate> take_certificates(ssl_ctx_st* context, const std::string& path) {
  constexpr const char* kWhat = "TLS certificate file";
  auto text = text_of(kWhat, path);
  if (!text) return text.error();
  const Bio reader = reader_of(*text);
  Certificate own(PEM_read_bio_X509(reader.get(), nullptr, no_passphrase, nullptr), X509_free);
  if (!own) {
    return refused(kWhat, path, "holds no certificate; write it there as PEM, with its chain");
  }
  if (SSL_CTX_use_certificate(context, own.get()) != 1) {
    return refused(kWhat, path,
                   "holds a certificate too weak for OpenSSL; have a stronger one made");
  }
  for (;;) {
    Certificate next(PEM_read_bio_X509(reader.get(), nullptr, no_passphrase, nullptr), X509_free);
    if (!next) break;
    if (SSL_CTX_add1_chain_cert(context, next.get()) != 1) {
      return refused(kWhat, path, "holds a chain too weak for OpenSSL; have a stronger one made");
    }
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (!at_end)
    return refused(kWhat, path, "holds a broken certificate in its chain; write it anew");
  ERR_clear_error();
  return own;
}

Result<Key> read_key(const std::string& path) {
  constexpr const char* kWhat = "TLS key file";
  auto text = text_of(kWhat, path);
  if (!text) return text.error();
  const Bio reader = reader_of(*text);
  Key key(PEM_read_bio_PrivateKey(reader.get(), nullptr, no_passphrase, nullptr), EVP_PKEY_free);
  if (!key) {
    return refused(kWhat, path,
                   "holds no key that can be read; write it there as PEM, without a "
                   "passphrase");
  }
  return key;
}

}  // namespace

TlsIdentity::TlsIdentity(TlsFiles files, OnFailure on_failure)
    : files_(std::move(files)),
      on_failure_(std::move(on_failure)),
      context_(nullptr, SSL_CTX_free) {}

Result<std::unique_ptr<TlsIdentity>> TlsIdentity::load(const TlsFiles& files,
                                                       OnFailure on_failure) {
  std::unique_ptr<TlsIdentity> identity(new TlsIdentity(files, std::move(on_failure)));
  identity->version_ = identity->version();
  auto context = read(files);
  if (!context) return context.error();
  identity->context_ = std::move(*context);
  return identity;
}

ssl_ctx_st* TlsIdentity::context() {
  std::string failure;
  ssl_ctx_st* current = nullptr;
  {
    const std::lock_guard lock(mutex_);
    // Taken before the files are read: what changes in between is read again for the next one.
    const std::string now = version();
    if (now != version_) {
      auto renewed = read(files_);
      if (renewed) {
        context_ = std::move(*renewed);
        version_ = now;
        failure_.clear();
      } else if (failure_ != renewed.error().message) {
        failure = failure_ = renewed.error().message;
      }
    }
    current = context_.get();
    SSL_CTX_up_ref(current);
  }
  if (!failure.empty() && on_failure_) on_failure_(failure);
  return current;
}

std::string TlsIdentity::version() const {
  return stamp_of(files_.certificate) + stamp_of(files_.key);
}

Result<TlsIdentity::Context> TlsIdentity::read(const TlsFiles& files) {
  ERR_clear_error();
  Context context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1) {
    ERR_clear_error();
    return Error{ErrorKind::Rejected, "OpenSSL on this machine cannot speak TLS 1.2"};
  }
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);

  auto certificate = take_certificates(context.get(), files.certificate);
  if (!certificate) return certificate.error();
  auto key = read_key(files.key);
  if (!key) return key.error();
  if (X509_check_private_key(certificate->get(), key->get()) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), key->get()) != 1) {
    return refused("TLS key file", files.key,
                   "is not the key of the certificate in \"" + files.certificate +
                       "\"; give the two that belong together");
  }
  return context;
}

}  // namespace sconverge
