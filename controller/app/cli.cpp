#include "controller/app/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "controller/app/command_line.h"
#include "controller/app/setting_groups.h"
#include "controller/app/settings.h"
#include "specs/near_miss.h"

namespace sconverge {
namespace {

constexpr const char* kTokenRefused =
    "--token: a token on the command line can be read by everybody on this machine; write it to a "
    "file and use --token-file FILE, or set SLURM_JWT";

/// CLI11 shows "..." behind every flag that may be given twice.
class HelpFormatter : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_option_opts(const CLI::Option* option) const override {
    const std::string value = option->get_type_name();
    return value.empty() ? "" : " " + value;
  }
};

}  // namespace

CommandLine::CommandLine(const Console& console)
    : console_(console),
      app_(std::make_unique<CLI::App>(
          "Keeps Slurm jobs as declared: compares the jobs in a directory with what Slurm "
          "runs, and submits, updates or cancels until they agree.",
          "sconverge")) {
  app_->require_subcommand(0, 1);  // none is told about below, in better words
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->set_version_flag("--version", "sconverge " + build_info().version);
  app_->footer(
      "Every setting is also a SCONVERGE_* variable and a key of the file named by "
      "--config.\nExample:\n  sconverge run --specs jobs --slurmrestd "
      "http://127.0.0.1:6820 --user alice --token-file token");
  add_run();
  add_plan();
  add_apply();
  add_validate();
  add_explain();
  add_import();
  add_get();
  add_describe();
  add_rerun();
  add_approve();
  add_check();
  add_api();
  add_gateway();
  add_version();
  add_completion();
  add_manual();
}

CommandLine::~CommandLine() = default;

int CommandLine::run(std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments.front() == "__complete") {
    // What follows are the words of somebody's line, whatever they mean to us.
    return static_cast<int>(complete_line({arguments.begin() + 1, arguments.end()}));
  }
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app_->parse(std::move(arguments));
  } catch (const CLI::CallForHelp& help) {
    return app_->exit(help, console_.out, console_.err);
  } catch (const CLI::CallForVersion& version) {
    return app_->exit(version, console_.out, console_.err);
  } catch (const CLI::ParseError& error) {
    return static_cast<int>(refuse(error));
  }
  if (!chosen_) {
    console_.err << app_->help();
    return static_cast<int>(ExitCode::Usage);
  }
  if (!token_.empty()) return static_cast<int>(fail(console_, kTokenRefused, ExitCode::Usage));
  return static_cast<int>(chosen_());
}

CLI::App* CommandLine::add_verb(const std::string& name, const std::string& help,
                                const std::string& example, std::function<ExitCode()> action) {
  CLI::App* verb = app_->add_subcommand(name, help);
  verb->footer("Example:\n  " + example);
  verb->callback([this, action = std::move(action)] { chosen_ = action; });
  return verb;
}

void CommandLine::add_output(CLI::App* verb, const Formats& formats) {
  std::string words;
  for (const auto& [word, format] : formats) words += (words.empty() ? "" : "|") + word;
  const auto choose = [this, formats, words](const std::string& word) {
    const auto found = formats.find(word);
    if (found == formats.end()) {
      throw CLI::ValidationError("--output", "\"" + word + "\" is not one of " + words);
    }
    output_ = found->second;
  };
  verb->add_option_function<std::string>("-o,--output", choose, "how to print")->type_name(words);
}

void CommandLine::add_settings(CLI::App* verb, const std::function<bool(const Setting&)>& wanted) {
  const auto add = [&](const std::string& flag, const std::string& value, const std::string& help) {
    return verb->add_option("--" + flag, inputs_.flags[flag], help)
        ->type_name(value)
        ->allow_extra_args(false)
        ->group("Settings");
  };
  add("config", "FILE", "configuration file (YAML; SCONVERGE_CONFIG)");
  for (const Setting& setting : settings()) {
    if (!wanted(setting)) continue;
    const auto* option =
        add(std::string(setting.flag), std::string(setting.value), std::string(setting.help));
    if (!setting.words.empty()) completes(option, ValueKind::Words, std::string(setting.words));
    if (setting.key == "defaultCluster") completes(option, ValueKind::Cluster);
  }
  verb->add_option("--token", token_)->group("");  // known only to say why not
}

void CommandLine::add_all_settings(CLI::App* verb) { add_settings(verb, &is_about_controllers); }

void CommandLine::add_state_setting(CLI::App* verb) {
  add_settings(verb, [](const Setting& setting) { return setting.key == "state"; });
}

ExitCode CommandLine::configured(const ConfigNeeds& needs,
                                 const std::function<ExitCode(const Config&)>& action) {
  inputs_.variables = console_.variables;
  inputs_.root = console_.root;
  const ConfigReading reading = read_config(inputs_, needs);
  for (const auto& warning : reading.warnings) warn(console_, to_text(warning));
  for (const auto& problem : reading.problems) fail(console_, to_text(problem));
  return reading.problems.empty() ? action(reading.config) : ExitCode::Usage;
}

std::string CommandLine::suggestion() const {
  const auto verbs = app_->get_subcommands();
  const CLI::App* scope = verbs.empty() ? app_.get() : verbs.front();
  std::vector<std::string> words;
  for (const CLI::Option* option : scope->get_options()) {
    for (const auto& name : option->get_lnames()) words.push_back("--" + name);
  }
  if (verbs.empty()) {
    for (const CLI::App* verb : app_->get_subcommands([](const CLI::App*) { return true; })) {
      words.push_back(verb->get_name());
    }
  }
  const std::vector<std::string_view> candidates(words.begin(), words.end());
  for (const auto& argument : app_->remaining(true)) {
    const auto close = near_miss(argument.substr(0, argument.find('=')), candidates);
    if (!close.empty()) return "did you mean " + std::string(close) + "? ";
  }
  return "";
}

ExitCode CommandLine::refuse(const CLI::ParseError& error) {
  const auto verbs = app_->get_subcommands();
  const std::string verb = verbs.empty() ? "" : " " + verbs.front()->get_name();
  const auto rest = app_->remaining(true);
  std::string what = error.what();
  if (!rest.empty()) {
    what = (verbs.empty() && !rest.front().starts_with("-") ? "unknown verb \""
                                                            : "unknown argument \"") +
           rest.front() + "\"";
  }
  return fail(console_, what + " (" + suggestion() + "see sconverge" + verb + " --help)",
              ExitCode::Usage);
}

int run_cli(const std::vector<std::string>& arguments, const Console& console) {
  return CommandLine(console).run(arguments);
}

}  // namespace sconverge
