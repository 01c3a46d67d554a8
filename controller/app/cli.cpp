#include "controller/app/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <ostream>

#include "controller/app/printable.h"
#include "controller/app/setting_groups.h"
#include "controller/app/settings.h"
#include "controller/app/verbs.h"
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

using Formats = std::map<std::string, OutputFormat>;

/// The grammar of the command line, and what was said in it.
class CommandLine {
 public:
  explicit CommandLine(const Console& console) : console_(console) {
    app_.require_subcommand(0, 1);  // none is told about below, in better words
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.set_version_flag("--version", "sconverge " + build_info().version);
    app_.footer(
        "Every setting is also a SCONVERGE_* variable and a key of the file named by "
        "--config.\nExample:\n  sconverge run --specs jobs --slurmrestd "
        "http://127.0.0.1:6820 --user alice --token-file token");
    add_run();
    add_plan();
    add_apply();
    add_validate();
    add_get();
    add_describe();
    add_rerun();
    add_approve();
    add_check();
    add_api();
    add_gateway();
    add_version();
  }

  int run(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp& help) {
      return app_.exit(help, console_.out, console_.err);
    } catch (const CLI::CallForVersion& version) {
      return app_.exit(version, console_.out, console_.err);
    } catch (const CLI::ParseError& error) {
      return static_cast<int>(refuse(error));
    }
    if (!chosen_) {
      console_.err << app_.help();
      return static_cast<int>(ExitCode::Usage);
    }
    if (!token_.empty()) return static_cast<int>(fail(console_, kTokenRefused, ExitCode::Usage));
    return static_cast<int>(chosen_());
  }

 private:
  CLI::App* add_verb(const std::string& name, const std::string& help, const std::string& example,
                     std::function<ExitCode()> action) {
    CLI::App* verb = app_.add_subcommand(name, help);
    verb->footer("Example:\n  " + example);
    verb->callback([this, action = std::move(action)] { chosen_ = action; });
    return verb;
  }

  void add_output(CLI::App* verb, const Formats& formats) {
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

  /// `--config` and the settings whose flag `wanted` accepts.
  void add_settings(CLI::App* verb, const std::function<bool(const Setting&)>& wanted) {
    const auto add = [&](const std::string& flag, const std::string& value,
                         const std::string& help) {
      verb->add_option("--" + flag, inputs_.flags[flag], help)
          ->type_name(value)
          ->allow_extra_args(false)
          ->group("Settings");
    };
    add("config", "FILE", "configuration file (YAML; SCONVERGE_CONFIG)");
    for (const Setting& setting : settings()) {
      if (!wanted(setting)) continue;
      add(std::string(setting.flag), std::string(setting.value), std::string(setting.help));
    }
    verb->add_option("--token", token_)->group("");  // known only to say why not
  }
  void add_all_settings(CLI::App* verb) { add_settings(verb, &is_about_controllers); }
  void add_state_setting(CLI::App* verb) {
    add_settings(verb, [](const Setting& setting) { return setting.key == "state"; });
  }

  /// Runs `action` with the configuration, or tells everything that is wrong with it.
  ExitCode configured(const ConfigNeeds& needs,
                      const std::function<ExitCode(const Config&)>& action) {
    inputs_.variables = console_.variables;
    inputs_.root = console_.root;
    const ConfigReading reading = read_config(inputs_, needs);
    for (const auto& warning : reading.warnings) warn(console_, to_text(warning));
    for (const auto& problem : reading.problems) fail(console_, to_text(problem));
    return reading.problems.empty() ? action(reading.config) : ExitCode::Usage;
  }

  void add_run();
  void add_plan();
  void add_apply();
  void add_validate();
  void add_get();
  void add_describe();
  void add_rerun();
  void add_approve();
  void add_check();
  void add_api();
  void add_gateway();
  void add_version();

  ExitCode refuse(const CLI::ParseError& error);
  std::string suggestion() const;

  const Console& console_;
  CLI::App app_{
      "Keeps Slurm jobs as declared: compares the jobs in a directory with what Slurm "
      "runs, and submits, updates or cancels until they agree.",
      "sconverge"};
  std::function<ExitCode()> chosen_{};
  ConfigInputs inputs_{};
  std::string token_{};
  OutputFormat output_{OutputFormat::Table};
  std::vector<std::string> names_{};
  ApiOptions api_{};
  std::string cluster_{};
  std::string name_space_{};
  std::string timeout_{};
  bool flag_namespaces_{false};
  bool flag_detailed_{false};
  bool flag_once_{false};
  bool flag_wait_{false};
};

