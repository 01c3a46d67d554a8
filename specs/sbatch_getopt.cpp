#include "specs/sbatch_getopt.h"

#include <algorithm>
#include <utility>

#include "specs/near_miss.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

std::string_view name_of(const OptionRow& row) {
  return row.alias_of.empty() ? row.name : row.alias_of;
}

std::string long_form(const OptionRow& row) { return "`--" + std::string(row.name) + "`"; }

// What a word that is no option most likely shows.
std::string stray_remedy(std::string_view word, const GivenOption* before) {
  if (word.find("\xC2\xA0") != std::string_view::npos) {
    return "write common blanks: the word holds a no-break space (U+00A0)";
  }
  for (const std::string_view dash : {"\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x88\x92"}) {
    if (word.starts_with(dash)) return "write `--`: the word begins with a long dash";
  }
  if (before != nullptr && before->row->takes == TakesValue::Optional && !before->value) {
    return "write the value of " + long_form(*before->row) + " behind a `=`";
  }
  if (before != nullptr && before->value) {
    return "quote a value that holds blanks, and write remarks behind a `#`";
  }
  return "begin options with `-` or `--`, and write remarks behind a `#`";
}

class OptionReader {
 public:
  OptionReader(std::span<const SbatchWord> words, const OptionGrammar& grammar,
               SbatchFindings& findings)
      : words_(words), grammar_(grammar), findings_(findings) {}

  std::vector<GivenOption> read() {
    while (at_ < words_.size() && !full_) {
      word_ = &words_[at_++];
      const std::string_view text = word_->text;
      if (text == "--") {
        end_of_options();
      } else if (text.starts_with("--")) {
        long_option(text.substr(2));
      } else if (text.starts_with('-') && text.size() > 1) {
        short_options(text.substr(1));
      } else {
        stray_words();
      }
    }
    return std::move(options_);
  }

 private:
  void long_option(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const OptionRow* row = find_long(name);
    if (row == nullptr) {
      if (equals == std::string_view::npos) skip_value();
      return;
    }
    std::optional<std::string> value;
    if (equals != std::string_view::npos) value = text.substr(equals + 1);
    if (value && row->takes == TakesValue::No) {
      refuse(*row, long_form(*row) + " takes no value", "leave out `=` and what stands behind it");
      return;
    }
    add(*row, std::move(value), word_->text);
  }

  // The option of this name or abbreviation; null, and refused, if there is none or more than one.
  const OptionRow* find_long(std::string_view name) {
    const OptionRow* found = nullptr;
    std::string possible;
    int matches = 0;
    for (const OptionRow& row : grammar_.rows) {
      if (row.name.empty() || !row.name.starts_with(name)) continue;
      if (row.name == name) return &row;
      found = &row;
      if (++matches <= 6) possible += (possible.empty() ? "" : ", ") + long_form(row);
    }
    if (matches == 1) return found;
    const std::string option = "--" + std::string(name);
    if (matches == 0) {
      refuse_unknown(option, name);
    } else {
      refuse({}, in_quotes(option) + " is an abbreviation of more than one option",
             "write " + possible + (matches > 6 ? ", ..." : ""));
    }
    return nullptr;
  }

  void short_options(std::string_view letters) {
    note_single_dash(letters);
    for (std::size_t i = 0; i < letters.size() && !full_; ++i) {
      const OptionRow* row = find_short(letters[i]);
      if (row == nullptr) {
        refuse_unknown("-" + std::string(1, letters[i]), letters.substr(0, letters.find('=')));
        if (i + 1 == letters.size()) skip_value();
        return;
      }
      std::string text = "-" + std::string(1, row->letter);
      std::optional<std::string> value;
      if (row->takes != TakesValue::No && i + 1 < letters.size()) value = letters.substr(i + 1);
      if (value) {
        text += *value;
        note_equals(*row, *value);
      }
      add(*row, std::move(value), std::move(text));
      if (row->takes != TakesValue::No) return;
    }
  }

  const OptionRow* find_short(char letter) const {
    const auto found = std::find_if(grammar_.rows.begin(), grammar_.rows.end(),
                                    [&](const OptionRow& row) { return row.letter == letter; });
    return letter == '\0' || found == grammar_.rows.end() ? nullptr : &*found;
  }

  // Adds an option, with the next word as its value if it needs one and has none.
  void add(const OptionRow& row, std::optional<std::string> value, std::string text) {
    const SbatchWord& first = *word_;
    if (options_.size() == kMaxSbatchWords) {
      full_ = true;
      refuse({}, "the directives have more than 20000 options", "write each option once");
      return;
    }
    if (row.takes == TakesValue::Required && !value) {
      if (at_ == words_.size()) {
        refuse(row, in_quotes(text) + " has no value", "write " + example(row));
        return;
      }
      const SbatchWord& next = words_[at_++];
      note_taken(row, text, next);
      value = next.text;
      text += " " + next.text;
    }
    options_.push_back({.row = &row,
                        .value = std::move(value),
                        .line = first.line,
                        .column = first.column,
                        .text = std::move(text)});
  }

