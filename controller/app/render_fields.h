#pragma once

#include <string>
#include <vector>

#include "controller/app/document.h"
#include "controller/app/table.h"
#include "specs/field_text.h"

namespace sconverge {

// What `sconverge explain` prints.

using FieldTexts = std::vector<const FieldText*>;

/// A line for each field.
std::string fields_table(const FieldTexts& fields, Paint paint);

/// Everything about one field in lines of at most 80 columns, with an example as it stands in a
/// document; of a map also its fields.
std::string field_page(const FieldText& field, Paint paint);

/// {"kind": "FieldList", "fields": [...]}, with all that is known of each.
std::string fields_document(const FieldTexts& fields, DocumentFormat format);

}  // namespace sconverge
