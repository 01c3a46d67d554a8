#include "controller/core/cluster_names.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "controller/core/requested_names.h"
#include "specs/array_indexes.h"
#include "specs/sbatch_hosts.h"
#include "specs/sbatch_tres.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

// Unknown names of one field, each once. They become one problem, so that a long list of them is
// no long list of problems.
class Unknown {
 public:
  void add(std::string name) {
    if (seen_.insert(name).second) names_.push_back(std::move(name));
  }

  template <typename Known>
  void tell(ClusterFindings& findings, std::string_view field, const std::string& what,
            const Known& known) const {
    if (!names_.empty()) add_to(findings, field, what, known_or_near(names_.front(), known));
  }

  void add_to(ClusterFindings& findings, std::string_view field, const std::string& what,
              std::string remedy) const {
    if (!names_.empty()) findings.add(field, what + listed(names_), std::move(remedy));
  }

 private:
  std::set<std::string> seen_{};
  std::vector<std::string> names_{};
};

// Slurm 26.05 refuses the list; 24.11 does if the last name is unknown, and leaves out other
// unknown ones without a word.
void check_nodes(ClusterFindings& findings, const std::set<std::string, std::less<>>& nodes) {
  for (const std::string_view field : {"required_nodes", "excluded_nodes"}) {
    const auto* parts = findings.list(field);
    if (parts == nullptr) continue;
    std::string text;
    for (const std::string& part : *parts) {
      // A function like switchwith{n1}: only the cluster can tell.
      if (part.find('{') == std::string::npos) text += part + ",";
    }
    const auto hosts = host_names(text);
    if (!hosts) continue;
    Unknown unknown;
    for (const std::string& host : *hosts) {
      if (!nodes.contains(host)) unknown.add(host);
    }
    unknown.tell(findings, field, "this cluster has no node ", nodes);
  }
}

void check_features(ClusterFindings& findings,
                    const std::map<std::string, std::int64_t, std::less<>>& known) {
  for (const std::string_view field : {"constraints", "prefer"}) {
    const std::string* text = findings.text(field);
    if (text == nullptr) continue;
    const RequestedFeatures asked = requested_features(*text);
    if (!asked.fault.empty()) {
      findings.add(field, in_quotes(*text) + " is no constraint: " + asked.fault,
                   "write e.g. a&b, a|b, [a|b] or a*2");
    }
    Unknown unknown;
    for (const RequestedFeature& feature : asked.features) {
      const auto has = known.find(feature.name);
      if (has == known.end()) {
        unknown.add(feature.name);
      } else if (field == "constraints" && feature.nodes && *feature.nodes > has->second) {
        findings.add(field,
                     "only " + std::to_string(has->second) + " nodes have the feature " +
                         in_quotes(feature.name),
                     "ask for fewer");
      }
    }
    unknown.tell(findings, field, "no node has the feature ", known);
  }
}

// What of a field's generic resources the nodes do not have.
class GresCheck {
 public:
  GresCheck(ClusterFindings& findings, std::string_view field, const GresByName& known)
      : findings_(findings), field_(field), known_(known) {}

  void all() {
    const std::string* text = findings_.text(field_);
    const auto asked =
        text == nullptr ? SbatchValue<std::vector<SbatchGres>>{} : generic_resources(*text);
    if (!asked.value) return;
    for (const SbatchGres& gres : *asked.value) check(gres);
    names_.tell(findings_, field_, "no node has the generic resource ", known_);
    for (const auto& [name, types] : types_) {
      types.tell(findings_, field_, "no node has " + name + " of the type ",
                 known_.find(name)->second.types);
    }
  }

 private:
  void check(const SbatchGres& gres) {
    const auto found = known_.find(gres.name);
    if (found == known_.end()) return names_.add(gres.name);
    const GresFacts& facts = found->second;
    if (gres.type.empty() || facts.has_untyped) {
      if (gres.type.empty()) check_count(gres, facts.whole);
      return;
    }
    const auto type = facts.types.find(gres.type);
    if (type == facts.types.end()) return types_[gres.name].add(gres.type);
    check_count(gres, type->second);
  }

  void check_count(const SbatchGres& gres, const GresAmount& amount) {
    const bool of_job = field_ == "tres_per_job";
    const std::int64_t most = of_job ? amount.in_all : amount.on_a_node;
    if (gres.count <= most) return;
    const std::string what = gres.type.empty() ? gres.name : gres.name + ":" + gres.type;
    findings_.add(field_,
                  (of_job ? "this cluster has " : "no node has more than ") + std::to_string(most) +
                      " of " + in_quotes(what),
                  "ask for fewer");
  }

  ClusterFindings& findings_;
  const std::string_view field_;
  const GresByName& known_;
  Unknown names_{};
  std::map<std::string, Unknown> types_{};
};

// Slurm 24.11 refuses `|`, 26.05 takes it. Those between are not said to refuse it.
bool takes_choices(const std::string& release) { return release.empty() || release >= "25.05"; }

