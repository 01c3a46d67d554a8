#pragma once

#include <map>
#include <string>

namespace sconverge {

using Variables = std::map<std::string, std::string>;

/// The variable's value; empty if it is not set.
std::string value_of(const Variables& variables, const std::string& name);

/// Where credentials are.
struct Place {
  std::string file{};  ///< empty: the metadata server, because there is no file
  std::string why{};   ///< what names the file, for messages about it
};

/// The first place that has any, in google-auth's order. A file that is named is the place,
/// whether it is there or not; gcloud's is if it is there.
Place find_credentials(const std::string& file, const Variables& variables);

/// What was looked at when no place had any, and how to mend it. `metadata` says what was found out
/// about the metadata server.
std::string nothing_found(const Variables& variables, const std::string& metadata);

}  // namespace sconverge