  void end_of_options() {
    if (at_ == words_.size()) return;
    refuse({}, "`--` ends the options, and " + in_quotes(words_[at_].text) + " stands behind it",
           "leave out the `--`");
  }

  // A word that is no option, with those behind it on the line.
  void stray_words() {
    const bool same_line = !options_.empty() && options_.back().line == word_->line;
    refuse({}, in_quotes(word_->text) + " is no option",
           stray_remedy(word_->text, same_line ? &options_.back() : nullptr));
    skip_value();
  }

  // The words up to the next option of the line: they belong to one that was refused.
  void skip_value() {
    while (at_ < words_.size() && words_[at_].line == word_->line &&
           !words_[at_].text.starts_with('-')) {
      ++at_;
    }
  }

  // `name` is the rest of the word, which tells more than one letter does.
  void refuse_unknown(const std::string& option, std::string_view name) {
    if (findings_.problems.size() >= kMaxFindings) return;
    refuse({}, in_quotes(option) + " is no option of " + std::string(grammar_.directive) + " lines",
           unknown_remedy(option, name));
  }

  std::string unknown_remedy(const std::string& option, std::string_view name) const {
    if (const OptionRow* row = row_named(name)) return "write " + long_form(*row);
    if (const auto remedy = grammar_.replacement(option); !remedy.empty()) {
      return std::string(remedy);
    }
    std::vector<std::string_view> names;
    for (const OptionRow& row : grammar_.rows) names.push_back(row.name);
    const std::string_view near = near_miss(name, names);
    return near.empty() ? "correct it or leave it out"
                        : "did you mean `--" + std::string(near) + "`?";
  }

  const OptionRow* row_named(std::string_view name) const {
    if (name.size() < 2) return nullptr;  // rows without a long name
    const auto found = std::find_if(grammar_.rows.begin(), grammar_.rows.end(),
                                    [&](const OptionRow& row) { return row.name == name; });
    return found == grammar_.rows.end() ? nullptr : &*found;
  }

  // `-nodes=2` is `-n odes=2`.
  void note_single_dash(std::string_view letters) {
    const std::string_view name = letters.substr(0, letters.find('='));
    const OptionRow* row = find_short(letters[0]);
    const OptionRow* meant = row_named(name);
    if (row == nullptr || row->takes == TakesValue::No || meant == nullptr) return;
    note(*row,
         in_quotes(word_->text) + " has one dash: it is read as " +
             in_quotes("-" + std::string(1, row->letter) + " " + std::string(letters.substr(1))),
         "write " + long_form(*meant));
  }

  void note_equals(const OptionRow& row, std::string_view value) {
    if (!value.starts_with('=')) return;
    note(row, "the value of `-" + std::string(1, row.letter) + "` is " + in_quotes(value),
         "leave out the `=`, or write " + example(row));
  }

  void note_taken(const OptionRow& row, const std::string& option, const SbatchWord& value) {
    const bool other_line = value.line != word_->line;
    if (!other_line && !value.text.starts_with("--")) return;
    note(row,
         in_quotes(option) + " takes " + in_quotes(value.text) + " for its value" +
             (other_line ? ", from line " + std::to_string(value.line) : ""),
         "write " + example(row));
  }

  std::string example(const OptionRow& row) const {
    const bool of_sbatch = grammar_.directive == "#SBATCH";
    return (of_sbatch ? "`--" + std::string(row.name) + "=`"
                      : "`-" + std::string(1, row.letter) + "`") +
           " with its value behind it";
  }

  void refuse(const OptionRow& row, std::string what, std::string remedy) {
    findings_.refuse(here(row, std::move(what), std::move(remedy)));
  }
  void note(const OptionRow& row, std::string what, std::string remedy) {
    findings_.note(here(row, std::move(what), std::move(remedy)));
  }
  ScriptProblem here(const OptionRow& row, std::string what, std::string remedy) const {
    return {.line = word_->line,
            .column = word_->column,
            .option = std::string(name_of(row)),
            .what = std::move(what),
            .remedy = std::move(remedy)};
  }

  std::span<const SbatchWord> words_;
  const OptionGrammar& grammar_;
  SbatchFindings& findings_;
  std::size_t at_{0};                // the next word
  const SbatchWord* word_{nullptr};  // the word that began what is being read
  std::vector<GivenOption> options_{};
  bool full_{false};  // there are more options than fit
};

}  // namespace

std::vector<GivenOption> read_options(std::span<const SbatchWord> words,
                                      const OptionGrammar& grammar, SbatchFindings& findings) {
  return OptionReader(words, grammar, findings).read();
}

}  // namespace sconverge
