#include <CLI/CLI.hpp>
#include <ostream>
#include <sstream>

#include "controller/app/command_line.h"
#include "controller/app/known_names.h"
#include "controller/app/manual.h"
#include "controller/app/printable.h"

namespace sconverge {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

std::vector<std::string> split(const std::string& words) {
  std::vector<std::string> parts;
  std::istringstream in(words);
  for (std::string word; std::getline(in, word, '|');) parts.push_back(word);
  return parts;
}

}  // namespace

void CommandLine::add_version() {
  CLI::App* verb = add_verb("version", "Tell which release this is", "sconverge version -o json",
                            [this] { return verb_version(output_, console_); });
  add_output(verb, text_formats_);
}

void CommandLine::add_completion() {
  const std::string shells = joined(completion_shells());
  CLI::App* verb =
      add_verb("completion", "Write a script that lets a shell complete sconverge's arguments",
               "sconverge completion bash >/etc/bash_completion.d/sconverge\n"
               "  source <(sconverge completion zsh)\n"
               "  sconverge completion fish >~/.config/fish/completions/sconverge.fish",
               [this, shells] {
                 const auto script = completion_script(names_.front());
                 if (script.empty()) {
                   return fail(console_,
                               "\"" + printable(names_.front()) +
                                   "\" is not a shell that sconverge knows (" + shells + ")",
                               ExitCode::Usage);
                 }
                 console_.out << script;
                 return ExitCode::Ok;
               });
  completes(verb->add_option("SHELL", names_, shells)->type_name("")->required()->expected(1),
            ValueKind::Words, shells);
}

void CommandLine::add_manual() {
  CLI::App* verb =
      add_verb("manual", "Write a manual page, for man(1)",
               "sconverge manual sconverge.yaml | man -l -", [this] {
                 if (names_.front() == "sconverge") {
                   console_.out << program_manual(grammar());
                 } else if (names_.front() == "sconverge.yaml") {
                   console_.out << configuration_manual(grammar());
                 } else {
                   return fail(console_,
                               "there is no manual page \"" + printable(names_.front()) +
                                   "\" (sconverge or sconverge.yaml)",
                               ExitCode::Usage);
                 }
                 return ExitCode::Ok;
               });
  completes(verb->add_option("PAGE", names_, "sconverge or sconverge.yaml")
                ->type_name("")
                ->required()
                ->expected(1),
            ValueKind::Words, "sconverge|sconverge.yaml");
}

void CommandLine::completes(const CLI::Option* option, ValueKind kind, std::string words) {
  sources_[option] = {kind, std::move(words)};
}

GrammarArgument CommandLine::described(const CLI::Option* option) const {
  GrammarArgument argument;
  for (const auto& name : option->get_snames()) argument.names.push_back("-" + name);
  for (const auto& name : option->get_lnames()) argument.names.push_back("--" + name);
  argument.value = option->get_positional() ? option->get_name(true) : option->get_type_name();
  argument.help = option->get_description();
  argument.is_setting = option->get_group() == "Settings";
  argument.required = option->get_required();
  argument.repeatable = option->get_items_expected_max() > 1;
  const auto source = sources_.find(option);
  if (source != sources_.end()) {
    argument.kind = source->second.kind;
    argument.words = split(source->second.words);
  } else if (argument.value.find('|') != std::string::npos) {
    argument.kind = ValueKind::Words;
    argument.words = split(argument.value);
  } else if (argument.value == "FILE") {
    argument.kind = ValueKind::File;
  } else if (argument.value == "DIR") {
    argument.kind = ValueKind::Directory;
  }
  return argument;
}

Grammar CommandLine::grammar() const {
  const auto arguments_of = [this](const CLI::App* app) {
    std::vector<GrammarArgument> arguments;
    for (const CLI::Option* option : app->get_options()) {
      if (!option->get_group().empty()) arguments.push_back(described(option));
    }
    return arguments;
  };
  Grammar grammar{app_->get_name(),
                  app_->get_description(),
                  build_info().version,
                  arguments_of(app_.get()),
                  {}};
  for (const CLI::App* verb : app_->get_subcommands([](const CLI::App*) { return true; })) {
    const std::string footer = verb->get_footer();
    grammar.verbs.push_back({verb->get_name(), verb->get_description(),
                             footer.substr(footer.find('\n') + 1), arguments_of(verb)});
  }
  return grammar;
}

ExitCode CommandLine::complete_line(const std::vector<std::string>& words) const {
  const auto names = [this](ValueKind kind,
                            const std::map<std::string, std::vector<std::string>>& flags,
                            const std::string& word) {
    ConfigInputs inputs{flags, console_.variables, console_.root};
    return known_names(kind, inputs, word);
  };
  console_.out << to_text(complete(grammar(), words, names));
  return ExitCode::Ok;
}

}  // namespace sconverge
