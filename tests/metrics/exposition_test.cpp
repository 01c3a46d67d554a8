#include "tests/metrics/exposition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "specs/utf8.h"

namespace sconverge::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

double read_number(const std::string& text) {
  if (text == "+Inf") return std::numeric_limits<double>::infinity();
  static const std::regex number(R"([-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?)");
  if (!std::regex_match(text, number)) return kNoNumber;
  return std::strtod(text.c_str(), nullptr);
}

/// Reads `name`, or `name{a="b",c="d"}`, from the front of `text`.
std::optional<Sample> read_series(const std::string& text, std::string& rest) {
  static const std::regex name("^[a-zA-Z_:][a-zA-Z0-9_:]*");
  static const std::regex label(R"re(^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)")re");
  std::smatch match;
  if (!std::regex_search(text, match, name)) return std::nullopt;
  Sample sample{.name = match.str()};
  rest = match.suffix();
  if (!rest.starts_with("{")) return sample;
  rest.erase(0, 1);
  while (!rest.starts_with("}")) {
    const std::string here = rest;
    if (!std::regex_search(here, match, label)) return std::nullopt;
    if (!sample.labels.emplace(match[1], match[2]).second) return std::nullopt;
    rest = match.suffix();
    if (rest.starts_with(",")) {
      rest.erase(0, 1);
    } else if (!rest.starts_with("}")) {
      return std::nullopt;
    }
  }
  rest.erase(0, 1);
  return sample;
}

/// The family a sample belongs to: histograms have three kinds of samples.
std::string family_of(const Exposition& exposition, const std::string& sample) {
  for (const char* ending : {"_bucket", "_count", "_sum"}) {
    if (!sample.ends_with(ending)) continue;
    const std::string stem = sample.substr(0, sample.size() - std::string(ending).size());
    const auto found = exposition.families.find(stem);
    if (found != exposition.families.end() && found->second.type == "histogram") return stem;
  }
  return sample;
}

class Reader {
 public:
  Exposition read(const std::string& text) {
    if (first_invalid_utf8(text)) wrong("is not UTF-8");
    if (!text.empty() && text.back() != '\n') wrong("does not end with a line feed");
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line); ++number_) read_line(line);
    for (const auto& [name, family] : result_.families) check_family(name, family);
    return std::move(result_);
  }

 private:
  void wrong(const std::string& what) {
    result_.errors.push_back("line " + std::to_string(number_) + ": " + what);
  }

  void read_line(const std::string& line) {
    static const std::regex help("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
    static const std::regex type("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)");
    std::smatch match;
    if (std::regex_match(line, match, help)) {
      current_ = match[1];
      if (!result_.families.emplace(current_, ExposedFamily{.help = match[2]}).second) {
        wrong("second HELP of " + current_);
      }
    } else if (std::regex_match(line, match, type)) {
      if (match[1] != current_) wrong("TYPE without HELP of " + match.str(1));
      result_.families[match[1]].type = match[2];
    } else if (line.starts_with("#") || line.empty()) {
      wrong("neither HELP, TYPE nor sample: " + line);
    } else {
      read_sample(line);
    }
  }

  void read_sample(const std::string& line) {
    std::string rest;
    auto sample = read_series(line, rest);
    if (!sample || !rest.starts_with(" ")) return wrong("no sample: " + line);
    sample->value = read_number(rest.substr(1));
    if (std::isnan(sample->value)) return wrong("no sample: " + line);
    if (family_of(result_, sample->name) != current_) wrong("sample outside its family: " + line);
    if (!series_.emplace(sample->name, sample->labels).second) wrong("series twice: " + line);
    result_.families[current_].samples.push_back(*sample);
  }

  void check_family(const std::string& name, const ExposedFamily& family) {
    number_ = 0;
    if (family.type.empty()) wrong(name + " has no TYPE");
    if (family.samples.empty()) wrong(name + " has no sample");
    if ((family.type == "counter") != name.ends_with("_total")) {
      wrong(name + ": counters, and nothing else, end in _total");
    }
    static const std::regex bad("_(milliseconds|minutes|hours|ms|count|sum|bucket|counter|gauge)$");
    if (std::regex_search(name, bad)) wrong(name + " has a unit or ending that is not allowed");
    for (const Sample& sample : family.samples) {
      if (family.type == "counter" && !(sample.value >= 0)) wrong(name + " is below 0");
    }
    if (family.type == "histogram") check_histogram(name, family);
  }

  void check_histogram(const std::string& name, const ExposedFamily& family) {
    std::map<std::map<std::string, std::string>, std::vector<Sample>> parts;
    for (const Sample& sample : family.samples) {
      auto labels = sample.labels;
      labels.erase("le");
      parts[labels].push_back(sample);
    }
    for (const auto& [labels, samples] : parts) {
      double last_bound = -std::numeric_limits<double>::infinity();
      double last_count = 0;
      double count = kNoNumber;
      bool has_sum = false;
      for (const Sample& sample : samples) {
        if (sample.name == name + "_count") count = sample.value;
        if (sample.name == name + "_sum") has_sum = true;
        if (sample.name != name + "_bucket") continue;
        const auto le = sample.labels.find("le");
        const double bound = le == sample.labels.end() ? kNoNumber : read_number(le->second);
        if (!(bound > last_bound)) wrong(name + ": bounds do not rise");
        if (sample.value < last_count) wrong(name + ": buckets are not cumulative");
        last_bound = bound;
        last_count = sample.value;
      }
      if (!std::isinf(last_bound)) wrong(name + " has no +Inf bucket");
      if (!has_sum || count != last_count) wrong(name + ": count and sum do not fit");
    }
  }

  Exposition result_;
  std::set<std::pair<std::string, std::map<std::string, std::string>>> series_;
  std::string current_;
  int number_{1};
};

