#include "controller/app/completion.h"

#include <algorithm>
#include <optional>

namespace sconverge {
namespace {

using Flags = std::map<std::string, std::vector<std::string>>;

bool is_long(const std::string& word) { return word.size() > 2 && word.starts_with("--"); }
bool is_short(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '-';
}

std::string without_dashes(const std::string& name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

/// The line up to the word that is being typed.
struct Line {
  const GrammarVerb* verb{nullptr};
  Flags flags{};                           ///< by the longest of a flag's names
  std::vector<std::string> positionals{};  ///< without the verb
  const GrammarArgument* awaits{nullptr};  ///< the flag whose value comes next
  bool only_positionals{false};            ///< after "--"
};

class Reader {
 public:
  explicit Reader(const Grammar& grammar) : grammar_(grammar) {}

  /// Nothing if the line is none of ours.
  std::optional<Line> read(const std::vector<std::string>& words) {
    for (const auto& word : words) {
      if (!take(word)) return std::nullopt;
    }
    return line_;
  }

 private:
  bool take(const std::string& word) {
    if (line_.awaits != nullptr) {
      note(*line_.awaits, word);
      line_.awaits = nullptr;
      return true;
    }
    if (!line_.only_positionals && word == "--") return line_.only_positionals = true;
    if (!line_.only_positionals && (is_long(word) || is_short(word))) return flag(word);
    if (line_.verb != nullptr) {
      line_.positionals.push_back(word);
      return true;
    }
    line_.verb = find_verb(grammar_, word);
    return line_.verb != nullptr;
  }

  bool flag(const std::string& word) {
    const auto& arguments = line_.verb != nullptr ? line_.verb->arguments : grammar_.arguments;
    const auto equals = is_long(word) ? word.find('=') : std::string::npos;
    const auto end = is_short(word) ? 2 : equals;  // "-ojson" is "-o" and its value
    const GrammarArgument* argument = find_flag(arguments, word.substr(0, end));
    if (argument == nullptr) return false;
    if (argument->value.empty()) {
      note(*argument, "");
    } else if (equals != std::string::npos) {
      note(*argument, word.substr(equals + 1));
    } else if (is_short(word) && word.size() > 2) {
      note(*argument, word.substr(2));
    } else {
      line_.awaits = argument;
    }
    return true;
  }

  void note(const GrammarArgument& argument, const std::string& value) {
    line_.flags[without_dashes(argument.names.back())].push_back(value);
  }

  const Grammar& grammar_;
  Line line_{};
};

/// The argument that the next word without dashes is for; null if there is no place left.
const GrammarArgument* next_positional(const Line& line) {
  std::size_t place = line.positionals.size();
  const GrammarArgument* last = nullptr;
  for (const auto& argument : line.verb->arguments) {
    if (!argument.is_positional()) continue;
    last = &argument;
    if (place-- == 0) return last;
  }
  return last != nullptr && last->repeatable ? last : nullptr;
}

class Completer {
 public:
  Completer(Line line, const KnownNames& known_names)
      : line_(std::move(line)), known_names_(known_names) {}

  Completion result(const Grammar& grammar, const std::string& word) {
    if (line_.awaits != nullptr) {
      values(*line_.awaits, word, "");
    } else if (!line_.only_positionals && word.starts_with("-")) {
      const auto& arguments = line_.verb != nullptr ? line_.verb->arguments : grammar.arguments;
      const auto equals = word.find('=');
      if (equals == std::string::npos) {
        flags(arguments, word);
      } else if (const auto* argument = find_flag(arguments, word.substr(0, equals))) {
        values(*argument, word.substr(equals + 1), word.substr(0, equals + 1));
      }
    } else if (line_.verb == nullptr) {
      for (const auto& verb : grammar.verbs) offer({verb.name, verb.help}, word, "");
    } else if (const auto* argument = next_positional(line_)) {
      values(*argument, word, "");
    } else if (word.empty()) {
      flags(line_.verb->arguments, "--");
    }
    return std::move(completion_);
  }

 private:
  void offer(const Candidate& candidate, const std::string& word, const std::string& prefix) {
    if (!candidate.word.starts_with(word)) return;
    completion_.candidates.push_back({prefix + candidate.word, candidate.description});
  }

  /// The long names, but those that were given and may not be given twice; a short one only to
  /// whoever typed it.
  void flags(const std::vector<GrammarArgument>& arguments, const std::string& word) {
    for (const auto& argument : arguments) {
      if (argument.is_positional()) continue;
      const bool given = line_.flags.count(without_dashes(argument.names.back())) != 0;
      if (given && !argument.repeatable) continue;
      for (const auto& name : argument.names) {
        if (is_long(name) || name == word) offer({name, argument.help}, word, "");
      }
    }
  }

  void values(const GrammarArgument& argument, const std::string& word, const std::string& prefix) {
    switch (argument.kind) {
      case ValueKind::Free:
        return;
      case ValueKind::Words:
        for (const auto& known : argument.words) offer({known, ""}, word, prefix);
        return;
      case ValueKind::File:
        completion_.paths = Completion::Paths::Files;
        return;
      case ValueKind::Directory:
        completion_.paths = Completion::Paths::Directories;
        return;
      case ValueKind::Spec:
      case ValueKind::Namespace:
      case ValueKind::Field:
      case ValueKind::Cluster:
        names(argument, word, prefix);
        return;
    }
  }

  void names(const GrammarArgument& argument, const std::string& word, const std::string& prefix) {
    const auto& typed = line_.positionals;
    for (const auto& name : known_names_(argument.kind, line_.flags, word)) {
      const bool again = argument.is_positional() &&
                         std::find(typed.begin(), typed.end(), name.word) != typed.end();
      if (!again) offer(name, word, prefix);
    }
  }

  Line line_;
  const KnownNames& known_names_;
  Completion completion_{};
};

}  // namespace

Completion complete(const Grammar& grammar, const std::vector<std::string>& words,
                    const KnownNames& known_names) {
  const std::string word = words.empty() ? "" : words.back();
  auto before = words;
  if (!before.empty()) before.pop_back();
  auto line = Reader(grammar).read(before);
  if (!line) return {};
  return Completer(std::move(*line), known_names).result(grammar, word);
}

std::string to_text(const Completion& completion) {
  std::string text;
  switch (completion.paths) {
    case Completion::Paths::None:
      text = "values\n";
      break;
    case Completion::Paths::Files:
      text = "files\n";
      break;
    case Completion::Paths::Directories:
      text = "directories\n";
      break;
  }
  for (const auto& candidate : completion.candidates) {
    text += candidate.word;
    if (!candidate.description.empty()) text += "\t" + candidate.description;
    text += "\n";
  }
  return text;
}

}  // namespace sconverge
