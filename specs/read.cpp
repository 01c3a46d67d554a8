#include "specs/read.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "specs/api_body.h"
#include "specs/document.h"
#include "specs/sbatch_file.h"
#include "specs/spec_document.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

// What forbids even to look for documents.
std::optional<Problem> unreadable(std::string_view text) {
  const auto problem = [](int line, std::string what, std::string remedy, ProblemKind kind) {
    return Problem{.file = "",
                   .line = line,
                   .column = 0,
                   .field = "",
                   .what = std::move(what),
                   .remedy = std::move(remedy),
                   .kind = kind};
  };
  const auto line_of = [&](std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  };
  if (text.size() > kMaxSpecFileBytes) {
    return problem(0, "the file is larger than 1 MiB",
                   "split it, or keep scripts in files of their own", ProblemKind::TooLarge);
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    return problem(1, "the file begins with a byte order mark", "save it as UTF-8 without one",
                   ProblemKind::Syntax);
  }
  if (const auto at = first_invalid_utf8(text)) {
    return problem(line_of(*at), "the file is not UTF-8", "save it as UTF-8", ProblemKind::Syntax);
  }
  if (const auto at = text.find('\0'); at != std::string_view::npos) {
    return problem(line_of(at), "the file holds a NUL character", "save it as plain text",
                   ProblemKind::Syntax);
  }
  return std::nullopt;
}

// Reads all documents of a file into `result`; false if some name could not be told.
bool read_documents(const Documents& documents, const std::string& file, const ScriptReader& script,
                    ProblemSink& problems, SpecFile& result) {
  bool names_known = documents.whole;
  std::map<SpecName, int> first_lines;
  for (const DocumentNode* root : documents.roots) {
    const bool body = is_api_body(*root);
    SpecDocument document = body ? read_api_body(*root, file, problems)
                                 : read_spec_document(*root, script, result.script_files, problems);
    if (body && documents.roots.size() > 1) {
      problems.add({.file = "",
                    .line = root->line,
                    .column = root->column,
                    .field = "",
                    .what = "a body for job/submit stands beside other documents, and has no name "
                            "but the file's",
                    .remedy = "put it into a file of its own"});
    }
    if (!document.name) {
      names_known = false;
      continue;
    }
    const auto [first, is_new] = first_lines.emplace(*document.name, document.name_node->line);
    if (is_new) {
      result.names.push_back(*document.name);
    } else {
      problems.add({.file = "",
                    .line = document.name_node->line,
                    .column = document.name_node->column,
                    .field = "metadata.name",
                    .what = to_text(*document.name) + " is declared twice, first in line " +
                            std::to_string(first->second),
                    .remedy = "give one of them another name or namespace",
                    .kind = ProblemKind::Duplicate});
    }
    result.specs.push_back(std::move(document.spec));
  }
  return names_known;
}

// An sbatch script: what its options of sconverge stand for, and the script itself.
void read_sbatch(std::string_view text, const std::string& file, ProblemSink& problems,
                 SpecFile& result) {
  const SbatchDocument document = read_sbatch_document(text, file, problems);
  const ScriptReader no_other_file = [](const std::string&) {
    return ScriptText{.text = "", .error = "the script is the file itself"};
  };
  SpecDocument read = read_spec_document(*document.root, no_other_file, result.script_files,
                                         problems, ScriptForm::Sbatch);
  result.names_known = read.name.has_value();
  if (read.name) result.names.push_back(*read.name);
  result.specs.push_back(std::move(read.spec));
}

void read_yaml(std::string_view text, const std::string& file, const ScriptReader& script,
               ProblemSink& problems, SpecFile& result) {
  const Documents documents = parse_documents(text, file.ends_with(".json"), problems);
  result.names_known = read_documents(documents, file, script, problems, result);
  if (!documents.whole || !documents.roots.empty()) return;
  problems.add({.file = "",
                .line = 0,
                .column = 0,
                .field = "",
                .what = "the file declares nothing",
                .remedy = "write a spec in it, or remove it"});
  result.names_known = false;
}

// Reads text that is fit to be read with `read`, and takes it whole or not at all.
template <typename Read>
SpecFile read_file(std::string_view text, const std::string& file, const Read& read) {
  SpecFile result;
  ProblemSink problems(file);
  if (auto problem = unreadable(text)) {
    problems.add(std::move(*problem));
    result.names_known = false;
  } else {
    read(problems, result);
  }
  if (!problems.empty()) result.specs.clear();
  for (JobSpec& spec : result.specs) spec.file = file;
  result.notes = problems.take_notes();
  result.problems = problems.take();
  return result;
}

}  // namespace

SpecFile read_spec_file(std::string_view text, const std::string& file,
                        const ScriptReader& script) {
  if (is_sbatch_name(file)) {
    if (is_sbatch_spec(text)) return read_sbatch_script(text, file);
    SpecFile somebodys;
    somebodys.ignored = true;
    return somebodys;
  }
  return read_file(text, file, [&](ProblemSink& problems, SpecFile& result) {
    read_yaml(text, file, script, problems, result);
  });
}

SpecFile read_sbatch_script(std::string_view text, const std::string& file) {
  return read_file(text, file, [&](ProblemSink& problems, SpecFile& result) {
    read_sbatch(text, file, problems, result);
  });
}

}  // namespace sconverge
