#include "tests/support/json_edit.h"

#include <nlohmann/json.hpp>

namespace sconverge::test {

using nlohmann::json;

std::string edited(const std::string& document, const std::string& pointer,
                   const std::string& value) {
  json whole = json::parse(document);
  whole[json::json_pointer(pointer)] = json::parse(value);
  return whole.dump(2);
}

std::string edited_text(const std::string& document, const std::string& pointer,
                        const std::string& text) {
  return edited(document, pointer, json(text).dump());
}

std::string without_member(const std::string& document, const std::string& name) {
  json whole = json::parse(document);
  whole.erase(name);
  return whole.dump(2);
}

}  // namespace sconverge::test
