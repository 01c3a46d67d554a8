#include "controller/core/cluster_facts.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "controller/core/cluster_findings.h"
#include "controller/core/cluster_names.h"
#include "specs/sbatch_text.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

std::vector<std::string> parted_by_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Holds one spec against the facts.
class Check {
 public:
  Check(const ClusterFacts& facts, ClusterFindings& findings)
      : spec_(findings.spec()), facts_(facts), findings_(findings) {}

  void all() {
    if (facts_.fields) check_fields(*facts_.fields);
    if (facts_.accounts) check_account(*facts_.accounts);
    if (facts_.qos) check_qos(*facts_.qos);
    if (facts_.partitions) check_partitions(*facts_.partitions);
  }

 private:
  void wrong(std::string_view field, std::string what, std::string remedy) {
    findings_.add(field, std::move(what), std::move(remedy));
  }

  [[nodiscard]] const std::string* text(std::string_view field) const {
    return findings_.text(field);
  }

  void check_fields(const std::map<std::string, FieldFacts>& fields) {
    for (const auto& [name, value] : spec_.job) {
      const auto known = fields.find(name);
      if (known == fields.end()) {
        wrong(name,
              "this cluster's API " + facts_.api_version +
                  " does not have the field, and would silently leave it out",
              known_or_near(name, fields));
        continue;
      }
      const auto* words = std::get_if<std::vector<std::string>>(&value);
      if (words == nullptr || known->second.words.empty()) continue;
      for (const std::string& word : *words) {
        if (known->second.words.contains(word)) continue;
        wrong(name, in_quotes(word) + " is not known to this cluster",
              known_or_near(word, known->second.words));
      }
    }
  }

  // Slurm keeps account names in lower case, and without enforcement replaces an unknown one by
  // the default.
  void check_account(const std::set<std::string>& accounts) {
    const std::string* account = text("account");
    if (account == nullptr || accounts.contains(lower_case(*account))) return;
    wrong("account", in_quotes(*account) + " is no account of this user",
          known_or_near(lower_case(*account), accounts));
  }

  void check_qos(const std::set<std::string>& known) {
    const std::string* qos = text("qos");
    if (qos == nullptr || known.contains(*qos)) return;
    wrong("qos", "there is no QOS " + in_quotes(*qos), known_or_near(*qos, known));
  }

  void check_partitions(const std::map<std::string, PartitionFacts>& partitions) {
    const std::string* named = text("partition");
    if (named == nullptr) return;
    for (const std::string& name : parted_by_commas(*named)) {
      const auto found = partitions.find(name);
      if (found == partitions.end()) {
        wrong("partition", "there is no partition " + in_quotes(name),
              known_or_near(name, partitions));
      } else {
        check_partition(name, found->second);
      }
    }
  }

  void check_partition(const std::string& name, const PartitionFacts& partition) {
    check_time(name, partition);
    check_nodes(name, partition);
    check_access("account", name, partition.allowed_accounts, partition.denied_accounts);
    check_access("qos", name, partition.allowed_qos, partition.denied_qos);
  }

  void check_time(const std::string& name, const PartitionFacts& partition) {
    const auto limit = spec_.job.find("time_limit");
    if (limit == spec_.job.end() || !partition.most_minutes) return;
    const auto* minutes = std::get_if<std::int64_t>(&limit->second);
    if (minutes != nullptr && *minutes <= *partition.most_minutes) return;
    const std::string most = std::to_string(*partition.most_minutes);
    wrong("time_limit",
          "partition " + name + " allows at most " + most +
              " minutes, and the job would be refused or wait for ever",
          "write at most " + most + ", or another partition");
  }

  void check_nodes(const std::string& name, const PartitionFacts& partition) {
    if (!partition.nodes) return;
    for (const std::string_view field : {"nodes", "minimum_nodes"}) {
      const auto found = spec_.job.find(field);
      if (found == spec_.job.end()) continue;
      const auto least = least_nodes(found->second);
      if (!least || *least <= *partition.nodes) continue;
      wrong(field, "partition " + name + " has " + std::to_string(*partition.nodes) + " nodes",
            "ask for fewer, or for another partition");
    }
  }

  static std::optional<std::int64_t> least_nodes(const FieldValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return std::nullopt;
    std::int64_t least = 0;
    const auto parsed = std::from_chars(text->data(), text->data() + text->size(), least);
    if (parsed.ec != std::errc{}) return std::nullopt;
    return least;
  }

  void check_access(std::string_view field, const std::string& partition,
                    const std::set<std::string>& allowed, const std::set<std::string>& denied) {
    const std::string* written = text(field);
    if (written == nullptr) return;
    const std::string value = field == "account" ? lower_case(*written) : *written;
    const bool refused = (!allowed.empty() && !allowed.contains(value)) || denied.contains(value);
    if (!refused) return;
    wrong(
        field, "partition " + partition + " does not admit " + in_quotes(*written),
        allowed.empty() ? "use another one, or another partition" : known_or_near(value, allowed));
  }

  const JobSpec& spec_;
  const ClusterFacts& facts_;
  ClusterFindings& findings_;
};

}  // namespace

std::vector<Problem> problems_on_cluster(const JobSpec& spec, const ClusterFacts& facts,
                                         TimePoint now) {
  ClusterFindings findings(spec);
  Check(facts, findings).all();
  check_names(findings, facts);
  check_deadline(findings, now);
  return std::move(findings).problems();
}

}  // namespace sconverge
