#include "controller/slurm/wire_write.h"

#include <nlohmann/json.hpp>

#include "specs/array_indexes.h"
#include "specs/job_field.h"

namespace sconverge {
namespace {

using nlohmann::json;

/// Whether REST wants {set, infinite, number}.
bool is_struct(FieldKind kind) {
  switch (kind) {
    case FieldKind::Number:
    case FieldKind::Minutes:
    case FieldKind::Mebibytes:
    case FieldKind::Timestamp:
      return true;
    case FieldKind::Text:
    case FieldKind::Flag:
    case FieldKind::Integer:
    case FieldKind::Seconds:
    case FieldKind::MebibytesInt:
    case FieldKind::TextList:
    case FieldKind::Environment:
    case FieldKind::NodeCount:
    case FieldKind::ArrayIndexes:
      return false;
  }
  return false;
}

struct Writer {
  bool as_struct;

  json operator()(bool value) const { return value; }
  json operator()(std::int64_t value) const {
    if (!as_struct) return value;
    return {{"set", true}, {"infinite", false}, {"number", value}};
  }
  json operator()(Unlimited) const { return {{"set", true}, {"infinite", true}, {"number", 0}}; }
  json operator()(const std::string& value) const { return value; }
  json operator()(const std::vector<std::string>& value) const { return value; }
};

json description_of(const JobFields& fields) {
  json job = json::object();
  for (const auto& [name, value] : fields) {
    const JobField* field = find_job_field(name);
    job[name] = std::visit(Writer{field != nullptr && is_struct(field->kind)}, value);
  }
  return job;
}

std::string text_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string submit_body(const Submission& submission) {
  return text_of({{"job", description_of(submission.fields)}, {"script", submission.script}});
}

std::string update_body(const JobFields& fields) {
  json job = description_of(fields);
  // Of an array's text Slurm 24.11 reads only a number, as the new throttle, and any other as none.
  if (const auto array = job.find("array"); array != job.end() && array->is_string()) {
    const auto known = read_array(array->get_ref<const std::string&>());
    *array = std::to_string(known ? known->throttle : 0);
  }
  return text_of(job);
}

std::string hold_body(bool hold) { return text_of({{"hold", hold}}); }

}  // namespace sconverge
