#include "controller/app/render_spec.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "controller/app/document_text.h"
#include "controller/app/time_text.h"
#include "specs/job_field.h"
#include "specs/sbatch_options.h"

namespace sconverge {
namespace {

using Json = nlohmann::ordered_json;

// `number` of `small` units, in `large` ones of `factor` each where nothing is lost by it.
std::string in_units(std::int64_t number, std::int64_t factor, char small, char large) {
  const bool whole = number != 0 && number % factor == 0;
  return std::to_string(whole ? number / factor : number) + (whole ? large : small);
}

Json number_json(std::int64_t number, FieldKind kind) {
  switch (kind) {
    case FieldKind::Minutes:
      return in_units(number, 60, 'm', 'h');
    case FieldKind::Seconds:
      return in_units(number, 60, 's', 'm');
    case FieldKind::Mebibytes:
    case FieldKind::MebibytesInt:
      return in_units(number, 1024, 'M', 'G');
    case FieldKind::Timestamp:
      return time_text(TimePoint{seconds{number}});
    case FieldKind::ArrayIndexes:
    case FieldKind::Text:
    case FieldKind::Flag:
    case FieldKind::Integer:
    case FieldKind::Number:
    case FieldKind::TextList:
    case FieldKind::Environment:
    case FieldKind::NodeCount:
      break;
  }
  return number;
}

Json list_json(const std::vector<std::string>& list, FieldKind kind) {
  if (kind != FieldKind::Environment) return list;
  Json variables = Json::object();
  for (const auto& variable : list) {
    const auto equals = variable.find('=');
    variables[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  return variables;
}

Json field_json(std::string_view name, const FieldValue& value) {
  const JobField* field = find_job_field(name);
  const FieldKind kind = field == nullptr ? FieldKind::Text : field->kind;
  struct Writer {
    FieldKind kind;
    Json operator()(bool flag) const { return flag; }
    Json operator()(std::int64_t number) const { return number_json(number, kind); }
    Json operator()(Unlimited) const { return "UNLIMITED"; }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(const std::vector<std::string>& list) const { return list_json(list, kind); }
  };
  return std::visit(Writer{kind}, value);
}

Json metadata_json(const JobSpec& spec) {
  Json metadata{{"name", spec.name.name}};
  if (spec.name.name_space != "default") metadata["namespace"] = spec.name.name_space;
  if (!spec.labels.empty()) metadata["labels"] = spec.labels;
  if (!spec.annotations.empty()) metadata["annotations"] = spec.annotations;
  return metadata;
}

// Whether a directive of the script suspends a spec that says nothing of it.
bool asks_to_hold(std::string_view script) {
  const auto options = read_sbatch_options(script).options;
  return std::any_of(options.begin(), options.end(),
                     [](const SbatchOption& option) { return option.name == "hold"; });
}

}  // namespace

std::string spec_yaml(const JobSpec& spec) {
  Json body = Json::object();
  if (!spec.cluster.empty()) body["cluster"] = spec.cluster;
  if (!spec.job.empty()) {
    Json& job = body["job"] = Json::object();
    for (const auto& [name, value] : spec.job) job[name] = field_json(name, value);
  }
  if (spec.inherit_environment == std::vector{std::string(kWholeEnvironment)}) {
    body["inheritEnvironment"] = true;
  } else if (!spec.inherit_environment.empty()) {
    body["inheritEnvironment"] = spec.inherit_environment;
  }
  if (spec.suspend || asks_to_hold(spec.script)) body["suspend"] = spec.suspend;
  if (spec.on_delete == OnDelete::Orphan) body["onDelete"] = "Orphan";
  body["script"] = spec.script;
  const Json document{{"apiVersion", "sconverge/v1"},
                      {"kind", "Job"},
                      {"metadata", metadata_json(spec)},
                      {"spec", std::move(body)}};
  return document_text(document.dump(), /*as_yaml=*/true);
}

}  // namespace sconverge
