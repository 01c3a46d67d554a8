#include "controller/slurm/wire_cluster_facts.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace sconverge {
namespace {

using nlohmann::json;

/// The value at a path of members; null where there is none.
const json& at(const json& value, std::initializer_list<const char*> path) {
  static const json null;
  const json* found = &value;
  for (const char* member : path) {
    if (!found->is_object()) return null;
    const auto next = found->find(member);
    if (next == found->end()) return null;
    found = &*next;
  }
  return *found;
}

std::string text_at(const json& value, std::initializer_list<const char*> path) {
  const json& found = at(value, path);
  return found.is_string() ? found.get<std::string>() : "";
}

/// A number, plain or as {set, infinite, number}; nothing if it is infinite or not set.
std::optional<std::int64_t> number_at(const json& value, std::initializer_list<const char*> path) {
  const json& found = at(value, path);
  if (found.is_number()) return found.get<std::int64_t>();
  const json& number = at(found, {"number"});
  if (at(found, {"set"}) != true || at(found, {"infinite"}) == true || !number.is_number()) {
    return std::nullopt;
  }
  return number.get<std::int64_t>();
}

/// "a,b", or a list of texts.
std::set<std::string> names_at(const json& value, std::initializer_list<const char*> path) {
  const json& found = at(value, path);
  std::set<std::string> names;
  if (found.is_array()) {
    for (const json& name : found) {
      if (name.is_string()) names.insert(name.get<std::string>());
    }
  } else if (found.is_string()) {
    std::string_view rest = found.get_ref<const std::string&>();
    while (!rest.empty()) {
      const auto comma = std::min(rest.find(','), rest.size());
      if (comma > 0) names.emplace(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return names;
}

/// An answer's list without errors; null otherwise.
json list_in(std::string_view answer, const char* member) {
  json document = json::parse(answer, nullptr, false);
  const json& errors = at(document, {"errors"});
  const json& list = at(document, {member});
  if (!list.is_array() || (errors.is_array() && !errors.empty())) return nullptr;
  return list;
}

const json& resolved(const json& document, const json& schema) {
  const std::string reference = text_at(schema, {"$ref"});
  static constexpr std::string_view kSchemas = "#/components/schemas/";
  if (!reference.starts_with(kSchemas)) return schema;
  return at(document, {"components", "schemas", reference.c_str() + kSchemas.size()});
}

FieldFacts facts_of(const json& document, const json& property) {
  const json& schema = resolved(document, property);
  FieldFacts facts{text_at(schema, {"type"})};
  facts.words = names_at(resolved(document, at(schema, {"items"})), {"enum"});
  if (facts.words.empty()) facts.words = names_at(schema, {"enum"});
  return facts;
}

}  // namespace

std::optional<std::map<std::string, FieldFacts>> job_fields_in(std::string_view openapi,
                                                               const std::string& api_version) {
  const json document = json::parse(openapi, nullptr, false);
  const std::string schema = api_version + "_job_desc_msg";
  const json& properties = at(document, {"components", "schemas", schema.c_str(), "properties"});
  if (!properties.is_object() || properties.empty()) return std::nullopt;
  std::map<std::string, FieldFacts> fields;
  for (const auto& [name, property] : properties.items()) {
    fields[name] = facts_of(document, property);
  }
  return fields;
}

std::optional<std::map<std::string, PartitionFacts>> partitions_in(std::string_view answer) {
  const json list = list_in(answer, "partitions");
  if (!list.is_array()) return std::nullopt;
  std::map<std::string, PartitionFacts> partitions;
  for (const json& row : list) {
    const std::string name = text_at(row, {"name"});
    if (name.empty()) return std::nullopt;
    PartitionFacts facts;
    facts.most_minutes = number_at(row, {"maximums", "time"});
    facts.nodes = number_at(row, {"nodes", "total"});
    facts.hosts = text_at(row, {"nodes", "configured"});
    facts.allowed_accounts = names_at(row, {"accounts", "allowed"});
    facts.denied_accounts = names_at(row, {"accounts", "deny"});
    facts.allowed_qos = names_at(row, {"qos", "allowed"});
    facts.denied_qos = names_at(row, {"qos", "deny"});
    partitions[name] = std::move(facts);
  }
  return partitions;
}

std::optional<std::set<std::string>> accounts_in(std::string_view answer, const std::string& user) {
  const json list = list_in(answer, "associations");
  if (!list.is_array() || user.empty()) return std::nullopt;
  std::set<std::string> accounts;
  for (const json& row : list) {
    if (text_at(row, {"user"}) == user) accounts.insert(text_at(row, {"account"}));
  }
  // A user without any association is not one that accounting knows: it tells nothing.
  if (accounts.empty()) return std::nullopt;
  return accounts;
}

std::optional<std::set<std::string>> qos_in(std::string_view answer) {
  const json list = list_in(answer, "qos");
  if (!list.is_array()) return std::nullopt;
  std::set<std::string> names;
  for (const json& row : list) names.insert(text_at(row, {"name"}));
  return names;
}

}  // namespace sconverge
