#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "specs/problem_sink.h"

namespace sconverge {

enum class NodeKind { Null, Scalar, Sequence, Map };

/// One value of a YAML document. An alias is the same node once more, so the graph has no cycles
/// but may join.
struct DocumentNode {
  NodeKind kind{NodeKind::Null};
  bool plain{false};  ///< a scalar without quotes: may be a number or a flag
  int line{0};        ///< 1-based
  int column{0};      ///< 1-based, in bytes
  std::string text{};
  std::vector<const DocumentNode*> items{};  ///< a sequence's; a map's keys and values in turn
  int first_content_line{0};  ///< of a literal block scalar (`|`): where its text starts; else 0
  int content_indent{0};      ///< of a literal block scalar: bytes before each line of its text
};

/// The documents of one file.
struct Documents {
  std::deque<DocumentNode> nodes{};
  std::vector<const DocumentNode*> roots{};  ///< one per document that was read to its end
  bool whole{false};  ///< false: stopped early, there may be further documents; a problem says why
};

/// Parses YAML text; with `json`, JSON's escapes of characters above U+FFFF are read, too. Total:
/// never throws, needs time and memory linear in `text` whatever it holds, and a bounded stack.
///
/// REQUIRES: `text` is UTF-8.
/// PROMISES: all text of the nodes is UTF-8.
Documents parse_documents(std::string_view text, bool json, ProblemSink& problems);

}  // namespace sconverge
