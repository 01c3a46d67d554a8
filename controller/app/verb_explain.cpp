#include <ostream>

#include "controller/app/render_fields.h"
#include "controller/app/verbs.h"
#include "specs/job_schema.h"
#include "specs/near_miss.h"

namespace sconverge {
namespace {

/// The fields that people mean by `name`: a field's path or its end, or an option of sbatch's.
FieldTexts meant_by(const std::string& name) {
  FieldTexts fields = fields_named(name);
  return fields.empty() ? fields_of_option(name) : fields;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

/// What to say of a name that is no field's: why it is refused, or what was probably meant.
std::string why_not(const std::string& name) {
  if (const RefusedField* refused = find_refused_field(last_part(name))) {
    return "spec.job." + std::string(refused->name) + ": " + std::string(refused->what) + " (" +
           std::string(refused->remedy) + ")";
  }
  std::vector<std::string_view> known;
  for (const FieldText& field : field_texts()) {
    known.push_back(field.path);
    known.push_back(last_part(field.path));
  }
  auto near = near_miss(name, known);
  if (near.empty()) near = near_miss(last_part(name), known);
  return "no field is called `" + name + "` (" +
         (near.empty() ? "" : "did you mean `" + std::string(near) + "`? ") +
         "sconverge explain lists them all)";
}

}  // namespace

ExitCode verb_explain(const ExplainOptions& options, const Console& console) {
  ExitCode code = ExitCode::Ok;
  if (options.output == OutputFormat::Schema) {
    if (!options.fields.empty()) {
      return fail(console, "-o schema is about all fields; leave out the names", ExitCode::Usage);
    }
    console.out << job_schema();
    return code;
  }
  FieldTexts fields;
  for (const auto& name : options.fields) {
    const FieldTexts meant = meant_by(name);
    if (meant.empty()) code = fail(console, why_not(name));
    fields.insert(fields.end(), meant.begin(), meant.end());
  }
  if (options.fields.empty()) {
    for (const FieldText& field : field_texts()) fields.push_back(&field);
  }
  if (options.output != OutputFormat::Table) {
    console.out << fields_document(fields, document_format(options.output));
  } else if (options.fields.empty()) {
    console.out << fields_table(fields, console.out_paint());
  } else {
    for (const FieldText* field : fields) {
      console.out << (field == fields.front() ? "" : "\n")
                  << field_page(*field, console.out_paint());
    }
  }
  return code;
}

}  // namespace sconverge
