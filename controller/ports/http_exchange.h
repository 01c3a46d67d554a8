#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sconverge {

inline constexpr const char* kPlainText = "text/plain; charset=utf-8";
inline constexpr const char* kJson = "application/json";

/// A request to a server of ours.
struct HttpRequest {
  std::string method{};           ///< "GET", "POST", ...
  std::string path{};             ///< as it was sent, before the "?"
  std::string query{};            ///< what follows the "?", as it was sent
  std::string authorization{};    ///< the header's value; never to be logged
  std::string accept{};           ///< the header's values, joined by commas
  std::string accept_encoding{};  ///< likewise
  std::string body{};
  bool body_too_large{false};  ///< the body exceeds the server's limit and is not here

  /// Whether the query has this parameter, with or without a value.
  [[nodiscard]] bool has(std::string_view parameter) const;

  /// The query's parameters, decoded, in their order; the value of one without "=" is empty.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> parameters() const;
};

struct HttpAnswer {
  int status{200};
  std::string content_type{kPlainText};
  std::string body{};
  std::vector<std::pair<std::string, std::string>>
      headers{};  ///< more of them; a name may come twice

  friend bool operator==(const HttpAnswer&, const HttpAnswer&) = default;
};

}  // namespace sconverge
