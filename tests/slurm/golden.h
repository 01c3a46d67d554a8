#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "controller/ports/transport.h"
#include "controller/slurm/answer.h"

namespace sconverge::test {

/// An answer of a real slurmrestd 24.11.5, byte for byte (but `job_resources` taken out).
inline std::string recorded(const std::string& name) {
  const std::string path = std::string(SCONVERGE_SOURCE_DIR) + "/tests/data/slurmrestd/" + name;
  const std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Text that arrives in pieces of `piece` bytes.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string text, std::size_t piece = 4096)
      : text_(std::move(text)), rest_(text_), piece_(piece) {}

  std::string_view next() override {
    const std::string_view bytes = rest_.substr(0, piece_);
    rest_.remove_prefix(bytes.size());
    return bytes;
  }

 private:
  const std::string text_;
  std::string_view rest_;
  std::size_t piece_;
};

inline AnswerBody read_text(const std::string& text, RowKind kind = RowKind::Live,
                            KeepRow keep = keep_all, std::size_t piece = 4096) {
  TextSource source(text, piece);
  return read_answer(source, kind, keep);
}

}  // namespace sconverge::test
