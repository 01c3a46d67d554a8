#include "tests/support/stub_form.h"

#include <sstream>

namespace sconverge::test {

std::string form_decoded(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      plain.push_back(static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16)));
      i += 2;
    } else {
      plain.push_back(text[i] == '+' ? ' ' : text[i]);
    }
  }
  return plain;
}

std::string header_of(const StubRequest& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? "" : found->second;
}

StubForm::StubForm(const StubRequest& request) {
  const std::string type = header_of(request, "content-type");
  if (!type.starts_with("application/x-www-form-urlencoded")) return;
  std::istringstream text(request.body);
  for (std::string field; std::getline(text, field, '&');) {
    const auto equals = field.find('=');
    if (equals == field.npos) continue;
    fields_[form_decoded(field.substr(0, equals))] = form_decoded(field.substr(equals + 1));
  }
}

std::string StubForm::operator[](const std::string& name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() ? "" : found->second;
}

}  // namespace sconverge::test
