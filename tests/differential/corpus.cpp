#include "tests/differential/corpus.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sconverge::test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The option that a word begins with, as it is written; empty if it begins with none.
std::string option_of(std::string word) {
  std::erase_if(word, [](char c) { return c == '"' || c == '\''; });
  if (word.size() < 2 || word[0] != '-') return "";
  return word[1] == '-' ? word.substr(0, word.find('=')) : word.substr(0, 2);
}

}  // namespace

std::vector<CorpusScript> corpus(const std::string& folder) {
  std::vector<CorpusScript> scripts;
  const std::filesystem::path directory = SCONVERGE_SOURCE_DIR "/tests/differential/" + folder;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    scripts.push_back({entry.path().stem().string(), text_of(entry.path())});
  }
  std::sort(scripts.begin(), scripts.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return scripts;
}

Refusal refusal_in(const std::string& text) {
  static constexpr std::string_view kBy = "# Refused by the cluster in line ";
  static constexpr std::string_view kIn = "# Refused in line ";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Refusal refusal;
    refusal.by_the_cluster = line.starts_with(kBy);
    if (!refusal.by_the_cluster && !line.starts_with(kIn)) continue;
    std::istringstream words(line.substr(refusal.by_the_cluster ? kBy.size() : kIn.size()));
    for (std::string word; words >> word;) {
      if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
        refusal.lines.push_back(std::stoi(word));
      }
      refusal.each |= word == "and";
      if (word.ends_with(':')) break;
    }
    return refusal;
  }
  return {};
}

std::vector<std::string> options_in(const std::string& text) {
  std::vector<std::string> options;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#SBATCH")) continue;
    std::istringstream words(line.substr(std::string_view("#SBATCH").size()));
    for (std::string word; words >> word;) {
      if (auto option = option_of(word); !option.empty()) options.push_back(std::move(option));
    }
  }
  return options;
}

}  // namespace sconverge::test
