#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "controller/core/time.h"

namespace sconverge {

/// Credentials as their files say them, checked. Of all that is here only names may be shown.
struct ServiceAccount {
  std::string client_email{};
  std::string private_key{};     ///< PEM
  std::string private_key_id{};  ///< empty: not said
  std::string token_uri{};
  std::string universe_domain{};
};

struct AuthorizedUser {
  std::string client_id{};
  std::string client_secret{};
  std::string refresh_token{};
  std::string account{};  ///< empty: not said
};

/// Where the token that proves a workload's identity comes from.
struct SubjectTokenSource {
  std::string file{};  ///< of this and `url` exactly one is set
  std::string url{};
  std::map<std::string, std::string> headers{};  ///< secrets, too
  std::string json_field{};                      ///< empty: the whole text is the token
};

/// The service account to act as, in the end.
struct Impersonation {
  std::string url{};  ///< ".../serviceAccounts/EMAIL:generateAccessToken"; empty: none
  std::vector<std::string> delegates{};
  seconds lifetime{3600};
};

struct ExternalAccount {
  std::string audience{};
  std::string subject_token_type{};
  std::string token_url{};
  SubjectTokenSource source{};
  std::string client_id{};  ///< empty: none
  std::string client_secret{};
  std::string workforce_pool_user_project{};
  Impersonation impersonation{};
};

struct ImpersonatedAccount;

using Credential = std::variant<ServiceAccount, AuthorizedUser, ExternalAccount,
                                std::shared_ptr<const ImpersonatedAccount>>;

struct ImpersonatedAccount {
  Credential source{};
  Impersonation impersonation{};
  std::vector<std::string> scopes{};  ///< empty: what is asked for
};

/// Whose they are and that they are in `file`, for messages.
std::string text_of(const Credential& credential, const std::string& file);

/// The file of the workload's token that they begin with; empty if there is none.
std::string subject_file_of(const Credential& credential);

/// The service account's e-mail address in an impersonation URL.
std::string impersonated_account(const std::string& url);

}  // namespace sconverge
