#include "controller/google/credential.h"

#include "controller/google/plain_line.h"

namespace sconverge {
namespace {

struct Text {
  const std::string& file;

  std::string operator()(const ServiceAccount& account) const {
    return "the service account " + plain_line(account.client_email) + " (service_account key in " +
           file + ")";
  }
  std::string operator()(const AuthorizedUser& user) const {
    return (user.account.empty() ? "the user" : "the user " + plain_line(user.account)) +
           " (authorized_user in " + file + ")";
  }
  std::string operator()(const ExternalAccount& account) const {
    const std::string& url = account.impersonation.url;
    return "the workload identity in " + file +
           (url.empty() ? "" : ", impersonating " + plain_line(impersonated_account(url)));
  }
  std::string operator()(const std::shared_ptr<const ImpersonatedAccount>& account) const {
    return std::visit(*this, account->source) + ", impersonating " +
           plain_line(impersonated_account(account->impersonation.url));
  }
};

struct SubjectFile {
  std::string operator()(const ServiceAccount&) const { return ""; }
  std::string operator()(const AuthorizedUser&) const { return ""; }
  std::string operator()(const ExternalAccount& account) const { return account.source.file; }
  std::string operator()(const std::shared_ptr<const ImpersonatedAccount>& account) const {
    return std::visit(*this, account->source);
  }
};

}  // namespace

std::string text_of(const Credential& credential, const std::string& file) {
  return std::visit(Text{file}, credential);
}

std::string subject_file_of(const Credential& credential) {
  return std::visit(SubjectFile{}, credential);
}

std::string impersonated_account(const std::string& url) {
  const auto end = url.rfind(":generateAccessToken");
  const std::string account = url.substr(0, end);
  return account.substr(account.rfind('/') + 1);
}

}  // namespace sconverge
