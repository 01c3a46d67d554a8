#include "specs/job_schema.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "specs/array_indexes.h"
#include "specs/document.h"
#include "specs/field_text.h"
#include "specs/value_pattern.h"
#include "specs/walk.h"

namespace sconverge {
namespace {

using Json = nlohmann::ordered_json;

Json pattern(std::string text) { return {{"type", "string"}, {"pattern", std::move(text)}}; }

/// Adds integers in the range of the field; `minimum` and `maximum` say nothing about text.
Json number(const JobField& field, Json types, const std::string& text_pattern = "") {
  Json schema{{"type", std::move(types)}, {"minimum", field.minimum}};
  if (field.maximum < std::numeric_limits<std::int64_t>::max()) schema["maximum"] = field.maximum;
  if (!text_pattern.empty()) schema["pattern"] = text_pattern;
  return schema;
}

/// The same, or as the REST API writes it (number_struct.h).
Json rest_number(const JobField& field, Json types, const std::string& text_pattern = "") {
  types.push_back("object");
  Json schema = number(field, std::move(types), text_pattern);
  const char* kind = field.kind == FieldKind::Minutes ? "restDuration" : "restNumber";
  schema["allOf"] = Json::array({{{"$ref", "#/definitions/" + std::string(kind)}}});
  return schema;
}

Json list(const JobField& field) {
  Json items{{"type", "string"}};
  if (field.words.empty()) {
    items["minLength"] = 1;
  } else {
    items["enum"] = words_of(field);
  }
  return {{"type", "array"}, {"minItems", 1}, {"items", std::move(items)}};
}

/// In one text, or as a list of such texts.
Json array_indexes() {
  const Json task{{"type", {"integer", "string"}},
                  {"minimum", 0},
                  {"maximum", kMaxArrayIndex},
                  {"maxLength", kMaxArrayText},
                  {"pattern", array_pattern()}};
  Json schema = task;
  schema["type"].push_back("array");
  schema["minItems"] = 1;
  schema["items"] = task;
  return schema;
}

Json environment() {
  return {{"type", {"object", "array"}},
          {"minProperties", 1},
          {"propertyNames", {{"pattern", variable_pattern()}}},
          {"additionalProperties", {{"type", {"string", "number"}}}},
          {"minItems", 1},
          {"items", pattern(assignment_pattern())}};
}

Json text(const JobField& field) {
  Json schema{{"type", "string"}, {"minLength", 1}, {"maxLength", field.maximum}};
  if (field.name == "current_working_directory") schema["pattern"] = "^/";
  return schema;
}

Json job_value(const JobField& field) {
  switch (field.kind) {
    case FieldKind::Text:
      return text(field);
    case FieldKind::Flag:
      return {{"type", "boolean"}};
    case FieldKind::Integer:
      return number(field, "integer");
    case FieldKind::Number:
      return rest_number(field, {"integer"});
    case FieldKind::Minutes:
      return rest_number(field, {"integer", "string"}, minutes_pattern());
    case FieldKind::Seconds:
      return number(field, {"integer", "string"}, seconds_pattern());
    case FieldKind::Mebibytes:
      return rest_number(field, {"integer", "string"}, size_pattern());
    case FieldKind::MebibytesInt:
      return number(field, {"integer", "string"}, size_pattern());
    case FieldKind::Timestamp:
      return rest_number(field, {"integer", "string"}, time_pattern());
    case FieldKind::TextList:
      return list(field);
    case FieldKind::ArrayIndexes:
      return array_indexes();
    case FieldKind::Environment:
      return environment();
    case FieldKind::NodeCount:
      return number(field, {"integer", "string"}, nodes_pattern());
  }
  return Json::object();
}

/// What a field outside of `spec.job` takes; null if it is a map of fields that are told by name.
Json document_value(std::string_view path) {
  if (path == "apiVersion") return {{"const", "sconverge/v1"}};
  if (path == "kind") return {{"const", "Job"}};
  if (path == "metadata.name") return pattern(name_pattern());
  if (path == "metadata.namespace") {
    return {{"type", "string"}, {"pattern", name_pattern()}, {"default", "default"}};
  }
  if (path == "metadata.labels") {
    return {{"type", "object"},
            {"propertyNames", {{"pattern", label_key_pattern()}}},
            {"additionalProperties", pattern(label_value_pattern())}};
  }
  if (path == "metadata.annotations") {
    return {{"type", "object"},
            {"propertyNames", {{"pattern", annotation_key_pattern()}}},
            {"additionalProperties", {{"type", "string"}}}};
  }
  if (path == "metadata.annotations.sconverge/protect") return {{"enum", {"true", "false"}}};
  if (path == "spec.cluster") return pattern(cluster_pattern());
  if (path == "spec.inheritEnvironment") {
    return {{"type", {"boolean", "array"}}, {"items", pattern(variable_pattern())}};
  }
  if (path == "spec.script") return pattern("^#!");
  if (path == "spec.scriptFile") return pattern(path_below_pattern());
  if (path == "spec.suspend") return {{"type", "boolean"}, {"default", false}};
  if (path == "spec.onChange") return {{"enum", {"Queue"}}, {"default", "Queue"}};
  if (path == "spec.onDelete") return {{"enum", {"Cancel", "Orphan"}}, {"default", "Cancel"}};
  return nullptr;
}

Json json_of(const DocumentNode& node) {
  switch (node.kind) {
    case NodeKind::Null:
      return nullptr;
    case NodeKind::Sequence: {
      Json out = Json::array();
      for (const auto* item : node.items) out.push_back(json_of(*item));
      return out;
    }
    case NodeKind::Map: {
      Json out = Json::object();
      for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
        out[node.items[i]->text] = json_of(*node.items[i + 1]);
      }
      return out;
    }
    case NodeKind::Scalar:
      break;
  }
  if (node.plain && plain_type(node.text) != PlainType::Text) {
    return Json::parse(node.text, nullptr, false);
  }
  return node.text;
}

/// The value in a field's example, which a test holds to be valid YAML.
Json example_of(const FieldText& field) {
  ProblemSink problems("");
  const Documents documents = parse_documents(field.example, false, problems);
  return json_of(*documents.roots.at(0)->items.at(1));
}

std::string description_of(const FieldText& field) {
  std::string out = field.summary;
  if (!field.details.empty()) out += "\n" + field.details;
  out += "\nTakes: " + field.forms;
  if (!field.option.empty()) out += "\nsbatch: " + field.option;
  if (field.job_field != nullptr && field.job_field->since != "v0.0.40") {
    out += "\nSlurm REST API: from " + std::string(field.job_field->since);
  }
  return out;
}

bool is_child(std::string_view path, std::string_view parent) {
  if (parent.empty()) return path.find('.') == path.npos;
  return path.size() > parent.size() && path.starts_with(parent) && path[parent.size()] == '.' &&
         path.find('.', parent.size() + 1) == path.npos;
}

Json schema_of(const FieldText& field);

/// `properties` and `required` of the map at `parent`; what is no property of it is refused, unless
/// the map has said otherwise.
void put_children(Json& map, std::string_view parent) {
  Json required = Json::array();
  for (const FieldText& field : field_texts()) {
    if (!is_child(field.path, parent)) continue;
    const std::string key = field.path.substr(parent.empty() ? 0 : parent.size() + 1);
    const bool shared = field.path == "spec.job" || field.path == "spec.script";
    map["properties"][key] = shared ? Json{{"$ref", "#/definitions/" + key}} : schema_of(field);
    if (field.required) required.push_back(key);
  }
  if (!required.empty()) map["required"] = std::move(required);
  if (!map.contains("additionalProperties")) map["additionalProperties"] = false;
}

/// Fields that are known and refused are told with their remedy instead of as unknown. No value is
/// null and not null; so written, editors show the message, which they do not for `not` alone.
void put_refused(Json& job) {
  for (const RefusedField& field : refused_fields()) {
    const std::string told = std::string(field.what) + " (" + std::string(field.remedy) + ")";
    job["properties"][std::string(field.name)] = {{"description", told},
                                                  {"type", "null"},
                                                  {"not", {{"type", "null"}}},
                                                  {"errorMessage", told},
                                                  {"doNotSuggest", true}};
  }
}

Json schema_of(const FieldText& field) {
  Json schema{{"description", description_of(field)}};
  const Json value =
      field.job_field != nullptr ? job_value(*field.job_field) : document_value(field.path);
  if (value.is_null()) {
    schema["type"] = "object";
  } else {
    schema.update(value);
  }
  if (schema.contains("pattern")) schema["patternErrorMessage"] = "Takes: " + field.forms;
  if (field.type == "map") {
    put_children(schema, field.path);
  } else {
    schema["examples"] = Json::array({example_of(field)});
  }
  if (field.path == "spec.job") put_refused(schema);
  if (field.path == "spec") {
    schema["oneOf"] = {{{"required", {"script"}}}, {{"required", {"scriptFile"}}}};
  }
  return schema;
}

Json required(std::initializer_list<const char*> keys) { return {{"required", keys}}; }

/// {set, infinite, number}. `number` without `set: true` is refused: slurmrestd leaves it out
/// without a word (Slurm 24.11).
Json number_struct(bool may_be_infinite) {
  const auto says = [](const char* key, bool value) {
    return Json{{"properties", {{key, {{"const", value}}}}}, {"required", {key}}};
  };
  Json number_is_set = says("set", true);
  number_is_set["required"].push_back("number");
  Json ways = Json::array({std::move(number_is_set),
                           says("set", false),
                           {{"not", {{"anyOf", {required({"set"}), required({"number"})}}}}}});
  if (may_be_infinite) ways.push_back(says("infinite", true));
  Json infinite{{"type", "boolean"}};
  if (!may_be_infinite) infinite["const"] = false;
  return {{"properties",
           {{"set", {{"type", "boolean"}}},
            {"infinite", std::move(infinite)},
            {"number", {{"type", {"integer", "string"}}}}}},
          {"additionalProperties", false},
          {"anyOf", std::move(ways)}};
}

Json definitions() {
  Json document{{"type", "object"}};
  put_children(document, "");
  Json body{
      {"type", "object"},
      {"description", "A body for the REST API's job/submit, alone in its file."},
      {"properties",
       {{"job", {{"$ref", "#/definitions/job"}}}, {"script", {{"$ref", "#/definitions/script"}}}}},
      {"required", {"job", "script"}},
      {"additionalProperties", false}};
  return {{"specDocument", std::move(document)},
          {"submitBody", std::move(body)},
          {"job", schema_of(*find_field_text("spec.job"))},
          {"script", schema_of(*find_field_text("spec.script"))},
          {"restNumber", number_struct(false)},
          {"restDuration", number_struct(true)}};
}

}  // namespace

std::string job_schema() {
  // As the reader tells the two apart (is_api_body): only one of them is held against the text.
  const Json is_body{{"anyOf", {required({"job"}), required({"jobs"})}},
                     {"not", {{"anyOf", {required({"apiVersion"}), required({"kind"})}}}}};
  const Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                    {"title", "sconverge spec"},
                    {"description",
                     "A job that sconverge keeps as declared: kind Job of sconverge/v1, or a body "
                     "for job/submit of Slurm's REST API."},
                    {"type", "object"},
                    {"if", is_body},
                    {"then", {{"$ref", "#/definitions/submitBody"}}},
                    {"else", {{"$ref", "#/definitions/specDocument"}}},
                    {"definitions", definitions()}};
  return schema.dump(2) + "\n";
}

}  // namespace sconverge
