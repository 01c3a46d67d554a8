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
  static constexpr std::string_view kFirst = "# Refused ";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto end = line.find(": ");
    if (!line.starts_with(kFirst) || end == std::string::npos) continue;
    Refusal refusal;
    const std::string head = line.substr(kFirst.size(), end - kFirst.size());
    const auto in = head.find("in line ");
    if (head.starts_with("by ") && in != std::string::npos) refusal.by = head.substr(3, in - 4);
    std::istringstream words(head.substr(std::min(in, head.size())));
    for (std::string word; words >> word;) {
      if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
        refusal.lines.push_back(std::stoi(word));
      }
      refusal.each |= word == "and";
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
