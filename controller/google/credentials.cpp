#include "controller/google/credentials.h"

#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "controller/google/credential_file.h"
#include "controller/google/find.h"
#include "controller/google/flow.h"
#include "controller/google/token_cache.h"
#include "controller/ports/changing_file.h"

namespace sconverge {
namespace {

/// The real time and chance where none are given.
CredentialOptions completed(CredentialOptions options) {
  if (!options.steady_now) options.steady_now = std::chrono::steady_clock::now;
  if (!options.sleep) {
    options.sleep = [](milliseconds pause) { std::this_thread::sleep_for(pause); };
  }
  if (!options.chance) {
    options.chance = [dice = std::mt19937(std::random_device{}())]() mutable {
      return std::uniform_real_distribution<double>(0, 1)(dice);
    };
  }
  return options;
}

class GoogleCredentials : public AccessTokens {
 public:
  GoogleCredentials(CredentialOptions options, std::shared_ptr<HttpClient> http, const Clock& clock)
      : options_(completed(std::move(options))),
        http_(std::move(http)),
        clock_(clock),
        cache_({[this] { return fetch(); }, [this] { return changed(); }}, options_.steady_now,
               clock) {}

  Result<AccessToken> current() override { return cache_.current(); }
  bool renew(unsigned used) override { return cache_.renew(used); }
  std::optional<TimePoint> expiry() const override { return cache_.expiry(); }

  std::string text() const override {
    const std::lock_guard lock(mutex_);
    return found_.text;
  }

  std::string quota_project() const override {
    if (!options_.quota_project.empty()) return options_.quota_project;
    auto variable = value_of(options_.variables, "GOOGLE_CLOUD_QUOTA_PROJECT");
    if (!variable.empty()) return variable;
    const std::lock_guard lock(mutex_);
    return found_.quota_project;
  }

 private:
  /// What the last fetch began with.
  struct Found {
    std::string text{"Google's application default credentials"};
    std::string quota_project{};
    std::string file{};          ///< empty: the metadata server
    std::string subject_file{};  ///< empty: none
    std::string stamp{};         ///< of both files
  };

  Result<FetchedToken> fetch() {
    const FlowContext context{*http_, clock_, options_};
    const Place place = find_credentials(options_.file, options_.variables);
    if (place.file.empty()) {
      remember({"the metadata server's default service account", "", "", "", ""});
      return fetch_metadata_token(context);  // its errors name all the places looked at
    }
    const auto credential = load(place);
    if (!credential) return credential.error();
    return named(fetch_token(*credential, options_.scope, context));
  }

  /// The file as it is now.
  Result<Credential> load(const Place& place) {
    const std::string name = "credential file \"" + place.file + "\" (" + place.why + ")";
    Found found;
    found.file = place.file;
    found.text = "the credentials in " + place.file;
    const std::string stamp = stamp_of(place.file);
    const auto file = read_changing_file(place.file);
    auto parsed = file ? parse_credentials(name, file->text)
                       : Error{ErrorKind::Denied, name + " " + file.error().message};
    if (parsed) {
      found.text = text_of(parsed->credential, place.file);
      found.quota_project = parsed->quota_project;
      found.subject_file = subject_file_of(parsed->credential);
    }
    found.stamp = stamp + stamp_of(found.subject_file);
    remember(std::move(found));
    return parsed ? Result<Credential>(std::move(parsed->credential)) : parsed.error();
  }

  /// Whether the last fetch would begin with something else now.
  bool changed() const {
    const Place place = find_credentials(options_.file, options_.variables);
    const std::lock_guard lock(mutex_);
    if (place.file != found_.file) return true;
    return !place.file.empty() &&
           stamp_of(place.file) + stamp_of(found_.subject_file) != found_.stamp;
  }

  Result<FetchedToken> named(Result<FetchedToken> fetched) const {
    if (fetched) return fetched;
    return Error{fetched.error().kind,
                 "no access token for " + text() + ": " + fetched.error().message};
  }

  void remember(Found found) {
    const std::lock_guard lock(mutex_);
    found_ = std::move(found);
  }

  const CredentialOptions options_;
  const std::shared_ptr<HttpClient> http_;
  const Clock& clock_;
  mutable std::mutex mutex_{};
  Found found_{};
  TokenCache cache_;
};

}  // namespace

std::unique_ptr<AccessTokens> make_google_credentials(CredentialOptions options,
                                                      std::shared_ptr<HttpClient> http,
                                                      const Clock& clock) {
  return std::make_unique<GoogleCredentials>(std::move(options), std::move(http), clock);
}

}  // namespace sconverge
