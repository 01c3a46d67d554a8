#include "specs/document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxNodes = 200'000;
// Bytes and values that all aliases of a document may stand for, were they written out.
constexpr std::size_t kMaxAliased = std::size_t{1024} * 1024;

constexpr std::string_view kSyntaxRemedy =
    "check indentation, quotes, brackets and colons up to here";

// Makes nodes of yaml-cpp's events. After a limit is passed it takes no further event.
class Builder final : public YAML::EventHandler {
 public:
  Builder(std::string_view text, Documents& documents, ProblemSink& problems)
      : documents_(documents), problems_(problems) {
    line_starts_.push_back(0);
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
      line_starts_.push_back(at + 1);
    }
    text_ = text;
  }

  [[nodiscard]] bool stopped() const { return stopped_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    // yaml-cpp 0.7 makes empty documents without end of a comma outside of any value.
    if (mark.pos == last_start_ && !stopped_) {
      if (!documents_.roots.empty()) documents_.roots.pop_back();
      stop(mark, "not valid YAML: unexpected " + in_quotes(text_.substr(offset_of(mark), 1)),
           std::string(kSyntaxRemedy), ProblemKind::Syntax);
    }
    last_start_ = mark.pos;
    open_.clear();
    anchors_.clear();
    aliased_ = 0;
    root_ = nullptr;
  }
  void OnDocumentEnd() override {
    if (!stopped_ && root_ != nullptr) documents_.roots.push_back(root_);
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    DocumentNode* node = make(mark, NodeKind::Null, "");
    if (node == nullptr) return;
    // What is not there is marked where the next thing begins; its key says better where it is.
    if (!open_.empty() && open_.back().node->kind == NodeKind::Map &&
        open_.back().node->items.size() % 2 == 1) {
      node->line = open_.back().node->items.back()->line;
      node->column = open_.back().node->items.back()->column;
    }
    close({node, anchor, 1});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    DocumentNode* node = make(mark, NodeKind::Scalar, tag);
    if (node == nullptr) return;
    node->plain = tag == "?";
    node->text = value;
    if (first_invalid_utf8(value)) {
      // yaml-cpp 0.7 makes of these two escapes a byte where it should make a character.
      add_problem(mark, "the escape `\\N` or `\\_` is not supported", "write `\\x85` or `\\xa0`",
                  ProblemKind::Schema);
      node->text.clear();
    }
    if (starts_literal_block(mark)) {
      node->first_content_line = node->line + 1;
      node->content_indent = content_indent(node->line, value);
    }
    close({node, anchor, 1 + value.size()});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, NodeKind::Sequence, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, NodeKind::Map, tag, anchor);
  }
  void OnSequenceEnd() override { close_collection(); }
  void OnMapEnd() override { close_collection(); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (stopped_) return;
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      return stop(mark, "an alias inside the value that it repeats", "write the value out",
                  ProblemKind::Schema);
    }
    aliased_ += found->second.weight;
    if (aliased_ > kMaxAliased) {
      return stop(mark, "the aliases of this document stand for more than 1 MiB",
                  "write the values out, or use fewer aliases", ProblemKind::TooLarge);
    }
    add(found->second.node, found->second.weight);
  }

 private:
  struct Open {
    DocumentNode* node;
    YAML::anchor_t anchor;
    std::size_t weight;  // bytes and values in it, with aliases written out
  };

  void stop(const YAML::Mark& mark, std::string what, std::string remedy, ProblemKind kind) {
    stopped_ = true;
    add_problem(mark, std::move(what), std::move(remedy), kind);
  }

  void add_problem(const YAML::Mark& mark, std::string what, std::string remedy, ProblemKind kind) {
    problems_.add({.file = "",
                   .line = mark.line + 1,
                   .column = mark.column + 1,
                   .field = "",
                   .what = std::move(what),
                   .remedy = std::move(remedy),
                   .kind = kind});
  }

  DocumentNode* make(const YAML::Mark& mark, NodeKind kind, const std::string& tag) {
    if (stopped_) return nullptr;
    if (documents_.nodes.size() >= kMaxNodes) {
      stop(mark, "more than 200,000 values in one file", "split the file", ProblemKind::TooLarge);
      return nullptr;
    }
    if (!tag.empty() && tag != "?" && tag != "!") {
      add_problem(mark, "the tag " + in_quotes(tag) + " is not supported",
                  "remove the tag; put quotes around what is meant as text", ProblemKind::Schema);
    }
    DocumentNode& node = documents_.nodes.emplace_back();
    node.kind = kind;
    node.line = mark.line + 1;
    node.column = mark.column + 1;
    return &node;
  }

  void open(const YAML::Mark& mark, NodeKind kind, const std::string& tag, YAML::anchor_t anchor) {
    if (!stopped_ && open_.size() >= kMaxDepth) {
      stop(mark, "nested more than " + std::to_string(kMaxDepth) + " deep",
           "a spec needs at most six levels", ProblemKind::TooLarge);
    }
    if (DocumentNode* node = make(mark, kind, tag)) open_.push_back({node, anchor, 1});
  }

  void close_collection() {
    if (stopped_) return;
    const Open done = open_.back();
    open_.pop_back();
    close(done);
  }

  void close(const Open& done) {
    if (done.anchor != YAML::NullAnchor) anchors_[done.anchor] = done;
    add(done.node, done.weight);
  }

  void add(const DocumentNode* node, std::size_t weight) {
    if (open_.empty()) {
      root_ = node;
    } else {
      open_.back().node->items.push_back(node);
      open_.back().weight += weight;
    }
  }

  [[nodiscard]] std::size_t offset_of(const YAML::Mark& mark) const {
    const auto line = static_cast<std::size_t>(mark.line);
    if (line >= line_starts_.size()) return text_.size();
    return std::min(line_starts_[line] + static_cast<std::size_t>(mark.column), text_.size());
  }
  [[nodiscard]] bool starts_literal_block(const YAML::Mark& mark) const {
    const std::size_t at = offset_of(mark);
    return at < text_.size() && text_[at] == '|';
  }

  // How much further in the first line with something in it stands in the file than in `value`.
  [[nodiscard]] int content_indent(int header_line, std::string_view value) const {
    const std::size_t first = value.find_first_not_of(" \n");
    if (first == value.npos) return 0;
    const auto above =
        std::count(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(first), '\n');
    const auto line = static_cast<std::size_t>(header_line) + static_cast<std::size_t>(above);
    if (line >= line_starts_.size()) return 0;
    const std::size_t in_file = text_.find_first_not_of(' ', line_starts_[line]);
    const std::size_t line_start = value.rfind('\n', first) + 1;  // npos + 1 is 0
    const std::size_t leading = first - line_start;
    if (in_file == text_.npos || in_file - line_starts_[line] < leading) return 0;
    return static_cast<int>(in_file - line_starts_[line] - leading);
  }

  Documents& documents_;
  ProblemSink& problems_;
  std::string_view text_{};
  std::vector<std::size_t> line_starts_{};
  std::vector<Open> open_{};
  std::map<YAML::anchor_t, Open> anchors_{};
  std::size_t aliased_{0};
  int last_start_{-1};
  const DocumentNode* root_{nullptr};
  bool stopped_{false};
};

