#pragma once

#include <map>
#include <string>

#include "tests/support/stub_http_server.h"

namespace sconverge::test {

/// The text that %XX and "+" stand for.
std::string form_decoded(const std::string& text);

/// The header's value; empty if it is not there. `name` is in lower case.
std::string header_of(const StubRequest& request, const std::string& name);

/// A body's form; what is not there reads as empty. Nothing is there if the body is not said to be
/// one.
class StubForm {
 public:
  explicit StubForm(const StubRequest& request);
  std::string operator[](const std::string& name) const;

 private:
  std::map<std::string, std::string> fields_{};
};

}  // namespace sconverge::test
