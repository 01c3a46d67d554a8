#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "controller/app/grammar.h"

namespace sconverge {

/// One way to go on.
struct Candidate {
  std::string word;         ///< the whole word that would stand there
  std::string description;  ///< one line; may be empty

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// What could stand at the end of a line that is being typed.
struct Completion {
  /// What the shell, which knows paths and how to quote them best, adds by itself.
  enum class Paths { None, Files, Directories };
  Paths paths{Paths::None};
  std::vector<Candidate> candidates{};
};

/// Names that are not in the grammar, for a kind of value: `flags` is what the line says so far,
/// by name without the dashes; `word` what has been typed of the name.
using KnownNames = std::function<std::vector<Candidate>(
    ValueKind kind, const std::map<std::string, std::vector<std::string>>& flags,
    const std::string& word)>;

/// Completes the last of `words`, which may be empty. `words` are without the program's name.
/// Candidates begin with that word. Total: of a line that makes no sense there is nothing to say.
Completion complete(const Grammar& grammar, const std::vector<std::string>& words,
                    const KnownNames& known_names);

/// For a shell's script: a line "values", "files" or "directories", then a line for each candidate:
/// the word, and after a tab its description, if there is one.
std::string to_text(const Completion& completion);

/// The script that makes a shell ask `sconverge __complete WORD...`; empty if it is no shell of
/// ours.
std::string_view completion_script(std::string_view shell);

/// The shells that there is a script for.
std::vector<std::string> completion_shells();

}  // namespace sconverge
