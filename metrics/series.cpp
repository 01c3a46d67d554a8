#include "metrics/series.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "metrics/catalogue.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::size_t kMostLabelBytes = 128;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// All labels a family has, and no others; else the code and the catalogue disagree.
void check_labels(const MetricInfo& info, const MetricLabels& labels) {
  std::size_t count = 0;
  for (std::string_view rest = info.labels; !rest.empty(); ++count) {
    const std::string_view name = rest.substr(0, rest.find(','));
    if (!labels.contains(std::string(name))) std::abort();
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  if (count != labels.size()) std::abort();
}

/// One family a name, its series sorted and each once.
std::vector<prometheus::MetricFamily> merged(std::vector<prometheus::MetricFamily> parts) {
  std::map<std::string, prometheus::MetricFamily> families;
  for (prometheus::MetricFamily& part : parts) {
    const std::string name = part.name;
    const auto [known, is_new] = families.try_emplace(name, std::move(part));
    if (is_new) continue;
    auto& series = known->second.metric;
    std::move(part.metric.begin(), part.metric.end(), std::back_inserter(series));
  }
  std::vector<prometheus::MetricFamily> all;
  for (auto& [name, family] : families) {
    auto& series = family.metric;
    std::sort(series.begin(), series.end(),
              [](const auto& a, const auto& b) { return a.label < b.label; });
    const auto twice = [](const auto& a, const auto& b) { return a.label == b.label; };
    series.erase(std::unique(series.begin(), series.end(), twice), series.end());
    all.push_back(std::move(family));
  }
  return all;
}

std::string head_of(const MetricInfo& info) {
  const std::string name(info.name);
  return "# HELP " + name + " " + std::string(info.help) + "\n# TYPE " + name + " " +
         std::string(to_text(info.type)) + "\n";
}

}  // namespace

/// One prometheus-cpp registry a scope. The library merges families of the same name silently, and
/// what it is given stays until the family goes, so nothing else registers anything.
struct SeriesSet::Registered {
  MetricLabels fixed;
  prometheus::Registry registry{};
  std::map<std::string, prometheus::Family<prometheus::Counter>*, std::less<>> counters{};
  std::map<std::string, prometheus::Family<prometheus::Gauge>*, std::less<>> gauges{};
  std::map<std::string, prometheus::Family<prometheus::Histogram>*, std::less<>> histograms{};
  std::map<std::string, std::vector<prometheus::Gauge*>, std::less<>> members{};

  MetricLabels complete(const MetricInfo& info, const MetricLabels& labels) const {
    MetricLabels all = fixed;
    for (const auto& [name, value] : labels) all[name] = label_value(value);
    check_labels(info, all);
    return all;
  }

  template <typename Builder, typename Families>
  static auto& family(Builder builder, Families& families, prometheus::Registry& registry,
                      const MetricInfo& info) {
    auto& found = families[std::string(info.name)];
    if (found == nullptr) {
      found = &builder.Name(std::string(info.name)).Help(std::string(info.help)).Register(registry);
    }
    return *found;
  }

  prometheus::Counter& counter(const MetricInfo& info, const MetricLabels& labels) {
    return family(prometheus::BuildCounter(), counters, registry, info).Add(complete(info, labels));
  }

  prometheus::Gauge& gauge(const MetricInfo& info, const MetricLabels& labels) {
    auto& found =
        family(prometheus::BuildGauge(), gauges, registry, info).Add(complete(info, labels));
    auto& known = members[std::string(info.name)];
    if (std::find(known.begin(), known.end(), &found) == known.end()) known.push_back(&found);
    return found;
  }

  prometheus::Histogram& histogram(const MetricInfo& info, const MetricLabels& labels) {
    return family(prometheus::BuildHistogram(), histograms, registry, info)
        .Add(complete(info, labels),
             prometheus::Histogram::BucketBoundaries(info.buckets.begin(), info.buckets.end()));
  }
};

SeriesSet::SeriesSet(MetricLabels fixed) : registered_(std::make_unique<Registered>()) {
  for (auto& [name, value] : fixed) value = label_value(value);
  registered_->fixed = std::move(fixed);
}
SeriesSet::SeriesSet(SeriesSet&&) noexcept = default;
SeriesSet& SeriesSet::operator=(SeriesSet&&) noexcept = default;
SeriesSet::~SeriesSet() = default;

void SeriesSet::add(std::string_view counter, const MetricLabels& labels, double amount) {
  registered_->counter(metric_info(counter), labels).Increment(amount);
}

void SeriesSet::set(std::string_view gauge, const MetricLabels& labels, double value) {
  registered_->gauge(metric_info(gauge), labels).Set(value);
}

void SeriesSet::observe(std::string_view histogram, const MetricLabels& labels, double value) {
  registered_->histogram(metric_info(histogram), labels).Observe(value);
}

void SeriesSet::create(std::string_view family, const MetricLabels& labels) {
  const MetricInfo& info = metric_info(family);
  switch (info.type) {
    case MetricType::Counter:
      registered_->counter(info, labels);
      return;
    case MetricType::Gauge:
      registered_->gauge(info, labels);
      return;
    case MetricType::Histogram:
      registered_->histogram(info, labels);
      return;
  }
}

void SeriesSet::forget(std::string_view gauge) {
  const auto members = registered_->members.find(gauge);
  if (members == registered_->members.end()) return;
  auto* family = registered_->gauges.find(gauge)->second;
  for (prometheus::Gauge* member : members->second) family->Remove(member);
  registered_->members.erase(members);
}

struct Collected::Families {
  std::vector<prometheus::MetricFamily> families{};
  std::map<std::string, std::shared_ptr<const std::string>, std::less<>> lines{};
};

Collected::Collected() : families_(std::make_unique<Families>()) {}
Collected::Collected(Collected&&) noexcept = default;
Collected& Collected::operator=(Collected&&) noexcept = default;
Collected::~Collected() = default;

void Collected::add(const SeriesSet& set) {
  for (prometheus::MetricFamily& family : set.registered_->registry.Collect()) {
    if (!family.metric.empty()) families_->families.push_back(std::move(family));
  }
}

void Collected::add(std::string_view family, std::shared_ptr<const std::string> lines) {
  families_->lines.insert_or_assign(std::string(family), std::move(lines));
}

std::string Collected::text() && {
  std::map<std::string_view, std::string> texts;
  for (auto& family : merged(std::move(families_->families))) {
    const MetricInfo& info = metric_info(family.name);
    texts.emplace(info.name, prometheus::TextSerializer().Serialize({std::move(family)}));
  }
  for (const auto& [name, lines] : families_->lines) {
    const MetricInfo& info = metric_info(name);
    texts.emplace(info.name, head_of(info) + *lines);
  }
  std::string text;
  for (const auto& [name, part] : texts) text += part;
  return text;
}

std::string text_of(const std::vector<const SeriesSet*>& sets) {
  Collected collected;
  for (const SeriesSet* set : sets) collected.add(*set);
  return std::move(collected).text();
}

std::string label_value(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const auto invalid = first_invalid_utf8(text);
    clean += text.substr(0, invalid.value_or(text.size()));
    if (!invalid) break;
    clean += kReplacement;
    text.remove_prefix(*invalid + 1);
  }
  if (clean.size() <= kMostLabelBytes) return clean;
  std::size_t end = kMostLabelBytes;
  while ((static_cast<unsigned char>(clean[end]) & 0xC0U) == 0x80U) --end;
  return clean.substr(0, end);
}

std::string escaped_label(std::string_view text) {
  std::string escaped;
  for (const char c : label_value(text)) {
    if (c == '\n') {
      escaped += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace sconverge
