#pragma once

#include <string>

namespace sconverge {

/// `json` (indented JSON text) with a final newline, or the same values as YAML in block style,
/// in which an object's text of several lines stands as such.
/// REQUIRES: it is valid JSON.
std::string document_text(const std::string& json, bool as_yaml);

}  // namespace sconverge