void check_licenses(ClusterFindings& findings, const LicenseTotals& known,
                    const std::string& release) {
  const std::string* text = findings.text("licenses");
  if (text == nullptr) return;
  const RequestedLicenses asked = requested_licenses(*text);
  if (asked.is_choice && !takes_choices(release)) {
    findings.add("licenses", "Slurm " + release + " does not know `|` between licences",
                 "name the one to take");
  }
  if (asked.is_choice && asked.is_list) {
    findings.add("licenses", "`|` and `,` cannot stand together between licences",
                 "write only one of them");
  }
  Unknown unknown;
  Unknown uncounted;
  std::map<std::string, std::int64_t> sums;
  for (const auto& [name, count] : asked.licenses) {
    // A part of a hierarchical resource, e.g. flat(rack1), is for later releases.
    if (name.find('(') != std::string::npos) continue;
    if (!known.contains(name)) unknown.add(name);
    if (!count) uncounted.add(name);
    std::int64_t& sum = sums[name];
    // Bounded, so that it cannot overflow: a count has at most 18 digits.
    const std::int64_t more =
        asked.is_choice ? std::max(sum, count.value_or(0)) : sum + count.value_or(0);
    sum = std::min(more, std::int64_t{1} << 60);
  }
  unknown.tell(findings, "licenses", "this cluster has no licence ", known);
  uncounted.add_to(findings, "licenses", "there is no number behind the licence ",
                   "write e.g. matlab:2");
  for (const auto& [name, total] : known) {
    const auto sum = sums.find(name);
    if (!total || sum == sums.end() || sum->second <= *total) continue;
    findings.add("licenses",
                 "this cluster has " + std::to_string(*total) + " of " + in_quotes(name),
                 "ask for at most as many");
  }
}

// Licences for each task are only told by name: how many tasks there are is up to Slurm.
void check_task_licenses(ClusterFindings& findings, const LicenseTotals& known) {
  static constexpr std::string_view kKind = "license/";
  const std::string* text = findings.text("tres_per_task");
  if (text == nullptr) return;
  Unknown unknown;
  for (const std::string_view part : split_words(*text, ",")) {
    if (!part.starts_with(kKind)) continue;
    for (const auto& license : requested_licenses(part.substr(kKind.size())).licenses) {
      if (!known.contains(license.name)) unknown.add(license.name);
    }
  }
  unknown.tell(findings, "tres_per_task", "this cluster has no licence ", known);
}

void check_reservation(ClusterFindings& findings,
                       const std::set<std::string, std::less<>>& reservations) {
  const std::string* text = findings.text("reservation");
  if (text == nullptr) return;
  Unknown unknown;
  for (const std::string_view name : split_words(*text, ",")) {
    if (!reservations.contains(name)) unknown.add(std::string(name));
  }
  unknown.tell(findings, "reservation", "this cluster has no reservation ", reservations);
}

void check_array(ClusterFindings& findings, std::int64_t size) {
  const std::string* text = findings.text("array");
  const auto array = text == nullptr ? std::nullopt : read_array(*text);
  if (!array || array->indexes.empty()) return;
  const std::uint32_t last = array->indexes.ranges().back().last;
  if (last < size) return;
  findings.add("array",
               "the largest index on this cluster is " + std::to_string(size - 1) + ", not " +
                   std::to_string(last),
               "make several arrays of it");
}

}  // namespace

void check_names(ClusterFindings& findings, const ClusterFacts& facts) {
  if (facts.nodes) check_nodes(findings, *facts.nodes);
  if (facts.features) check_features(findings, *facts.features);
  if (facts.gres) {
    for (const std::string_view field :
         {"tres_per_job", "tres_per_node", "tres_per_socket", "tres_per_task"}) {
      GresCheck(findings, field, *facts.gres).all();
    }
  }
  if (facts.licenses) {
    check_licenses(findings, *facts.licenses, facts.slurm_release);
    check_task_licenses(findings, *facts.licenses);
  }
  if (facts.array_indexes) check_array(findings, *facts.array_indexes);
  if (facts.reservations) check_reservation(findings, *facts.reservations);
}

void check_deadline(ClusterFindings& findings, TimePoint now) {
  const auto deadline = findings.number("deadline");
  if (!deadline) return;
  const std::int64_t seconds_now =
      std::chrono::duration_cast<seconds>(now.time_since_epoch()).count();
  if (*deadline < seconds_now) {
    findings.add("deadline", "the deadline is past", "make it later, or remove it");
    return;
  }
  auto minutes = findings.number("time_minimum");
  if (!minutes) minutes = findings.number("time_limit");
  const std::int64_t begin = std::max(findings.number("begin_time").value_or(0), seconds_now);
  if (!minutes || *minutes <= (*deadline - begin) / 60) return;
  findings.add(
      "deadline",
      "the job may run for " + std::to_string(*minutes) + " minutes, which end after the deadline",
      "make the deadline later, or the time limit shorter");
}

}  // namespace sconverge
