#include "controller/app/manual.h"

#include <array>
#include <span>
#include <utility>

#include "controller/app/exit_code.h"
#include "controller/app/roff.h"
#include "controller/app/settings.h"

namespace sconverge {
namespace {

using Row = std::pair<std::string_view, std::string_view>;

constexpr std::array<std::pair<ExitCode, std::string_view>, 8> kExitCodes{{
    {ExitCode::Ok, "Everything went well."},
    {ExitCode::Error, "Something went wrong, or a job did not succeed."},
    {ExitCode::Changes, "There is something to do (plan with --detailed-exitcode)."},
    {ExitCode::Invalid, "A spec was refused."},
    {ExitCode::Guarded, "A guard holds something back until somebody approves it."},
    {ExitCode::TimedOut, "It was not done in time (apply with --wait and --timeout)."},
    {ExitCode::SlurmUnreachable, "Slurm could not be reached."},
    {ExitCode::Usage, "A flag, a variable or the configuration file is wrong."},
}};

constexpr std::array kVariables{
    Row{"SCONVERGE_CONFIG", "The configuration file, as --config."},
    Row{"SLURM_JWT", "The Slurm user's token, where no token file is named."},
    Row{"GOOGLE_APPLICATION_CREDENTIALS",
        "A Google credential file; gcloud's own variables are read, too."},
    Row{"HTTPS_PROXY, NO_PROXY", "Proxies on the way to Google."},
    Row{"XDG_STATE_HOME, HOME", "Where the state directory is by default."},
    Row{"NO_COLOR", "If set, nothing is coloured."},
    Row{"NOTIFY_SOCKET, WATCHDOG_USEC", "Set by systemd(1): run and gateway answer it."},
};

constexpr std::array kFiles{
    Row{"/etc/sconverge/sconverge.yaml",
        "The configuration of the packaged service; see sconverge.yaml(5)."},
    Row{"/var/lib/sconverge", "What the packaged service, and root's controller, remember."},
    Row{"~/.local/state/sconverge", "What the controller of another user remembers."},
};

constexpr std::array kSignals{
    Row{"SIGTERM, SIGINT", "End: what is under way is finished first. No job is cancelled."},
    Row{"SIGHUP",
        "Read the configuration again (run). One with a problem is told of in the log, and the one "
        "in force stays."},
};

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void rows(Roff& page, std::string_view heading, std::span<const Row> table) {
  page.heading(heading);
  for (const auto& [word, explanation] : table) page.item(word, "", explanation);
}

void verb_section(Roff& page, const Grammar& grammar, const GrammarVerb& verb) {
  page.subheading(grammar.program + " " + verb.name + " " + synopsis(verb));
  page.paragraph(verb.help + ".");
  std::string settings_taken;
  const auto& help_flag = grammar.arguments.front();
  for (const auto& argument : verb.arguments) {
    if (argument == help_flag) continue;
    if (argument.is_setting) {
      settings_taken += (settings_taken.empty() ? "" : ", ") + argument.names.back();
    } else if (argument.is_positional()) {
      page.item(argument.value, "", argument.help);
    } else {
      page.item(joined(argument.names), argument.value, argument.help);
    }
  }
  if (!settings_taken.empty()) page.paragraph("Settings: " + settings_taken + ".");
  page.example(verb.example);
}

void settings_section(Roff& page) {
  page.heading("SETTINGS");
  page.paragraph(
      "Each is a flag, an environment variable, and a key of the configuration file. A flag beats "
      "a variable, which beats the file. Flags and variables about a cluster speak of the default "
      "cluster.");
  for (const Setting& setting : settings()) {
    page.item("--" + std::string(setting.flag) + ", " + std::string(setting.variable),
              setting.value, setting.help);
  }
}

void exit_section(Roff& page) {
  page.heading("EXIT STATUS");
  for (const auto& [code, meaning] : kExitCodes) {
    page.item(std::to_string(static_cast<int>(code)), "", meaning);
  }
}

void keys(Roff& page, SettingScope scope) {
  for (const Setting& setting : settings()) {
    if (setting.scope != scope) continue;
    page.item(std::string(setting.key) + ":", setting.value,
              std::string(setting.help) + " (flag --" + std::string(setting.flag) + ", variable " +
                  std::string(setting.variable) + ")");
  }
}

constexpr std::string_view kExample = R"(controllerId: prod
specs: /srv/jobs
state: /var/lib/sconverge
interval: 10s
clusters:
  lab:
    slurmrestd: {url: http://127.0.0.1:6820, user: alice, tokenFile: /run/slurm/token}
    workingDirectory: /home/alice
    environment: {HOME: /home/alice}
  gcp:
    slurmJobApi: {project: my-project, region: us-central1, cluster: cluster1}
defaultCluster: lab)";

}  // namespace

std::string program_manual(const Grammar& grammar) {
  Roff page("SCONVERGE", 1, grammar.program + " " + grammar.version, "User Commands");
  page.heading("NAME");
  page.paragraph(grammar.program + " - keeps Slurm jobs as declared");
  page.heading("SYNOPSIS");
  for (const auto& verb : grammar.verbs) {
    page.item(grammar.program + " " + verb.name, synopsis(verb), verb.help);
  }
  page.heading("DESCRIPTION");
  page.paragraph(grammar.help);
  page.paragraph(
      "Files of jobs are described by sconverge explain, the configuration file by "
      "sconverge.yaml(5).");
  for (const auto& argument : grammar.arguments) {
    page.item(joined(argument.names), argument.value, argument.help);
  }
  page.heading("VERBS");
  for (const auto& verb : grammar.verbs) verb_section(page, grammar, verb);
  settings_section(page);
  exit_section(page);
  rows(page, "ENVIRONMENT", kVariables);
  rows(page, "FILES", kFiles);
  rows(page, "SIGNALS", kSignals);
  page.heading("SEE ALSO");
  page.paragraph("sconverge.yaml(5), sbatch(1), squeue(1), slurmrestd(8), systemctl(1)");
  return page.text();
}

std::string configuration_manual(const Grammar& grammar) {
  Roff page("SCONVERGE.YAML", 5, grammar.program + " " + grammar.version, "File Formats");
  page.heading("NAME");
  page.paragraph("sconverge.yaml - configuration of sconverge");
  page.heading("DESCRIPTION");
  page.paragraph(
      "A file in YAML, named by --config or the variable SCONVERGE_CONFIG. Nothing is read by "
      "default; the packaged service reads /etc/sconverge/sconverge.yaml. A key with a dot stands "
      "in a map: log.level is the key level of the map log. Paths are relative to the file. "
      "Unknown keys, keys that stand there twice and tokens are refused, all of them at once.");
  page.heading("KEYS");
  keys(page, SettingScope::Process);
  page.heading("KEYS OF A CLUSTER");
  page.paragraph(
      "They stand below clusters.NAME, where NAME is what specs call the cluster in spec.cluster. "
      "A cluster is reached through slurmrestd or through slurmJobApi.");
  keys(page, SettingScope::Cluster);
  page.heading("EXAMPLE");
  page.example(kExample);
  page.heading("FILES");
  page.item("/etc/sconverge/sconverge.yaml", "", "The configuration of the packaged service.");
  page.heading("SEE ALSO");
  page.paragraph("sconverge(1)");
  return page.text();
}

}  // namespace sconverge
