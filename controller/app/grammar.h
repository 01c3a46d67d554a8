#pragma once

#include <string>
#include <vector>

namespace sconverge {

/// What can stand where an argument takes a value.
enum class ValueKind {
  Free,   ///< nothing that could be listed
  Words,  ///< a closed set, in `GrammarArgument::words`
  File,
  Directory,
  Spec,       ///< "name" or "namespace/name" of a spec in the state directory
  Namespace,  ///< of one there
  Field,      ///< of a spec file, as `explain` takes it
  Cluster,    ///< a configured one
};

/// A flag, or an argument that is known by its place.
struct GrammarArgument {
  std::vector<std::string> names{};  ///< "-o", "--output"; none if it goes by its place
  std::string value{};  ///< placeholder of what it takes, e.g. "FILE"; empty: a flag without value
  std::string help{};
  bool is_setting{false};  ///< one of settings(), or the file with them
  bool required{false};
  bool repeatable{false};
  ValueKind kind{ValueKind::Free};
  std::vector<std::string> words{};

  [[nodiscard]] bool is_positional() const { return names.empty(); }
  friend bool operator==(const GrammarArgument&, const GrammarArgument&) = default;
};

struct GrammarVerb {
  std::string name{};
  std::string help{};
  std::string example{};  ///< lines
  std::vector<GrammarArgument> arguments{};
};

/// The command line as data: what manual pages and completions are made from. It is read off the
/// parser itself, so that none of them can say what the parser does not take.
struct Grammar {
  std::string program{};
  std::string help{};
  std::string version{};
  std::vector<GrammarArgument> arguments{};
  std::vector<GrammarVerb> verbs{};  ///< in the order of `--help`
};

/// Null if no flag of these is called so.
const GrammarArgument* find_flag(const std::vector<GrammarArgument>& arguments,
                                 const std::string& name);

/// Null if there is no such verb.
const GrammarVerb* find_verb(const Grammar& grammar, const std::string& name);

/// "[OPTION]... METHOD PATH [BODY]": what follows a verb's name.
std::string synopsis(const GrammarVerb& verb);

}  // namespace sconverge
