#include "controller/app/grammar.h"

#include <algorithm>

namespace sconverge {

const GrammarArgument* find_flag(const std::vector<GrammarArgument>& arguments,
                                 const std::string& name) {
  const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const auto& argument) {
    return std::find(argument.names.begin(), argument.names.end(), name) != argument.names.end();
  });
  return found == arguments.end() ? nullptr : &*found;
}

const GrammarVerb* find_verb(const Grammar& grammar, const std::string& name) {
  const auto found = std::find_if(grammar.verbs.begin(), grammar.verbs.end(),
                                  [&](const auto& verb) { return verb.name == name; });
  return found == grammar.verbs.end() ? nullptr : &*found;
}

std::string synopsis(const GrammarVerb& verb) {
  std::string text = "[OPTION]...";
  for (const auto& argument : verb.arguments) {
    if (!argument.is_positional()) continue;
    const std::string word = argument.required ? argument.value : "[" + argument.value + "]";
    text += " " + word + (argument.repeatable ? "..." : "");
  }
  return text;
}

}  // namespace sconverge
