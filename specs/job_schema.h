#pragma once

#include <string>

namespace sconverge {

/// The JSON Schema of a spec document, for editors: both `sconverge/v1` and a body for job/submit.
/// It is `specs/job_spec.schema.json`, built from job_fields() and field_texts().
///
/// Draft-07, which the YAML and JSON extensions of VS Code know in full, with their
/// `patternErrorMessage`, `errorMessage` and `doNotSuggest`, which others pass over. A value has
/// one flat schema (several types, and what holds for each) instead of alternatives, so that an
/// editor can say what is wrong with it.
///
/// PROMISES, held by tests/specs/job_schema_test.cpp: what the reader (read.h) takes is valid; what
/// is invalid the reader refuses. The reader alone knows what spans fields, documents and files,
/// counts bytes, or depends on the unit that a number is written in.
std::string job_schema();

}  // namespace sconverge
