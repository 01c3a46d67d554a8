#include "controller/slurm/wire_resource_facts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "controller/core/one_line.h"
#include "controller/slurm/wire_stream.h"
#include "specs/sbatch_tres.h"

namespace sconverge {
namespace {

/// Reads the list `rows`; the members "meta" and "errors" of a good answer, nothing of another one.
std::optional<JsonValue> read_rows(ByteSource& answer, std::string_view rows,
                                   std::vector<std::string_view> row_members,
                                   const std::function<void(const JsonValue&)>& on_row) {
  auto members = read_filtered(answer, {{"errors", "meta"}, rows, std::move(row_members)}, on_row);
  if (!members || !(*members)[rows].is_list() || !(*members)["errors"].items().empty()) {
    return std::nullopt;
  }
  return members;
}

/// The parts of "gpu:a100:4(S:0-1),scratch:1000": at commas that are not within brackets, which
/// may hold a list of sockets or indexes, and without these.
std::vector<std::string> gres_parts(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (depth == 0 && c == ',') {
      parts.emplace_back();
    } else if (depth == 0) {
      parts.back() += c;
    }
    if (c == ')' && depth > 0) --depth;
  }
  return parts;
}

/// "gpu:no_consume:4" is "gpu:4" for who asks how many there are.
std::string without_flags(std::string part) {
  static constexpr std::string_view kFlag = ":no_consume";
  const std::size_t at = part.find(kFlag);
  const std::size_t end = at + kFlag.size();
  if (at != std::string::npos && (end == part.size() || part[end] == ':')) {
    part.erase(at, kFlag.size());
  }
  return part;
}

void add_amount(GresAmount& amount, std::int64_t on_this_node) {
  amount.on_a_node = std::max(amount.on_a_node, on_this_node);
  // Bounded, so that no sum of hostile numbers overflows.
  amount.in_all = std::min(amount.in_all + on_this_node, std::int64_t{1} << 60);
}

/// What one node has, added to what the others have.
void add_gres(const std::string& text, GresByName& all) {
  std::map<std::string, std::map<std::string, std::int64_t>> here;
  for (const std::string& part : gres_parts(text)) {
    const auto gres = generic_resources("gres/" + without_flags(part));
    if (!gres.value) continue;
    for (const auto& [name, type, count] : *gres.value) {
      std::int64_t& sum = here[name][type];
      sum = std::min(sum + std::min(count, std::int64_t{1} << 60), std::int64_t{1} << 60);
    }
  }
  for (const auto& [name, types] : here) {
    GresFacts& facts = all[name];
    std::int64_t sum = 0;
    for (const auto& [type, count] : types) {
      sum = std::min(sum + count, std::int64_t{1} << 60);
      if (type.empty()) {
        facts.has_untyped = true;
      } else {
        add_amount(facts.types[type], count);
      }
    }
    add_amount(facts.whole, sum);
  }
}

/// A list of texts, or one text with commas.
void add_words(const JsonValue& value, std::set<std::string>& words) {
  for (const JsonValue* item : value.items()) {
    for (const std::string_view word : split_words(item->text(), ",")) words.emplace(word);
  }
}

}  // namespace

std::optional<NodesTold> nodes_in(ByteSource& answer) {
  NodesTold told;
  const auto on_row = [&](const JsonValue& row) {
    // What is not shown to everybody has a row without a name.
    if (row["name"].text().empty()) return;
    told.names.insert(row["name"].text());
    std::set<std::string> features;
    add_words(row["features"], features);
    add_words(row["active_features"], features);
    for (const std::string& feature : features) ++told.features[feature];
    add_gres(row["gres"].text(), told.gres);
  };
  if (!read_rows(answer, "nodes", {"name", "features", "active_features", "gres"}, on_row)) {
    return std::nullopt;
  }
  return told;
}

std::optional<LicensesTold> licenses_in(ByteSource& answer) {
  LicensesTold told;
  const auto on_row = [&](const JsonValue& row) {
    const std::string& name = row["LicenseName"].text();
    if (name.empty()) return;
    const auto* is_remote = std::get_if<bool>(&row["Remote"].held);
    const bool is_local = is_remote != nullptr && !*is_remote;
    told.totals[name] = is_local ? row["Total"].number() : std::nullopt;
  };
  const auto members = read_rows(answer, "licenses", {"LicenseName", "Total", "Remote"}, on_row);
  if (!members) return std::nullopt;
  told.slurm_release = one_line((*members)["meta"]["slurm"]["release"].text(), 40);
  return told;
}

std::optional<std::set<std::string, std::less<>>> reservations_in(ByteSource& answer) {
  std::set<std::string, std::less<>> names;
  const auto on_row = [&](const JsonValue& row) {
    if (!row["name"].text().empty()) names.insert(row["name"].text());
  };
  if (!read_rows(answer, "reservations", {"name"}, on_row)) return std::nullopt;
  return names;
}

std::optional<std::int64_t> array_size_in(ByteSource& answer) {
  const auto members = read_filtered(answer, {{"slurm_conf"}, "", {}}, [](const JsonValue&) {});
  if (!members) return std::nullopt;
  return (*members)["slurm_conf"]["MaxArraySize"].number();
}

}  // namespace sconverge
