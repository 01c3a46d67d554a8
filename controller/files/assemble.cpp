#include "controller/files/assemble.h"

#include <algorithm>
#include <map>

namespace sconverge {
namespace {

constexpr std::size_t kRevisionDigits = 12;

struct Declaration {
  const TakenEntry* taken;
  int line;  // 0: unknown
};

using Declarations = std::map<SpecName, std::vector<Declaration>>;

int line_of(const LoadedFile& file, const SpecName& name) {
  for (const JobSpecPtr& spec : file.specs) {
    if (spec->name == name) return spec->line;
  }
  return 0;
}

Declarations declarations_of(const std::vector<TakenEntry>& entries) {
  Declarations declarations;
  for (const TakenEntry& taken : entries) {
    if (taken.file == nullptr) continue;
    // A name used twice in one file has been reported by its reader.
    const std::set<SpecName> names(taken.file->names.begin(), taken.file->names.end());
    for (const SpecName& name : names) {
      declarations[name].push_back({&taken, line_of(*taken.file, name)});
    }
  }
  return declarations;
}

std::string place_of(const Declaration& declaration) {
  const std::string& path = declaration.taken->entry->path;
  return declaration.line > 0 ? path + ":" + std::to_string(declaration.line) : path;
}

Problem duplicate(const SpecName& name, const std::vector<Declaration>& all, std::size_t self) {
  std::string others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != self) others += (others.empty() ? "" : " and ") + place_of(all[i]);
  }
  return {all[self].taken->entry->path,
          all[self].line,
          0,
          "metadata.name",
          "\"" + to_text(name) + "\" is also declared in " + others,
          "give one of them another name, or remove it",
          ProblemKind::Duplicate};
}

using FileProblems = std::map<std::string, std::vector<Problem>>;  // by path

FileProblems problems_of(const std::vector<TakenEntry>& entries, const Declarations& declarations) {
  FileProblems problems;
  for (const TakenEntry& taken : entries) {
    if (taken.problem) problems[taken.entry->path].push_back(*taken.problem);
    if (taken.file == nullptr || taken.file->problems.empty()) continue;
    problems[taken.entry->path] = taken.file->problems;
  }
  for (const auto& [name, all] : declarations) {
    for (std::size_t i = 0; all.size() > 1 && i < all.size(); ++i) {
      problems[all[i].taken->entry->path].push_back(duplicate(name, all, i));
    }
  }
  return problems;
}

std::string digest_of(const std::vector<TakenEntry>& entries) {
  std::string lines;
  for (const TakenEntry& taken : entries) {
    if (taken.file == nullptr || taken.file->ignored) continue;
    lines += taken.entry->path;
    lines += '\0';
    lines += taken.file->digest;
    lines += '\n';
  }
  return "sha256:" + sha256_hex(lines).substr(0, kRevisionDigits);
}

}  // namespace

Desired assemble(const std::vector<TakenEntry>& entries, int ignored_files) {
  Desired desired;
  desired.ignored_files = ignored_files;
  const Declarations declarations = declarations_of(entries);
  const FileProblems problems = problems_of(entries, declarations);
  for (const TakenEntry& taken : entries) {
    const bool refused = problems.contains(taken.entry->path);
    if (taken.file != nullptr) {
      desired.notes.insert(desired.notes.end(), taken.file->notes.begin(), taken.file->notes.end());
    }
    if (refused && (taken.file == nullptr || !taken.file->names_known)) desired.names_known = false;
    if (taken.file == nullptr || refused) continue;
    if (taken.file->ignored) {
      ++desired.ignored_files;
      continue;
    }
    ++desired.valid_files;
    for (const JobSpecPtr& spec : taken.file->specs) desired.specs.emplace(spec->name, spec);
  }
  for (const auto& [path, list] : problems) {
    desired.invalid_files.insert(path);
    desired.problems.insert(desired.problems.end(), list.begin(), list.end());
  }
  for (const auto& [name, all] : declarations) {
    for (const Declaration& declaration : all) {
      const auto found = problems.find(declaration.taken->entry->path);
      if (found == problems.end()) continue;
      std::vector<Problem>& why = desired.invalid[name];
      why.insert(why.end(), found->second.begin(), found->second.end());
    }
  }
  desired.revision = digest_of(entries);
  return desired;
}

}  // namespace sconverge
