#include "specs/sbatch_tres.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::string_view kGres = "gres";
constexpr std::int64_t kMaxCount = std::int64_t{1} << 52;
constexpr std::string_view kGresForms = "write e.g. gpu:2 or gpu:a100:2";

// The factor of `k`, `KiB`, `kb` and so on; 0 if it is none.
std::int64_t count_factor(std::string_view unit) {
  if (unit.empty()) return 1;
  constexpr std::string_view letters = "kmgtp";
  const std::string lower = lower_case(unit);
  const std::size_t power = letters.find(lower[0]);
  const std::string_view tail = std::string_view(lower).substr(1);
  if (power == std::string_view::npos || (!tail.empty() && tail != "ib" && tail != "b")) return 0;
  std::int64_t factor = 1;
  for (std::size_t i = 0; i <= power; ++i) factor *= tail == "b" ? 1000 : 1024;
  return factor;
}

// A count with its unit; nothing if it is none.
std::optional<std::int64_t> count_of(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const LeadingNumber number = leading_number(text);
  const std::int64_t factor = count_factor(number.rest);
  if (factor == 0) return std::nullopt;
  return number.value > kMaxCount / factor ? kMaxCount : number.value * factor;
}

// Reads what follows `gres/` in one part of a list: NAME[:TYPE][:COUNT] or NAME[:TYPE]=COUNT.
bool read_gres(std::string_view text, SbatchGres& gres) {
  std::size_t split = text.rfind('=');
  const bool equals = split != std::string_view::npos;
  if (!equals) split = text.rfind(':');
  std::string_view name = text.substr(0, split);
  bool has_type = false;
  if (split != std::string_view::npos) {
    const std::string_view last = text.substr(split + 1);
    const auto count = count_of(last);
    if (last.empty() || (!count && equals)) return false;
    has_type = !count;
    gres.count = count.value_or(1);
    if (has_type) gres.type = last;
  }
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos) {
    if (has_type) return false;
    gres.type = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  gres.name = name;
  return !name.empty() && !(split == std::string_view::npos && count_of(name));
}

}  // namespace

std::string gpus_as_tres(std::string_view gpus) {
  std::string tres;
  for (const std::string_view part : split_words(gpus, ",")) {
    tres.append(tres.empty() ? "" : ",").append("gres/gpu:").append(part);
  }
  return tres;
}

std::string gres_as_tres(std::string_view gres) {
  if (is_same_word(gres, "none")) return {};
  std::string tres;
  for (std::string_view rest = gres;;) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    std::string_view part = rest.substr(0, end);
    if (part.starts_with("gres/")) part.remove_prefix(5);
    tres.append(tres.empty() ? "gres/" : ",gres/").append(part);
    if (end == rest.size()) return tres;
    rest.remove_prefix(end + 1);
  }
}

SbatchValue<std::vector<SbatchGres>> generic_resources(std::string_view tres) {
  std::vector<SbatchGres> found;
  for (const std::string_view part : split_words(tres, ",")) {
    const std::size_t at = part.find(kGres);
    if (at == std::string_view::npos) continue;
    std::string_view text = part.substr(at + kGres.size());
    if (text.starts_with('/')) text.remove_prefix(1);
    if (text.empty()) continue;
    SbatchGres gres;
    if (!read_gres(text, gres)) {
      return refused<std::vector<SbatchGres>>(in_quotes(part) + " is no generic resource",
                                              std::string(kGresForms));
    }
    if (gres.count > 0) found.push_back(std::move(gres));
  }
  return taken(std::move(found));
}

std::string tres_per_task_form(std::string_view text) {
  if (text.find("gres:") == std::string_view::npos &&
      text.find("license:") == std::string_view::npos) {
    return std::string(text);
  }
  std::string out;
  for (const std::string_view part : split_words(text, ",")) {
    if (!out.empty()) out += ",";
    const std::size_t start = out.size();
    out += part;
    for (const std::string_view kind : {"gres:", "license:"}) {
      if (part.starts_with(kind)) out[start + kind.size() - 1] = '/';
    }
  }
  return out;
}

std::string_view forbidden_per_task(std::string_view tres) {
  constexpr std::array<std::string_view, 8> kinds = {"mem", "energy", "node",  "billing",
                                                     "fs",  "vmem",   "pages", "bb"};
  for (const std::string_view kind : kinds) {
    for (const std::string_view part : split_words(tres, ",")) {
      if (begins_with_word(part, kind)) return kind;
    }
  }
  return {};
}

std::string_view unknown_per_task(std::string_view tres) {
  constexpr std::array<std::string_view, 5> kinds = {"cpu=", "cpu:", "gres/", "license/", "cpu"};
  for (const std::string_view part : split_words(tres, ",")) {
    const bool known = std::any_of(kinds.begin(), kinds.end(), [part](std::string_view kind) {
      return kind == "cpu" ? is_same_word(part, kind) : begins_with_word(part, kind);
    });
    if (!known) return part;
  }
  return {};
}

std::optional<std::string_view> behind_name(std::string_view tres, std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (std::size_t i = 0; i + name.size() <= tres.size(); ++i) {
    if (begins_with_word(tres.substr(i), name)) return tres.substr(i + name.size());
  }
  return std::nullopt;
}

SbatchGpusPerTask gpus_per_task(std::string_view text) {
  std::size_t split = text.find(':');
  if (split == std::string_view::npos) split = text.find('=');
  SbatchGpusPerTask gpus{.name = "gres/gpu"};
  if (split != std::string_view::npos) {
    gpus.name.append(":").append(text.substr(0, split));
    text.remove_prefix(split + 1);
  }
  gpus.count = leading_number(text).value;
  return gpus;
}

std::string with_task_binding(std::string tres_bind, std::string_view tres_per_task) {
  const auto resources = generic_resources(tres_per_task);
  if (!resources.value) return tres_bind;
  for (const SbatchGres& gres : *resources.value) {
    if (tres_bind.find(gres.name) != std::string::npos) continue;
    if (!tres_bind.empty()) tres_bind += "+";
    tres_bind += "gres/" + gres.name + ":per_task:" + std::to_string(gres.count);
  }
  return tres_bind;
}

}  // namespace sconverge
