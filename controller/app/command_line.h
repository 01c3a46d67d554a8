#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "controller/app/completion.h"
#include "controller/app/config.h"
#include "controller/app/console.h"
#include "controller/app/grammar.h"
#include "controller/app/verbs.h"

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace sconverge {

struct Setting;

/// The grammar of the command line, and what was said in it. Each verb has an `add_` that says its
/// arguments and what it does: those about specs in cli_spec_verbs.cpp, those that reach Slurm in
/// cli_controller_verbs.cpp, those about the program itself in
/// cli_program_verbs.cpp; in the order of `--help`.
class CommandLine {
 public:
  explicit CommandLine(const Console& console);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// `arguments` without the program's name. Returns the process's exit code.
  int run(std::vector<std::string> arguments);

 private:
  using Formats = std::map<std::string, OutputFormat>;

  CLI::App* add_verb(const std::string& name, const std::string& help, const std::string& example,
                     std::function<ExitCode()> action);
  /// `-o`, which takes the words of `formats`.
  void add_output(CLI::App* verb, const Formats& formats);
  /// `--config` and the settings whose flag `wanted` accepts.
  void add_settings(CLI::App* verb, const std::function<bool(const Setting&)>& wanted);
  void add_all_settings(CLI::App* verb);
  void add_state_setting(CLI::App* verb);

  /// What completes the value of `option`. One that says nothing is known by its placeholder:
  /// "a|b", FILE and DIR.
  void completes(const CLI::Option* option, ValueKind kind, std::string words = "");
  /// The command line as data; hidden flags are left out.
  [[nodiscard]] Grammar grammar() const;
  [[nodiscard]] GrammarArgument described(const CLI::Option* option) const;
  /// `sconverge __complete WORD...`, which the shells' scripts ask.
  ExitCode complete_line(const std::vector<std::string>& words) const;

  /// Runs `action` with the configuration, or tells everything that is wrong with it.
  ExitCode configured(const ConfigNeeds& needs,
                      const std::function<ExitCode(const Config&)>& action);

  void add_run();
  void add_plan();
  void add_apply();
  void add_validate();
  void add_explain();
  void add_import();
  void add_get();
  void add_describe();
  void add_rerun();
  void add_approve();
  void add_check();
  void add_api();
  void add_gateway();
  void add_version();
  void add_completion();
  void add_manual();

  ExitCode refuse(const CLI::ParseError& error);
  /// The flag or verb that an argument nobody expected was probably meant to be.
  [[nodiscard]] std::string suggestion() const;

  const Console& console_;
  std::unique_ptr<CLI::App> app_;
  std::function<ExitCode()> chosen_{};
  ConfigInputs inputs_{};
  std::string token_{};
  OutputFormat output_{OutputFormat::Table};
  std::vector<std::string> names_{};
  ApiOptions api_{};
  ImportOptions import_{};
  std::string cluster_{};
  std::string name_space_{};
  std::string timeout_{};
  bool flag_namespaces_{false};
  bool flag_detailed_{false};
  bool flag_once_{false};
  bool flag_wait_{false};
  struct Source {
    ValueKind kind;
    std::string words;
  };
  std::map<const CLI::Option*, Source> sources_{};
  const Formats text_formats_{
      {"text", OutputFormat::Table}, {"json", OutputFormat::Json}, {"yaml", OutputFormat::Yaml}};
};

}  // namespace sconverge
