#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/time.h"
#include "tests/support/google_jwt.h"
#include "tests/support/stub_form.h"
#include "tests/support/stub_http_server.h"

namespace sconverge::test {

/// A token that the servers know, and whom it stands for.
struct IssuedToken {
  std::string principal{};
  std::string scope{};
  TimePoint expiry{};
};

/// Google's servers for credentials on the loopback: the token endpoint, STS, IAM Credentials, an
/// OIDC provider such as GitHub's, and a metadata server. They check all that Google's reference
/// pages ask for (RFC 6749, 7523 and 8693, AIP-4111 to AIP-4117), refuse what is wrong in Google's
/// words, and are no stricter than what google-auth sends.
///
/// Their world:
///   - the service account kAccount, which has a key, and a user who has logged in with gcloud;
///   - a workload of kAudience that shows `subject_token`;
///   - kTarget, which all three may act as, and kFarTarget, which only kDelegate may act as, for
///     whom all three may act.
class GoogleServers {
 public:
  static constexpr const char* kAccount = "ci@project.iam.gserviceaccount.com";
  static constexpr const char* kUser = "somebody@example.com";
  static constexpr const char* kTarget = "runner@project.iam.gserviceaccount.com";
  static constexpr const char* kFarTarget = "far@project.iam.gserviceaccount.com";
  static constexpr const char* kDelegate = "middle@project.iam.gserviceaccount.com";
  static constexpr const char* kAudience =
      "//iam.googleapis.com/projects/123/locations/global/workloadIdentityPools/ci/providers/git";
  static constexpr const char* kWorkforceAudience =
      "//iam.googleapis.com/locations/global/workforcePools/people/providers/login";
  static constexpr const char* kWorkload = "principal://pool/ci";
  static constexpr const char* kMachine = "the machine's account";
  static constexpr const char* kCloudScope = "https://www.googleapis.com/auth/cloud-platform";
  static constexpr const char* kIamScope = "https://www.googleapis.com/auth/iam";

  /// `now` is the servers' clock.
  explicit GoogleServers(std::function<TimePoint()> now);

  // Credential files as Google's tools write them, with the loopback for Google's hosts.
  [[nodiscard]] std::string service_account() const;
  [[nodiscard]] std::string authorized_user() const;
  /// The subject token is in `file`.
  [[nodiscard]] std::string external_account(const std::string& file) const;
  /// The subject token is had from the OIDC provider, as google-github-actions/auth sets it up.
  [[nodiscard]] std::string external_account_of_url() const;
  [[nodiscard]] std::string impersonated(const std::string& source) const;

  [[nodiscard]] std::string url() const { return server_.url(); }
  [[nodiscard]] std::string token_url() const { return url() + "/token"; }
  [[nodiscard]] std::string impersonation_url(const std::string& account) const;
  [[nodiscard]] std::string metadata_host() const;  ///< HOST:PORT

  /// Whom an API would take the bearer of `token` for: issued here and not expired, or a JWT signed
  /// with the account's key (AIP-4111).
  [[nodiscard]] std::optional<IssuedToken> whose(const std::string& token) const;

  /// What no message may ever hold: all keys and tokens of this world.
  [[nodiscard]] std::vector<std::string> secrets() const;

  [[nodiscard]] std::vector<StubRequest> requests() const { return server_.requests(); }
  /// How many requests have come for paths that contain this.
  [[nodiscard]] int count(const std::string& path) const;

  /// Answers the next `times` requests for paths that contain `path` like this.
  void fail_next(int times, const std::string& path, const StubAnswer& answer);

  // What may be changed, while no request is under way.
  std::string subject_token{"eyJ-subject-token.first"};
  bool needs_client{false};          ///< STS asks for kAudience's client id and secret
  seconds lifetime{3599};            ///< of tokens
  bool lifetime_as_text{false};      ///< "3599"
  bool login_has_expired{false};     ///< the user must log in anew
  bool account_attached{true};       ///< to the machine
  bool tells_time{false};            ///< header Date
  std::string expire_time_end{"Z"};  ///< the fraction and offset of expireTime

 private:
  StubAnswer answer(const StubRequest& request);
  StubAnswer route(const StubRequest& request);
  StubAnswer token(const StubForm& form);
  StubAnswer exchange_jwt(const StubForm& form);
  StubAnswer refresh_user(const StubForm& form);
  StubAnswer exchange_subject_token(const StubRequest& request, const StubForm& form);
  StubAnswer impersonate(const StubRequest& request);
  StubAnswer subject_token_answer(const StubRequest& request) const;
  StubAnswer metadata(const StubRequest& request);
  [[nodiscard]] JwtRules jwt_rules() const;
  [[nodiscard]] std::optional<IssuedToken> bearer_of(const std::string& token) const;
  std::string issue(const std::string& principal, const std::string& scope);
  StubAnswer token_answer(const std::string& principal, const std::string& scope);

  const std::function<TimePoint()> now_;
  mutable std::mutex mutex_{};
  std::map<std::string, IssuedToken> issued_{};
  struct Fault {
    int times;
    std::string path;
    StubAnswer answer;
  };
  std::vector<Fault> faults_{};
  StubHttpServer server_;
};

}  // namespace sconverge::test
