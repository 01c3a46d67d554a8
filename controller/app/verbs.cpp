#include "controller/app/verbs.h"

#include <ostream>

#include "controller/app/printable.h"

namespace sconverge {

DocumentFormat document_format(OutputFormat format) {
  return format == OutputFormat::Yaml ? DocumentFormat::Yaml : DocumentFormat::Json;
}

ExitCode fail(const Console& console, const std::string& message, ExitCode code) {
  console.err << console.err_paint()(Style::Red, "sconverge:") << " " << printable(message) << "\n";
  return code;
}

void warn(const Console& console, const std::string& message) {
  console.err << console.err_paint()(Style::Yellow, "warning:") << " " << printable(message)
              << "\n";
}

ExitCode exit_code_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::Unavailable:
    case ErrorKind::Unknown:
      return ExitCode::SlurmUnreachable;
    case ErrorKind::Rejected:
    case ErrorKind::Denied:
      return ExitCode::Error;
  }
  std::abort();
}

}  // namespace sconverge
