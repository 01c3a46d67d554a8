#include "specs/value_pattern.h"

#include <string_view>

namespace sconverge {
namespace {

constexpr const char* kDnsLabel = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
constexpr const char* kLabel = "[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
constexpr const char* kVariable = "[A-Za-z_][A-Za-z0-9_]*";

// A plain number, `1d12h`, and sbatch's forms.
constexpr const char* kDuration =
    "(?:[0-9]+|(?=[0-9])(?:[0-9]+d)?(?:[0-9]+h)?(?:[0-9]+m)?(?:[0-9]+s)?|"
    "[0-9]+:[0-9]+(?::[0-9]+)?|[0-9]+-[0-9]+(?::[0-9]+){0,2})";

std::string whole(const std::string& pattern) { return "^" + pattern + "$"; }

std::string label_key() {
  const std::string dns = kDnsLabel;
  return "(?:" + dns + "(?:\\." + dns + ")*/)?" + kLabel;
}

/// `word` in any case.
std::string any_case(std::string_view word) {
  std::string out;
  for (const char c : word) out += {'[', c, static_cast<char>(c - 'A' + 'a'), ']'};
  return out;
}

}  // namespace

std::string name_pattern() { return whole(kDnsLabel); }
std::string label_key_pattern() { return whole(label_key()); }
std::string annotation_key_pattern() { return whole("(?!sconverge/(?!protect$))" + label_key()); }
std::string label_value_pattern() { return whole("(?:" + std::string(kLabel) + ")?"); }
std::string cluster_pattern() { return whole(kLabel); }
std::string path_below_pattern() { return "^(?!/)(?!(?:.*/)?\\.\\.(?:/|$)).+$"; }

std::string minutes_pattern() {
  // Zero is refused, however it is written.
  return whole("(?:" + any_case("UNLIMITED") + "|" + any_case("INFINITE") + "|(?=.*[1-9])" +
               kDuration + ")");
}

std::string seconds_pattern() { return whole(kDuration); }
std::string size_pattern() { return "^[0-9]+(?:[KMGTkmgt](?:[Ii]?[Bb])?)?$"; }

std::string time_pattern() {
  const std::string date = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])";
  const std::string hour = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";
  return whole("(?:0*[1-9][0-9]*|" + date + "[Tt ]" + hour + ":[0-5][0-9](?:[Zz]|[+-]" + hour +
               "))");
}

std::string nodes_pattern() {
  const std::string count = "0*[1-9][0-9]*[KMkm]?";
  const std::string part = count + "(?:-" + count + "(?::" + count + ")?)?";
  return whole(part + "(?:," + part + ")*");
}

std::string array_pattern() {
  const std::string index = "\\s*[0-9]+\\]?";
  const std::string part = "\\[?" + index + "(?:-" + index + "(?::" + index + ")?)?[\\s\\]]*";
  return whole(part + "(?:," + part + ")*(?:%\\s*[0-9]+[\\s\\]]*)?");
}

std::string variable_pattern() { return whole(kVariable); }
std::string assignment_pattern() { return "^" + std::string(kVariable) + "="; }

}  // namespace sconverge
