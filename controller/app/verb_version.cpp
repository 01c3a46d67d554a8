#include <ostream>

#include "controller/app/verbs.h"

#ifndef SCONVERGE_VERSION
#define SCONVERGE_VERSION "unknown"
#endif
#ifndef SCONVERGE_REVISION
#define SCONVERGE_REVISION "unknown"
#endif

namespace sconverge {

BuildInfo build_info() { return {SCONVERGE_VERSION, SCONVERGE_REVISION, "g++ " __VERSION__}; }

ExitCode verb_version(OutputFormat output, const Console& console) {
  const BuildInfo build = build_info();
  if (output == OutputFormat::Table) {
    console.out << "sconverge " << build.version << " (" << build.revision << ", " << build.compiler
                << ")\n";
  } else {
    console.out << build_document(build, document_format(output));
  }
  return ExitCode::Ok;
}

}  // namespace sconverge
