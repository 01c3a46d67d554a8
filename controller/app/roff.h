#pragma once

#include <string>
#include <string_view>

namespace sconverge {

/// A manual page in the man(7) macros. Text is taken as it is: whatever means something to troff in
/// it is escaped.
class Roff {
 public:
  Roff(std::string_view title, int section, std::string_view source, std::string_view manual);

  void heading(std::string_view text);
  void subheading(std::string_view text);
  void paragraph(std::string_view text);
  /// A bold word and what is in italics behind it, with an explanation below.
  void item(std::string_view word, std::string_view placeholder, std::string_view explanation);
  /// Lines as they are.
  void example(std::string_view lines);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_{};
};

}  // namespace sconverge
