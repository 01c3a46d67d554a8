#include <CLI/CLI.hpp>
#include <cstdint>

#include "controller/app/command_line.h"
#include "controller/app/setting_groups.h"
#include "controller/app/settings.h"

namespace sconverge {

void CommandLine::add_validate() {
  CLI::App* verb = add_verb(
      "validate", "Read spec files and list every problem",
      "sconverge validate jobs\n  sconverge validate jobs --cluster lab --config lab.yaml", [this] {
        if (cluster_.empty()) return verb_validate({names_, "", output_}, {}, console_);
        return configured({.clusters = true, .state = false}, [this](const Config& config) {
          return verb_validate({names_, cluster_, output_}, config, console_);
        });
      });
  completes(verb->add_option("PATH", names_, "files or directories")->type_name("")->required(),
            ValueKind::File);
  completes(
      verb->add_option("--cluster", cluster_,
                       "hold the specs against this cluster: its API, partitions, accounts and QOS")
          ->type_name("NAME"),
      ValueKind::Cluster);
  Formats formats = text_formats_;
  formats.insert({{"sarif", OutputFormat::Sarif}, {"github", OutputFormat::Github}});
  add_output(verb, formats);
  add_settings(verb, [](const Setting& setting) {
    return is_about_clusters(setting) && setting.flag != "cluster";
  });
}

void CommandLine::add_import() {
  CLI::App* verb = add_verb(
      "import", "Write the spec of an sbatch script, or of a job in Slurm",
      "sconverge import --script train.sbatch >train.yaml\n"
      "  sconverge import --job 1234 --config lab.yaml",
      [this] {
        if (import_.script.empty() && !import_.job) {
          return fail(console_, "name a --script, a --job, or both", ExitCode::Usage);
        }
        if (!import_.job) return verb_import(import_, {}, console_);
        return configured({.clusters = true, .state = false}, [this](const Config& config) {
          return verb_import(import_, config, console_);
        });
      });
  verb->add_option("--script", import_.script, "an sbatch script; with --job the job's")
      ->type_name("FILE");
  verb->add_option("--job", import_.job, "id of a job of the cluster")
      ->type_name("ID")
      ->check(CLI::Range(std::uint32_t{1}, std::uint32_t{0xFFFFFFFD}));
  verb->add_option("--name", import_.name, "name of the spec (default: from the script or the job)")
      ->type_name("NAME");
  verb->add_option("-n,--namespace", import_.name_space, "its namespace (default: default)")
      ->type_name("NAME");
  add_settings(verb, [](const Setting& setting) {
    return is_about_clusters(setting) || setting.flag == "state" || setting.flag == "controller-id";
  });
}

void CommandLine::add_explain() {
  CLI::App* verb = add_verb(
      "explain", "Tell what a field of a spec means",
      "sconverge explain time_limit\n  sconverge explain -o schema >job_spec.schema.json", [this] {
        return verb_explain({names_, output_}, console_);
      });
  completes(
      verb->add_option("FIELD", names_, "e.g. spec.job.time_limit or time_limit (default: all)")
          ->type_name(""),
      ValueKind::Field);
  Formats formats = text_formats_;
  formats.insert({"schema", OutputFormat::Schema});
  add_output(verb, formats);
}

void CommandLine::add_get() {
  CLI::App* verb =
      add_verb("get", "List the specs and where they stand", "sconverge get -o wide", [this] {
        return configured({}, [this](const Config& config) {
          return verb_get({names_, name_space_, flag_namespaces_, output_}, config, console_);
        });
      });
  completes(
      verb->add_option("NAME", names_, "name or namespace/name (default: all)")->type_name(""),
      ValueKind::Spec);
  completes(
      verb->add_option("-n,--namespace", name_space_, "only this namespace")->type_name("NAME"),
      ValueKind::Namespace);
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
  completes(verb->add_option("NAME", names_, "name or namespace/name")->type_name("")->required(),
            ValueKind::Spec);
  add_output(verb, text_formats_);
  add_state_setting(verb);
}

void CommandLine::add_rerun() {
  CLI::App* verb =
      add_verb("rerun", "Run a finished spec once more", "sconverge rerun train", [this] {
        return configured(
            {}, [this](const Config& config) { return verb_rerun(names_, config, console_); });
      });
  completes(verb->add_option("NAME", names_, "name or namespace/name")->type_name("")->required(),
            ValueKind::Spec);
  add_state_setting(verb);
}

void CommandLine::add_approve() {
  CLI::App* verb =
      add_verb("approve", "Allow what a guard holds back", "sconverge approve", [this] {
        return configured(
            {}, [this](const Config& config) { return verb_approve(names_, config, console_); });
      });
  completes(
      verb->add_option("NAME", names_, "name or namespace/name (default: all that is held back)")
          ->type_name(""),
      ValueKind::Spec);
  add_state_setting(verb);
}

}  // namespace sconverge
