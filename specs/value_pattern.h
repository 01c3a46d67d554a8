#pragma once

#include <string>

namespace sconverge {

// Regular expressions for what the reader takes, as the JSON Schema has them: in what ECMA 262 and
// Python have in common, which knows neither flags nor named classes. They say how a text looks;
// what it amounts to (the range of a number with a unit, the days of a month) they do not know.

std::string name_pattern();            ///< is_dns_label
std::string label_key_pattern();       ///< is_label_key, but for the length of its DNS name
std::string annotation_key_pattern();  ///< the same without unknown `sconverge/` keys
std::string label_value_pattern();     ///< is_label_value
std::string cluster_pattern();         ///< the same, not empty
std::string path_below_pattern();      ///< a relative path without `..`
std::string minutes_pattern();         ///< minutes_from
std::string seconds_pattern();         ///< seconds_from
std::string size_pattern();            ///< mebibytes_from
std::string time_pattern();            ///< timestamp_from
std::string nodes_pattern();           ///< node_count_from
std::string array_pattern();           ///< array_indexes_from
std::string variable_pattern();        ///< the name of an environment variable
std::string assignment_pattern();      ///< KEY=value

}  // namespace sconverge
