#include "controller/app/setting_values.h"

#include <algorithm>
#include <charconv>

#include "specs/utf8.h"

namespace sconverge {
namespace {

bool is_port(std::string_view text) {
  const auto port = parse_int(text);
  return port && *port >= 1 && *port <= 65535;
}

bool is_host(std::string_view text) {
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') {
    return text.find_first_not_of("0123456789abcdefABCDEF:.", 1) == text.size() - 1;
  }
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  });
}

/// Splits "host:port", "[::1]:port" and "host".
std::pair<std::string_view, std::optional<std::string_view>> split_port(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || text.find(']', colon) != std::string_view::npos) {
    return {text, {}};
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

std::optional<int> parse_int(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

Refused url_refusal(std::string_view url) {
  const std::string remedy = "write e.g. http://127.0.0.1:6820 or https://slurm.example.org";
  // A URL with a password in it must not be repeated.
  if (url.find('@') != std::string_view::npos) {
    return Refusal{"the URL carries a user or a password",
                   remedy + "; the user is a setting of its own"};
  }
  std::string_view rest = url;
  if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else if (rest.starts_with("https://")) {
    rest.remove_prefix(8);
  } else {
    return Refusal{in_quotes(url) + " is not an http or https URL", remedy};
  }
  if (rest.find_first_of("?# \t") != std::string_view::npos) {
    return Refusal{in_quotes(url) + " holds a query, a fragment or a space", remedy};
  }
  if (rest.find("/slurm/v0") != std::string_view::npos) {
    return Refusal{in_quotes(url) + " holds an API version", "end the URL before /slurm/"};
  }
  const auto [host, port] = split_port(rest.substr(0, rest.find('/')));
  if (!is_host(host)) return Refusal{in_quotes(url) + " names no host", remedy};
  if (port && !is_port(*port)) {
    return Refusal{in_quotes(url) + " has no valid port", "write a port between 1 and 65535"};
  }
  return {};
}

Refused set_bool(bool& member, const std::string& text) {
  if (text != "true" && text != "false") {
    return Refusal{in_quotes(text) + " is neither true nor false", "write true or false"};
  }
  member = text == "true";
  return {};
}

Refused set_user_name(std::string& member, const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c > ' ' && c < 0x7f && c != ':' && c != '/' && c != '"';
  });
  if (!plain || text.empty()) {
    return Refusal{in_quotes(text) + " is not a user name", "write the Slurm user, e.g. alice"};
  }
  member = text;
  return {};
}

Refused set_url_name(std::string& member, const std::string& text, const std::string& noun,
                     const std::string& example) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == ':';
  });
  if (!plain || text == "." || text == "..") {
    return Refusal{in_quotes(text) + " is not " + noun, "write e.g. " + example};
  }
  member = text;
  return {};
}

}  // namespace sconverge