const Formats kText{
    {"text", OutputFormat::Table}, {"json", OutputFormat::Json}, {"yaml", OutputFormat::Yaml}};

void CommandLine::add_run() {
  CLI::App* verb = add_verb("run", "Keep Slurm as declared until stopped",
                            "sconverge run --specs jobs --slurmrestd http://127.0.0.1:6820 "
                            "--user alice --token-file token",
                            [this] {
                              return configured({true, true}, [this](const Config& config) {
                                return verb_run(config, console_);
                              });
                            });
  add_all_settings(verb);
}

void CommandLine::add_plan() {
  CLI::App* verb = add_verb("plan", "Show what would happen, and change nothing",
                            "sconverge plan --config lab.yaml", [this] {
                              return configured({true, true}, [this](const Config& config) {
                                return verb_plan({flag_detailed_, output_}, config, console_);
                              });
                            });
  verb->add_flag("--detailed-exitcode", flag_detailed_, "exit with 2 if there is something to do");
  add_output(verb, kText);
  add_all_settings(verb);
}

void CommandLine::add_apply() {
  CLI::App* verb = add_verb(
      "apply", "Make Slurm as declared, once",
      "sconverge apply --once --wait --timeout 1h --config lab.yaml", [this] {
        if (!flag_once_) {
          return fail(console_, "apply needs --once (sconverge run keeps applying)",
                      ExitCode::Usage);
        }
        const auto timeout = timeout_.empty() ? milliseconds{0} : parse_interval(timeout_);
        if (!timeout || (!timeout_.empty() && (*timeout == milliseconds{0} || !flag_wait_))) {
          return fail(console_,
                      timeout && !flag_wait_
                          ? "--timeout is for --wait"
                          : "--timeout: \"" + timeout_ +
                                "\" is not a duration (write a number and ms, s, m or h, e.g. 30m)",
                      ExitCode::Usage);
        }
        return configured({true, true}, [this, timeout](const Config& config) {
          return verb_apply({flag_wait_, *timeout}, config, console_);
        });
      });
  verb->add_flag("--once", flag_once_, "compare and act one time");
  verb->add_flag("--wait", flag_wait_, "go on until every spec stands still");
  verb->add_option("--timeout", timeout_, "longest time to wait (default: none)")
      ->type_name("DURATION");
  add_all_settings(verb);
}

void CommandLine::add_validate() {
  CLI::App* verb = add_verb(
      "validate", "Read spec files and list every problem",
      "sconverge validate jobs\n  sconverge validate jobs --cluster lab --config lab.yaml", [this] {
        if (cluster_.empty()) return verb_validate({names_, "", output_}, {}, console_);
        return configured({.clusters = true}, [this](const Config& config) {
          return verb_validate({names_, cluster_, output_}, config, console_);
        });
      });
  verb->add_option("PATH", names_, "files or directories")->type_name("")->required();
  verb->add_option("--cluster", cluster_,
                   "hold the specs against this cluster: its API, partitions, accounts and QOS")
      ->type_name("NAME");
  add_output(verb, kText);
  add_settings(verb, [](const Setting& setting) {
    return is_about_clusters(setting) && setting.flag != "cluster";
  });
}

void CommandLine::add_get() {
  CLI::App* verb =
      add_verb("get", "List the specs and where they stand", "sconverge get -o wide", [this] {
        return configured({}, [this](const Config& config) {
          return verb_get({names_, name_space_, flag_namespaces_, output_}, config, console_);
        });
      });
  verb->add_option("NAME", names_, "name or namespace/name (default: all)")->type_name("");
  verb->add_option("-n,--namespace", name_space_, "only this namespace");
  verb->add_flag("-A,--all-namespaces", flag_namespaces_, "always show the namespace");
  add_output(verb, {{"table", OutputFormat::Table},
                    {"wide", OutputFormat::Wide},
                    {"json", OutputFormat::Json},
                    {"yaml", OutputFormat::Yaml},
                    {"name", OutputFormat::Name}});
  add_state_setting(verb);
}

void CommandLine::add_describe() {
  CLI::App* verb = add_verb("describe", "Tell everything about a spec",
                            "sconverge describe vision/train", [this] {
                              return configured({}, [this](const Config& config) {
                                return verb_describe({names_, output_}, config, console_);
                              });
                            });
  verb->add_option("NAME", names_, "name or namespace/name")->type_name("")->required();
  add_output(verb, kText);
  add_state_setting(verb);
}

