#include "specs/sbatch_words.h"

#include <utility>

#include "specs/utf8.h"

namespace sconverge {
namespace {

// Splits one directive.
class LineSplitter {
 public:
  LineSplitter(const Directive& directive, std::vector<SbatchWord>& words, SbatchFindings& findings)
      : directive_(directive), text_(directive.text), words_(words), findings_(findings) {}

  void split() {
    while (words_.size() <= kMaxSbatchWords && next_word()) {
    }
  }

 private:
  // One word; false at the end of the line.
  bool next_word() {
    skip_blanks();
    start_ = at_;
    if (at_ == text_.size() || text_[at_] == '#') return false;
    if (const std::size_t length = component_word(text_.substr(at_)); length > 0) {
      note_lost(start_, "sbatch drops " + in_quotes(text_.substr(at_, length)) +
                            " and what stands behind it on the line");
      return false;
    }
    const bool colon = text_[at_] == ':';
    if (colon) {
      findings_.refuse(at(start_, "sbatch takes no word that begins with `:`",
                          "quote it, or write a `#SBATCH` line for each part"));
    }
    std::string word;
    const bool closed = read_word(word);
    if (word.empty()) {
      if (closed) note_ending_word();
      return false;
    }
    const int column = directive_.column + static_cast<int>(start_);
    if (!colon) words_.push_back({std::move(word), directive_.line, column});
    return closed;
  }

  // False if a quote is not closed.
  bool read_word(std::string& word) {
    char quote = '\0';
    std::size_t quote_at = 0;
    while (at_ < text_.size() && (quote != '\0' || !is_sbatch_blank(text_[at_]))) {
      const char c = text_[at_];
      if (c == '\\') {
        take_escaped(word, quote != '\0');
      } else if (quote != '\0' && c == quote) {
        quote = '\0';
        ++at_;
      } else if (quote == '\0' && (c == '"' || c == '\'')) {
        quote = c;
        quote_at = at_++;
      } else if (quote == '\0' && c == '#') {
        if (at_ > start_) {
          note_lost(at_, "sbatch ends the line at the `#`, also inside a word: " +
                             in_quotes(text_.substr(at_)) + " is not read");
        }
        break;
      } else {
        word += c;
        ++at_;
      }
    }
    if (quote == '\0') return true;
    findings_.refuse(at(quote_at, std::string("the quote ") + quote + " is not closed",
                        "close it on the same line, or write \\" + std::string(1, quote)));
    return false;
  }

  // The backslash at at_ and what it escapes.
  void take_escaped(std::string& word, bool quoted) {
    const std::size_t backslash = at_++;
    if (at_ == text_.size()) {
      note_lost(backslash, "a backslash at the end of a line continues nothing for sbatch");
    } else if (quoted || text_[at_] == ' ' || !is_sbatch_blank(text_[at_])) {
      word += text_[at_++];
    }
  }

  void note_ending_word() {
    if (at_ < text_.size() && text_[at_] == '#') return;  // told already
    skip_blanks();
    if (at_ == text_.size() || text_[at_] == '#') return;
    findings_.note(at(
        start_,
        "sbatch ends the line at an empty word: " + in_quotes(text_.substr(at_)) + " is not read",
        "write an empty value as `--option=`"));
  }

  void note_lost(std::size_t offset, std::string what) {
    const bool backslash = text_[offset] == '\\';
    const bool remark = text_[offset] == '#';
    findings_.note(at(offset, std::move(what),
                      backslash ? "repeat `#SBATCH` on each line"
                      : remark  ? "put a blank before a remark, and write \\# in a value"
                                : "begin a line of its own with it, or quote a part of it"));
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_sbatch_blank(text_[at_])) ++at_;
  }

  ScriptProblem at(std::size_t offset, std::string what, std::string remedy) const {
    return {.line = directive_.line,
            .column = directive_.column + static_cast<int>(offset),
            .what = std::move(what),
            .remedy = std::move(remedy)};
  }

  const Directive& directive_;
  std::string_view text_;
  std::vector<SbatchWord>& words_;
  SbatchFindings& findings_;
  std::size_t at_{0};     // the next byte
  std::size_t start_{0};  // where the word began
};

}  // namespace

std::vector<SbatchWord> sbatch_words(std::span<const Directive> directives,
                                     SbatchFindings& findings) {
  std::vector<SbatchWord> words;
  for (const Directive& directive : directives) {
    LineSplitter(directive, words, findings).split();
    if (words.size() <= kMaxSbatchWords) continue;
    findings.refuse({.line = directive.line,
                     .column = 0,
                     .what = "the directives have more than 20000 words",
                     .remedy = "keep to one directive for each option",
                     .kind = ProblemKind::TooLarge});
    words.resize(kMaxSbatchWords);
    break;
  }
  return words;
}

}  // namespace sconverge
