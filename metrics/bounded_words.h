#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

namespace sconverge {

/// Keeps a label whose words come from elsewhere from filling the memory of everybody who scrapes.
class BoundedWords {
 public:
  /// `known` are told apart whatever comes, and count.
  explicit BoundedWords(std::size_t most, std::set<std::string> known = {})
      : most_(most), words_(std::move(known)) {}

  /// `word` itself if it is one of the first `most` different ones, else "other".
  std::string of(const std::string& word) {
    if (words_.size() < most_) words_.insert(word);
    return words_.contains(word) ? word : "other";
  }

 private:
  std::size_t most_;
  std::set<std::string> words_;
};

}  // namespace sconverge