void CommandLine::add_rerun() {
  CLI::App* verb =
      add_verb("rerun", "Run a finished spec once more", "sconverge rerun train", [this] {
        return configured(
            {}, [this](const Config& config) { return verb_rerun(names_, config, console_); });
      });
  verb->add_option("NAME", names_, "name or namespace/name")->type_name("")->required();
  add_state_setting(verb);
}

void CommandLine::add_approve() {
  CLI::App* verb =
      add_verb("approve", "Allow what a guard holds back", "sconverge approve", [this] {
        return configured(
            {}, [this](const Config& config) { return verb_approve(names_, config, console_); });
      });
  verb->add_option("NAME", names_, "name or namespace/name (default: all that is held back)")
      ->type_name("");
  add_state_setting(verb);
}

void CommandLine::add_check() {
  CLI::App* verb = add_verb("check", "Ask Slurm whether it can be used",
                            "sconverge check --config lab.yaml", [this] {
                              return configured({false, true}, [this](const Config& config) {
                                return verb_check(output_, config, console_);
                              });
                            });
  add_output(verb, kText);
  add_all_settings(verb);
}

void CommandLine::add_api() {
  CLI::App* verb =
      add_verb("api", "Send one request to Slurm and print its answer",
               "sconverge api GET /slurm/v0.0.42/jobs/ --config lab.yaml\n"
               "  sconverge api POST /slurm/v0.0.42/job/submit @job.json --config lab.yaml",
               [this] {
                 return configured({.clusters = true}, [this](const Config& config) {
                   return verb_api(api_, config, console_);
                 });
               });
  verb->add_option("METHOD", api_.method, "GET, POST or DELETE")->type_name("")->required();
  verb->add_option("PATH", api_.path, "Slurm REST path")->type_name("")->required();
  verb->add_option("BODY", api_.body, "JSON, @FILE, or - for the standard input")->type_name("");
  add_settings(verb, &is_about_clusters);
}

void CommandLine::add_gateway() {
  CLI::App* verb = add_verb(
      "gateway", "Serve Google's Slurm Job API in front of a slurmrestd",
      "sconverge gateway --slurmrestd http://127.0.0.1:6820 --user alice --token-file token\n"
      "    --project my-project --region us-central1 --cluster c1 --tokens tokens.yaml",
      [this] {
        return configured({.clusters = true, .gateway = true},
                          [this](const Config& config) { return verb_gateway(config, console_); });
      });
  add_settings(verb, &is_about_gateways);
}

void CommandLine::add_version() {
  CLI::App* verb = add_verb("version", "Tell which release this is", "sconverge version -o json",
                            [this] { return verb_version(output_, console_); });
  add_output(verb, kText);
}

/// The flag or verb that an argument nobody expected was probably meant to be.
std::string CommandLine::suggestion() const {
  const auto verbs = app_.get_subcommands();
  const CLI::App* scope = verbs.empty() ? &app_ : verbs.front();
  std::vector<std::string> words;
  for (const CLI::Option* option : scope->get_options()) {
    for (const auto& name : option->get_lnames()) words.push_back("--" + name);
  }
  if (verbs.empty()) {
    for (const CLI::App* verb : app_.get_subcommands([](const CLI::App*) { return true; })) {
      words.push_back(verb->get_name());
    }
  }
  const std::vector<std::string_view> candidates(words.begin(), words.end());
  for (const auto& argument : app_.remaining(true)) {
    const auto close = near_miss(argument.substr(0, argument.find('=')), candidates);
    if (!close.empty()) return "did you mean " + std::string(close) + "? ";
  }
  return "";
}

ExitCode CommandLine::refuse(const CLI::ParseError& error) {
  const auto verbs = app_.get_subcommands();
  const std::string verb = verbs.empty() ? "" : " " + verbs.front()->get_name();
  const auto rest = app_.remaining(true);
  std::string what = error.what();
  if (!rest.empty()) {
    what = (verbs.empty() && !rest.front().starts_with("-") ? "unknown verb \""
                                                            : "unknown argument \"") +
           rest.front() + "\"";
  }
  return fail(console_, what + " (" + suggestion() + "see sconverge" + verb + " --help)",
              ExitCode::Usage);
}

}  // namespace

int run_cli(const std::vector<std::string>& arguments, const Console& console) {
  return CommandLine(console).run(arguments);
}

}  // namespace sconverge
