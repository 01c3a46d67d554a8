#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sconverge {

/// A set of indexes of a job array's tasks, small however many they are in a row: sorted ranges
/// that neither overlap nor touch.
class IndexSet {
 public:
  struct Range {
    std::uint32_t first{0};
    std::uint32_t last{0};  ///< included; not below `first`

    friend bool operator==(const Range&, const Range&) = default;
  };

  IndexSet() = default;

  /// The indexes of all ranges, which may overlap and come in any order.
  static IndexSet of(std::vector<Range> ranges);

  /// Constant time for an index above all others, linear for one that is not.
  void add(std::uint32_t index);

  [[nodiscard]] bool contains(std::uint32_t index) const;
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const std::vector<Range>& ranges() const { return ranges_; }

  /// What is in this or in `other`; what is in this and not in `other`. Linear.
  [[nodiscard]] IndexSet with(const IndexSet& other) const;
  [[nodiscard]] IndexSet without(const IndexSet& other) const;

  friend bool operator==(const IndexSet&, const IndexSet&) = default;

 private:
  std::vector<Range> ranges_{};
};

/// In the notation of `sbatch --array`: "0-3,7,10-30:5"; equal sets have equal text. Empty for no
/// index. Ends in "..." behind the last part that fits if it would be longer than `limit` bytes.
std::string to_text(const IndexSet& indexes, std::size_t limit = std::string::npos);

/// Reads what `to_text` writes, in any order; nothing if `text` is anything else (cut text, too),
/// or names an index above 4000000, which no array has. Linear in the text and in the largest
/// index.
std::optional<IndexSet> index_set_from(std::string_view text);

}  // namespace sconverge
