#include "controller/google/endpoint_url.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>

#include "controller/google/plain_line.h"

namespace sconverge {
namespace {

constexpr const char* kInsecure = "must be https, or http to the loopback: secrets are sent there";

struct UrlParts {
  std::string scheme{};
  std::string host{};  ///< IPv6 in its brackets
  bool good{false};
};

bool is_port(std::string_view text) {
  int port = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  return error == std::errc() && stop == end && port >= 1 && port <= 65535;
}

/// A name or an IPv4 address, or an IPv6 address in brackets; nothing that parsers disagree about.
bool is_host(std::string_view host) {
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  constexpr std::string_view kName =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";
  if (!bracketed) return !host.empty() && host.find_first_not_of(kName) == host.npos;
  in6_addr address{};
  const std::string text(host.substr(1, host.size() - 2));
  return inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

UrlParts parts_of(std::string_view url) {
  UrlParts parts;
  const auto colon = url.find("://");
  if (colon == url.npos || !fits_a_header(url) || url.find('\\') != url.npos) return parts;
  parts.scheme = url.substr(0, colon);
  const auto start = colon + 3;
  std::string_view authority = url.substr(start, url.find_first_of("/?#", start) - start);
  const auto port = authority.rfind(':');
  const bool has_port = port != authority.npos && authority.find(']', port) == authority.npos;
  if (has_port && !is_port(authority.substr(port + 1))) return parts;
  parts.host = has_port ? authority.substr(0, port) : authority;
  parts.good = (parts.scheme == "https" || parts.scheme == "http") && is_host(parts.host);
  return parts;
}

bool is_loopback(const std::string& host) {
  in_addr address{};
  if (inet_pton(AF_INET, host.c_str(), &address) == 1) return ntohl(address.s_addr) >> 24U == 127;
  return host == "localhost" || host == "[::1]";
}

}  // namespace

std::string trouble_with_endpoint(std::string_view url) {
  const UrlParts parts = parts_of(url);
  if (!parts.good) return "is no URL of the form https://HOST/PATH";
  return parts.scheme == "https" || is_loopback(parts.host) ? "" : kInsecure;
}

std::string trouble_with_token_source(std::string_view url) {
  const UrlParts parts = parts_of(url);
  const bool metadata = parts.host == "169.254.169.254" || parts.host == "metadata.google.internal";
  return parts.good && metadata ? "" : trouble_with_endpoint(url);
}

std::string shown_url(std::string_view url) {
  return plain_line(url.substr(0, url.find_first_of("?#")));
}

}  // namespace sconverge
