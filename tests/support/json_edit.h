#pragma once

#include <string>

namespace sconverge::test {

/// The JSON `document` with the value at `pointer` (RFC 6901) set to the JSON `value`.
std::string edited(const std::string& document, const std::string& pointer,
                   const std::string& value);

/// The JSON `document` with the text at `pointer` set.
std::string edited_text(const std::string& document, const std::string& pointer,
                        const std::string& text);

/// The JSON object `document` without its member `name`.
std::string without_member(const std::string& document, const std::string& name);

}  // namespace sconverge::test