Problem syntax_problem(const YAML::Mark& mark, const std::string& what) {
  return {.file = "",
          .line = mark.is_null() ? 0 : mark.line + 1,
          .column = mark.is_null() ? 0 : mark.column + 1,
          .field = "",
          .what = "not valid YAML: " + what,
          .remedy = std::string(kSyntaxRemedy),
          .kind = ProblemKind::Syntax};
}

std::optional<unsigned> hex_unit(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "\\u" || at + 6 > text.size()) return std::nullopt;
  unsigned unit = 0;
  const char* end = text.data() + at + 6;
  const auto read = std::from_chars(text.data() + at + 2, end, unit, 16);
  return read.ec == std::errc{} && read.ptr == end ? std::optional(unit) : std::nullopt;
}

// JSON writes a character above U+FFFF as two escapes (`\ud83d\ude00`), which YAML does not know.
std::string join_surrogates(std::string_view json) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t next = json.find('\\'); next < json.size(); next = json.find('\\', at)) {
    out += json.substr(at, next - at);
    at = next;
    const auto high = hex_unit(json, at);
    const auto low = hex_unit(json, at + 6 < json.size() ? at + 6 : json.size());
    if (high && low && *high >> 10U == 0x36 && *low >> 10U == 0x37) {
      std::array<char, 11> escape{};
      std::snprintf(escape.data(), escape.size(), "\\U%08X",
                    0x10000 + ((*high & 0x3FFU) << 10U) + (*low & 0x3FFU));
      out += escape.data();
      at += 12;
    } else {
      out += json.substr(at, 2);
      at = std::min(at + 2, json.size());
    }
  }
  return out.append(json.substr(at));
}

}  // namespace

Documents parse_documents(std::string_view text, bool json, ProblemSink& problems) {
  Documents documents;
  std::string source = json ? join_surrogates(text) : std::string(text);
  // yaml-cpp 0.7 takes a quote that is never closed, if the file's last byte is a line feed. A
  // comment is none of the text outside of quotes, and inside shows the error.
  if (source.ends_with('\n')) source += '#';
  Builder builder(source, documents, problems);
  try {
    std::istringstream stream{source};
    YAML::Parser parser(stream);
    while (!builder.stopped() && parser.HandleNextDocument(builder)) {
    }
    documents.whole = !builder.stopped();
  } catch (const YAML::Exception& error) {
    // After a limit the builder has said what is wrong, and yaml-cpp may trip over the same thing.
    if (!builder.stopped()) problems.add(syntax_problem(error.mark, error.msg));
  } catch (const std::exception& error) {
    problems.add(syntax_problem(YAML::Mark::null_mark(), error.what()));
  }
  return documents;
}

}  // namespace sconverge