const Sample* find(const Exposition& exposition, const std::string& series) {
  std::string rest;
  const auto wanted = read_series(series, rest);
  if (!wanted || !rest.empty()) return nullptr;
  const auto family = exposition.families.find(family_of(exposition, wanted->name));
  if (family == exposition.families.end()) return nullptr;
  for (const Sample& sample : family->second.samples) {
    if (sample.name == wanted->name && sample.labels == wanted->labels) return &sample;
  }
  return nullptr;
}

}  // namespace

double Exposition::value(const std::string& series) const {
  const Sample* sample = find(*this, series);
  return sample == nullptr ? kNoNumber : sample->value;
}

bool Exposition::has(const std::string& series) const { return find(*this, series) != nullptr; }

Exposition read_exposition(const std::string& text) { return Reader().read(text); }

namespace {

constexpr auto kGood =
    "# HELP a_total A.\n# TYPE a_total counter\na_total{x=\"1\",y=\"\\\"\\\\\\n\"} 3\n"
    "# HELP b_seconds B.\n# TYPE b_seconds histogram\nb_seconds_bucket{le=\"0.5\"} 1\n"
    "b_seconds_bucket{le=\"+Inf\"} 2\nb_seconds_sum 1.5\nb_seconds_count 2\n";

TEST(ExpositionReaderTest, GoodTextIsUnderstood) {
  const Exposition exposition = read_exposition(kGood);
  EXPECT_THAT(exposition.errors, IsEmpty());
  EXPECT_EQ(exposition.value("a_total{x=\"1\",y=\"\\\"\\\\\\n\"}"), 3);
  EXPECT_EQ(exposition.value("b_seconds_bucket{le=\"+Inf\"}"), 2);
  EXPECT_FALSE(exposition.has("a_total{x=\"1\"}"));
}

TEST(ExpositionReaderTest, EveryFaultIsFound) {
  const std::pair<const char*, const char*> cases[] = {
      {"# HELP a_total A.\n# TYPE a_total counter\na_total 1\na_total 2\n", "series twice"},
      {"# HELP a A.\n# TYPE a counter\na 1\n", "end in _total"},
      {"# HELP a_total A.\n# TYPE a_total gauge\na_total 1\n", "end in _total"},
      {"# HELP a_total A.\n# TYPE a_total counter\na_total -1\n", "below 0"},
      {"# HELP a_ms A.\n# TYPE a_ms gauge\na_ms 1\n", "not allowed"},
      {"# TYPE a gauge\na 1\n", "without HELP"},
      {"# HELP a A.\na 1\n", "has no TYPE"},
      {"# HELP a A.\n# TYPE a gauge\n", "has no sample"},
      {"# HELP a A.\n# TYPE a gauge\na Nan\n", "no sample"},
      {"# HELP a A.\n# TYPE a gauge\na{x=\"\n\"} 1\n", "no sample"},
      {"# HELP a A.\n# TYPE a gauge\na{x=\"1\" 1\n", "no sample"},
      {"# HELP a A.\n# TYPE a gauge\nb 1\n", "outside its family"},
      {"# HELP a A.\n# TYPE a gauge\na{x=\"\xff\"} 1\n", "not UTF-8"},
      {"# HELP a A.\n# TYPE a gauge\na 1", "line feed"},
      {"# HELP a A\n# TYPE a gauge\na 1\n# HELP a A.\n", "second HELP"},
      {"# HELP h H.\n# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n", "+Inf"},
      {"# HELP h H.\n# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\n"
       "h_sum 1\nh_count 1\n",
       "cumulative"},
      {"# HELP h H.\n# TYPE h histogram\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 2\n", "fit"},
  };
  for (const auto& [text, fault] : cases) {
    EXPECT_THAT(read_exposition(text).errors, Contains(HasSubstr(fault))) << text;
  }
}

}  // namespace
}  // namespace sconverge::test
