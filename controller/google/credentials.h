#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "controller/core/time.h"
#include "controller/ports/access_tokens.h"
#include "controller/ports/clock.h"
#include "controller/ports/http_client.h"

namespace sconverge {

/// What a service account's key is used for.
enum class ServiceAccountFlow {
  SelfSigned,  ///< a JWT signed with it is the bearer token (AIP-4111); nobody is asked
  JwtBearer,   ///< a JWT signed with it is exchanged for a token at the file's token_uri
};

struct CredentialOptions {
  std::string file{};           ///< of credentials; beats every other place
  std::string quota_project{};  ///< beats GOOGLE_CLOUD_QUOTA_PROJECT, and that the file's
  std::map<std::string, std::string> variables{};  ///< the environment
  ServiceAccountFlow service_account_flow{ServiceAccountFlow::SelfSigned};
  std::string scope{"https://www.googleapis.com/auth/cloud-platform"};
  /// Where users' refresh tokens are sent, whatever their file says. Another one in tests only.
  std::string user_token_url{"https://oauth2.googleapis.com/token"};

  // Time and chance.
  std::function<std::chrono::steady_clock::time_point()> steady_now{};  ///< empty: the real one
  std::function<void(milliseconds)> sleep{};                            ///< empty: the real one
  std::function<double()> chance{};  ///< from 0 to 1, to spread repeated requests; empty: real
};

/// Application Default Credentials (AIP-4110), looked for as google-auth does, at every refresh
/// anew; the first place that has any decides:
///   1. `file`
///   2. the file that GOOGLE_APPLICATION_CREDENTIALS names; that it is missing is an error
///   3. gcloud's: $CLOUDSDK_CONFIG/application_default_credentials.json, else the same in
///      $HOME/.config/gcloud, if it exists
///   4. the metadata server (GCE_METADATA_HOST, GCE_METADATA_ROOT, GCE_METADATA_IP, NO_GCE_CHECK)
///
/// Files may be of the types service_account, external_account (with a file or a URL as
/// credential_source), authorized_user and impersonated_service_account. Secrets go to https URLs
/// and to the loopback only, whatever a file says.
///
/// Never fails: what is wrong is what `current` says, so that a file may come or be mended later.
///
/// PROMISES beside those of AccessTokens:
///   - one refresh at a time; who still has a token that is good does not wait for it;
///   - a token is refreshed when less than 225 s or a quarter of its lifetime is left, and given
///     until it expires if that fails;
///   - a failed refresh is repeated after 1 s, 2 s, ... 60 s; one that was refused, when a file it
///     depends on changes, or after 5 minutes;
///   - ages are counted on the steady clock from the moment the request was sent.
///
/// REQUIRES: `clock` outlives what is returned.
std::unique_ptr<AccessTokens> make_google_credentials(CredentialOptions options,
                                                      std::shared_ptr<HttpClient> http,
                                                      const Clock& clock);

/// The token in a file that somebody else keeps good: read again when the file changes and by
/// `renew`; blanks around it do not count. Denied while the file cannot be read or holds something
/// else than one token.
std::unique_ptr<AccessTokens> make_token_file(std::string file);

}  // namespace sconverge
