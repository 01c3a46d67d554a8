#pragma once

#include <string>

namespace sconverge {

inline constexpr const char* kPlainText = "text/plain; charset=utf-8";

struct HttpAnswer {
  int status{200};
  std::string content_type{kPlainText};
  std::string body{};

  friend bool operator==(const HttpAnswer&, const HttpAnswer&) = default;
};

}  // namespace sconverge
