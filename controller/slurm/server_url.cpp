#include "controller/slurm/server_url.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "controller/core/one_line.h"

namespace sconverge {
namespace {

bool is_port(std::string_view text) {
  int port = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  return error == std::errc() && stop == end && port >= 1 && port <= 65535;
}

/// "HOST" or "HOST:PORT".
std::string_view trouble_with_authority(std::string_view authority) {
  // cpprestsdk 2.10 asks the resolver for "[::1]", brackets included.
  if (authority.starts_with('[')) return "has a bare IPv6 address, and a host name is needed";
  const auto colon = authority.rfind(':');
  const bool has_port = colon != authority.npos;
  if ((has_port ? authority.substr(0, colon) : authority).empty()) return "names no host";
  if (has_port && !is_port(authority.substr(colon + 1))) return "has a port that is none";
  return {};
}

}  // namespace

std::optional<Error> trouble_with_server_url(const std::string& url) {
  const auto trouble = [](std::string_view shown, std::string_view why) {
    return Error{ErrorKind::Rejected, "slurmrestd URL \"" + one_line(shown) + "\" " +
                                          std::string(why) +
                                          "; write http://HOST:PORT or https://HOST:PORT"};
  };
  const auto colon = url.find("://");
  const std::string scheme = colon == url.npos ? "" : url.substr(0, colon);
  if (scheme != "http" && scheme != "https") return trouble(url, "is neither http nor https");
  const auto start = colon + 3;
  const std::string authority = url.substr(start, url.find_first_of("/?#", start) - start);
  if (authority.find('@') != authority.npos) return trouble(scheme + "://...", "holds a user");
  const auto why = trouble_with_authority(authority);
  if (!why.empty()) return trouble(url, why);
  const auto fits = [](char c) { return c > ' ' && c < 0x7F && c != '?' && c != '#'; };
  if (!std::all_of(url.begin(), url.end(), fits)) {
    return trouble(url, "holds a query, a fragment or a character that no URL has");
  }
  return std::nullopt;
}

}  // namespace sconverge
