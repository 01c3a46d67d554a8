#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "controller/core/result.h"
#include "controller/core/time.h"
#include "controller/google/credential.h"
#include "controller/google/credentials.h"
#include "controller/google/find.h"

namespace sconverge {

using SteadyTime = std::chrono::steady_clock::time_point;

/// A token as it was obtained.
struct FetchedToken {
  std::string text{};
  SteadyTime sent{};  ///< when its request left: what its lifetime counts from
  seconds lifetime{0};
};

/// What every flow needs: the way out, time, chance, and what was chosen.
struct FlowContext {
  HttpClient& http;
  const Clock& clock;
  const CredentialOptions& options;  ///< with its functions set
};

// The flows: credentials in, a token for `scope` (several are separated by blanks) out. Each blocks
// for a few requests at most. Their Errors:
//   Denied       refused until somebody acts; the message says what, by whom and how to mend it
//   Unavailable  not now
// No message holds a secret, even if a server sends one back.

Result<FetchedToken> fetch_token(const ServiceAccount& account, const std::string& scope,
                                 const FlowContext& context);
Result<FetchedToken> fetch_token(const AuthorizedUser& user, const std::string& scope,
                                 const FlowContext& context);
Result<FetchedToken> fetch_token(const ExternalAccount& account, const std::string& scope,
                                 const FlowContext& context);
Result<FetchedToken> fetch_token(const std::shared_ptr<const ImpersonatedAccount>& account,
                                 const std::string& scope, const FlowContext& context);
Result<FetchedToken> fetch_token(const Credential& credential, const std::string& scope,
                                 const FlowContext& context);

/// From the metadata server of the machine or pod we run in.
Result<FetchedToken> fetch_metadata_token(const FlowContext& context);

/// A token of the service account that the holder of `token` may act as (IAM Credentials,
/// generateAccessToken).
Result<FetchedToken> impersonate(const Impersonation& impersonation, const FetchedToken& token,
                                 const std::string& scope, const FlowContext& context);

/// The token that proves a workload's identity, from its file or URL.
Result<std::string> read_subject_token(const SubjectTokenSource& source,
                                       const FlowContext& context);

/// What a service account's or workload's token needs to ask for one of another account.
inline constexpr const char* kIamScope = "https://www.googleapis.com/auth/iam";

}  // namespace sconverge
