#include <CLI/CLI.hpp>

#include "controller/app/command_line.h"
#include "controller/app/setting_groups.h"
#include "controller/app/settings.h"

namespace sconverge {

void CommandLine::add_run() {
  CLI::App* verb =
      add_verb("run", "Keep Slurm as declared until stopped",
               "sconverge run --specs jobs --slurmrestd http://127.0.0.1:6820 "
               "--user alice --token-file token",
               [this] {
                 const ConfigNeeds needs{true, true};
                 const Reread reread = [this, needs] { return read_config(inputs_, needs); };
                 return configured(needs, [this, &reread](const Config& config) {
                   return verb_run(config, reread, console_);
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
  add_output(verb, text_formats_);
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

void CommandLine::add_check() {
  CLI::App* verb = add_verb(
      "check", "Ask Slurm whether it can be used", "sconverge check --config lab.yaml", [this] {
        return configured({.clusters = true, .state = false}, [this](const Config& config) {
          return verb_check(output_, config, console_);
        });
      });
  add_output(verb, text_formats_);
  add_all_settings(verb);
}

void CommandLine::add_api() {
  CLI::App* verb = add_verb(
      "api", "Send one request to Slurm and print its answer",
      "sconverge api GET /slurm/v0.0.42/jobs/ --config lab.yaml\n"
      "  sconverge api POST /slurm/v0.0.42/job/submit @job.json --config lab.yaml",
      [this] {
        return configured({.clusters = true, .state = false}, [this](const Config& config) {
          return verb_api(api_, config, console_);
        });
      });
  completes(
      verb->add_option("METHOD", api_.method, "GET, POST or DELETE")->type_name("")->required(),
      ValueKind::Words, "GET|POST|DELETE");
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
        return configured({.clusters = true, .gateway = true, .state = false},
                          [this](const Config& config) { return verb_gateway(config, console_); });
      });
  add_settings(verb, &is_about_gateways);
}

}  // namespace sconverge
