#include "specs/document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <optional>
#include <sstream>

namespace sconverge {
namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxNodes = 200'000;
// Bytes and values that all aliases of a document may stand for, were they written out.
constexpr std::size_t kMaxAliased = 1024 * 1024;

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

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {
    open_.clear();
    anchors_.clear();
    aliased_ = 0;
    root_ = nullptr;
  }
  void OnDocumentEnd() override {
    if (!stopped_ && root_ != nullptr) documents_.roots.push_back(root_);
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (Node* node = make(mark, NodeKind::Null, "")) close({node, anchor, 1});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node* node = make(mark, NodeKind::Scalar, tag);
    if (node == nullptr) return;
    node->plain = tag == "?";
    node->text = value;
    if (starts_literal_block(mark)) node->first_content_line = node->line + 1;
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
    Node* node;
    YAML::anchor_t anchor;
    std::size_t weight;  // bytes and values in it, with aliases written out
  };

  void stop(const YAML::Mark& mark, std::string what, std::string remedy, ProblemKind kind) {
    stopped_ = true;
    problems_.add({.file = "",
                   .line = mark.line + 1,
                   .column = mark.column + 1,
                   .field = "",
                   .what = std::move(what),
                   .remedy = std::move(remedy),
                   .kind = kind});
  }

  Node* make(const YAML::Mark& mark, NodeKind kind, const std::string& tag) {
    if (stopped_) return nullptr;
    if (documents_.nodes.size() >= kMaxNodes) {
      stop(mark, "more than 200,000 values in one file", "split the file", ProblemKind::TooLarge);
      return nullptr;
    }
    if (!tag.empty() && tag != "?" && tag != "!") {
      problems_.add({.file = "",
                     .line = mark.line + 1,
                     .column = mark.column + 1,
                     .field = "",
                     .what = "the tag `" + tag.substr(0, 60) + "` is not supported",
                     .remedy = "remove the tag; put quotes around what is meant as text"});
    }
    Node& node = documents_.nodes.emplace_back();
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
    if (Node* node = make(mark, kind, tag)) open_.push_back({node, anchor, 1});
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

  void add(const Node* node, std::size_t weight) {
    if (open_.empty()) {
      root_ = node;
    } else {
      open_.back().node->items.push_back(node);
      open_.back().weight += weight;
    }
  }

  [[nodiscard]] bool starts_literal_block(const YAML::Mark& mark) const {
    const auto line = static_cast<std::size_t>(mark.line);
    if (line >= line_starts_.size()) return false;
    const std::size_t at = line_starts_[line] + static_cast<std::size_t>(mark.column);
    return at < text_.size() && text_[at] == '|';
  }

  Documents& documents_;
  ProblemSink& problems_;
  std::string_view text_{};
  std::vector<std::size_t> line_starts_{};
  std::vector<Open> open_{};
  std::map<YAML::anchor_t, Open> anchors_{};
  std::size_t aliased_{0};
  const Node* root_{nullptr};
  bool stopped_{false};
};

Problem syntax_problem(const YAML::Mark& mark, const std::string& what) {
  return {.file = "",
          .line = mark.is_null() ? 0 : mark.line + 1,
          .column = mark.is_null() ? 0 : mark.column + 1,
          .field = "",
          .what = "not valid YAML: " + what,
          .remedy = "check indentation, quotes, brackets and colons up to here",
          .kind = ProblemKind::Syntax};
}

}  // namespace

Documents parse_documents(std::string_view text, ProblemSink& problems) {
  Documents documents;
  Builder builder(text, documents, problems);
  try {
    std::istringstream stream{std::string(text)};
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
