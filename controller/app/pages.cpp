#include "controller/app/pages.h"

#include <algorithm>
#include <cctype>

#include "controller/app/document.h"
#include "controller/app/status_html.h"
#include "controller/app/status_text.h"
#include "controller/app/verbs.h"
#include "controller/google/base64.h"
#include "metrics/metrics.h"

namespace sconverge {
namespace {

constexpr std::size_t kMostHtmlRows = 500;
constexpr std::size_t kMostTextRows = 200;

using Page = std::function<HttpAnswer(const HttpRequest&)>;

/// The password in "Basic ...", which browsers ask people for, as a bearer token.
std::string as_bearer(const std::string& authorization) {
  constexpr std::string_view scheme = "basic ";
  std::string given = authorization.substr(0, scheme.size());
  std::transform(given.begin(), given.end(), given.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (given != scheme) return authorization;
  const auto pair = from_base64(authorization.substr(scheme.size()));
  const auto colon = pair ? pair->find(':') : std::string::npos;
  return colon == std::string::npos ? "" : "Bearer " + pair->substr(colon + 1);
}

HttpAnswer refusal_of(const HttpRequest& request) {
  const bool sent = !request.authorization.empty();
  return {401,
          kPlainText,
          std::string(sent ? "this token is not known here" : "a token is needed here") +
              "; send the header Authorization: Bearer TOKEN with one from the file that "
              "listenTokenFile names\n",
          // Chrome overlooks all challenges of one header but the first.
          {{"WWW-Authenticate",
            std::string("Bearer realm=\"sconverge\"") + (sent ? ", error=\"invalid_token\"" : "")},
           {"WWW-Authenticate", "Basic realm=\"sconverge: the password is a token\""}}};
}

Page guarded(Page page, const std::shared_ptr<BearerTokens>& tokens) {
  if (!tokens) return page;
  return [page = std::move(page), tokens](const HttpRequest& request) {
    return tokens->bearer_of(as_bearer(request.authorization)) ? page(request)
                                                               : refusal_of(request);
  };
}

HttpAnswer bad_query(const Error& error) { return {400, kPlainText, error.message + "\n", {}}; }

HttpAnswer metrics_page(const PageSources& sources) {
  return {200, kExpositionType, sources.exposition(), {}};
}

HttpAnswer specs_page(const PageSources& sources, const HttpRequest& request) {
  const auto filter = filter_of(request);
  if (!filter) return bad_query(filter.error());
  std::vector<Published> clusters;
  for (const auto& cluster : sources.clusters()) {
    clusters.push_back(cluster.tick->published);
    if (!filter->is_set()) continue;
    std::erase_if(clusters.back().statuses,
                  [&](const SpecStatus& status) { return !filter->takes(status); });
  }
  return {200, kJson, statuses_document(clusters, DocumentFormat::Json), {}};
}

/// Browsers say so; what does not mention HTML gets text.
bool wants_html(const HttpRequest& request) {
  return request.accept.find("text/html") != std::string::npos;
}

HttpAnswer status_page(const PageSources& sources, const HttpRequest& request) {
  const auto filter = filter_of(request);
  if (!filter) return bad_query(filter.error());
  const bool html = wants_html(request);
  const StatusView view =
      status_view(sources.clusters(), *filter, html ? kMostHtmlRows : kMostTextRows,
                  sources.patience(), sources.clock.now());
  const std::string version = build_info().version;
  HttpAnswer answer{200, kPlainText, "", {{"Vary", "Accept"}}};
  if (!html) {
    answer.body = status_text(view, version);
    return answer;
  }
  answer.content_type = "text/html; charset=utf-8";
  answer.body = status_html(view, version);
  answer.headers.emplace_back("Content-Security-Policy", status_html_policy());
  answer.headers.emplace_back("Referrer-Policy", "no-referrer");
  return answer;
}

}  // namespace

std::vector<Route> pages_of(const PageSources& sources,
                            const std::shared_ptr<BearerTokens>& tokens) {
  std::vector<Route> pages = probes_of(sources);
  const auto add = [&](const std::string& path, Page page) {
    pages.push_back({path, guarded(std::move(page), tokens)});
  };
  add("/metrics", [sources](const HttpRequest&) { return metrics_page(sources); });
  add("/api/v1/specs",
      [sources](const HttpRequest& request) { return specs_page(sources, request); });
  add("/", [sources](const HttpRequest& request) { return status_page(sources, request); });
  return pages;
}

std::vector<Route> probes_of(const PageSources& sources) {
  const auto live = [&clock = sources.clock, health = sources.health](const HttpRequest& request) {
    return livez(health(), clock.now(), request.has("verbose"));
  };
  const auto ready = [health = sources.health](const HttpRequest& request) {
    return readyz(health(), request.has("verbose"));
  };
  return {{"/livez", live}, {"/healthz", live}, {"/readyz", ready}};
}

}  // namespace sconverge
