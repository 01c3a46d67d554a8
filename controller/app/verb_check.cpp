#include <cstdlib>
#include <ostream>

#include "controller/app/connection.h"
#include "controller/app/time_text.h"
#include "controller/app/verbs.h"

namespace sconverge {
namespace {

constexpr seconds kTokenEndsSoon{3600};
constexpr seconds kClocksApart{30};

std::vector<std::string> warnings_about(const ClusterInfo& info, TimePoint now) {
  std::vector<std::string> out;
  if (info.token_expiry && *info.token_expiry - now < kTokenEndsSoon) {
    out.push_back("the token ends in " + age_text(*info.token_expiry - now) + ", at " +
                  time_text(*info.token_expiry));
  }
  if (info.server_time) {
    const auto apart = std::chrono::abs(*info.server_time - now);
    if (apart > kClocksApart) {
      out.push_back("the clocks here and there are " + age_text(apart) +
                    " apart; times would be wrong and tokens refused");
    }
  }
  if (!info.accounting) {
    out.push_back(
        "accounting does not answer, so the outcome of jobs that Slurm has forgotten "
        "cannot be told" +
        (info.accounting_error.empty() ? "" : ": " + info.accounting_error));
  }
  return out;
}

ClusterCheck check_cluster(const ClusterConfig& cluster, const Clock& clock) {
  ClusterCheck check{cluster.name, address_text(cluster)};
  auto client = make_client(cluster, clock);
  if (!client) {
    check.error = client.error();
    return check;
  }
  auto info = (*client)->check();
  if (info) {
    check.warnings = warnings_about(*info, clock.now());
    check.info = std::move(*info);
  } else {
    check.error = info.error();
  }
  return check;
}

std::string line(std::string_view label, const std::string& text) {
  std::string out = "  " + std::string(label);
  out.append(14 - out.size(), ' ');
  return out + text + "\n";
}

std::string text_of(const ClusterCheck& check, TimePoint now, Paint paint) {
  std::string out =
      check.cluster + ":  " +
      (check.error ? paint(Style::Red, "cannot be used") : paint(Style::Green, "can be used")) +
      "\n" + line("endpoint", check.endpoint);
  if (check.info) {
    const ClusterInfo& info = *check.info;
    out += line("slurm", info.slurm_version + ", API " + info.api_version +
                             (info.cluster_name.empty() ? "" : ", cluster " + info.cluster_name));
    if (!info.user.empty()) out += line("user", info.user);
    out += line("credentials", info.credentials);
    if (info.token_expiry) {
      out += line("token", "accepted, ends in " + age_text(*info.token_expiry - now));
    } else {
      out += line("token", "accepted");
    }
    if (info.server_time) {
      out += line("clock", age_text(std::chrono::abs(*info.server_time - now)) + " apart");
    }
    out += line("accounting", info.accounting ? "answers" : "does not answer");
  }
  return out;
}

}  // namespace

ExitCode verb_check(OutputFormat output, const Config& config, const Console& console) {
  std::vector<ClusterCheck> checks;
  ExitCode code = ExitCode::Ok;
  for (const auto& cluster : config.clusters) {
    checks.push_back(check_cluster(cluster, console.clock));
    const ClusterCheck& check = checks.back();
    if (output == OutputFormat::Table) {
      console.out << text_of(check, console.clock.now(), console.out_paint());
      for (const auto& warning : check.warnings) warn(console, check.cluster + ": " + warning);
    }
    if (!check.error) continue;
    fail(console, "cluster " + check.cluster + ": " + check.error->message);
    // Of several troubles the one that a retry does not mend is told.
    if (code != ExitCode::Error) code = exit_code_of(*check.error);
  }
  if (output != OutputFormat::Table) {
    console.out << checks_document(checks, document_format(output));
  }
  return code;
}

}  // namespace sconverge
