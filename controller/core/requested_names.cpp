#include "controller/core/requested_names.h"

#include <algorithm>
#include <utility>

namespace sconverge {
namespace {

// The number that the text is, at most 18 digits; nothing if it is none.
std::optional<std::int64_t> number_of(std::string_view text) {
  if (text.empty() || text.size() > 18) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

class ConstraintReader {
 public:
  RequestedFeatures read(std::string_view text) {
    for (const char c : text) {
      if (std::string_view("&|,()[]").find(c) == std::string_view::npos) {
        word_ += c;
      } else {
        take(c);
      }
    }
    end_word();
    if (!open_.empty()) fault("a bracket is not closed");
    return std::move(found_);
  }

 private:
  void fault(std::string_view why) {
    if (found_.fault.empty()) found_.fault = why;
  }

  void take(char c) {
    const bool has_operand = !word_.empty() || before_ == ')' || before_ == ']';
    end_word();
    if (c == '(' || c == '[') {
      if (has_operand) fault("there is no operator before a bracket");
      open_ += c;
    } else if (c == ')' || c == ']') {
      if (!has_operand && (before_ == '(' || before_ == '[')) fault("a bracket is empty");
      if (!open_.empty() && open_.back() == (c == ')' ? '(' : '[')) {
        open_.pop_back();
      } else {
        fault("a bracket was not opened");
      }
    } else if (!has_operand) {
      fault("there is no feature before an operator");
    }
    before_ = c;
  }

  void end_word() {
    std::string word = std::exchange(word_, {});
    if (word.empty() || word.front() == '*') return;  // nothing, or a count behind a bracket
    RequestedFeature feature{.name = std::move(word)};
    const std::size_t star = feature.name.find('*');
    if (star != std::string::npos) {
      feature.nodes = number_of(std::string_view(feature.name).substr(star + 1));
      if (feature.nodes == 0) feature.nodes.reset();
      if (feature.nodes) feature.name.resize(star);
    }
    found_.features.push_back(std::move(feature));
  }

  RequestedFeatures found_{};
  std::string word_{};
  std::string open_{};
  char before_{0};  // the last operator or bracket
};

}  // namespace

RequestedFeatures requested_features(std::string_view constraint) {
  return ConstraintReader().read(constraint);
}

RequestedLicenses requested_licenses(std::string_view text) {
  RequestedLicenses found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(",;|"), text.size());
    const std::string_view part = text.substr(0, end);
    if (end < text.size()) (text[end] == '|' ? found.is_choice : found.is_list) = true;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (part.empty()) continue;
    const std::size_t split = std::min(part.find_first_of(":="), part.size());
    const std::string_view count = part.substr(std::min(split + 1, part.size()));
    found.licenses.push_back(
        {std::string(part.substr(0, split)), count.empty() ? 1 : number_of(count)});
  }
  return found;
}

}  // namespace sconverge
