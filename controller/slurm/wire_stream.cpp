#include "controller/slurm/wire_stream.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace sconverge {
namespace {

using nlohmann::json;

// Slurm's answers are a dozen levels deep. Values are destroyed recursively.
constexpr std::size_t kDeepest = 100;

/// Puts one value together from a parser's events.
class Builder {
 public:
  [[nodiscard]] bool busy() const { return !open_.empty(); }

  void begin(JsonValue container) {
    if (open_.empty()) {
      whole_ = std::move(container);
      open_.push_back(&whole_);
    } else {
      open_.push_back(&add(std::move(container)));
    }
  }
  void key(std::string& name) { key_ = std::move(name); }
  JsonValue& add(JsonValue value) {
    auto& held = open_.back()->held;
    if (auto* list = std::get_if<JsonValue::List>(&held))
      return list->emplace_back(std::move(value));
    auto& members = std::get<JsonValue::Members>(held);
    return members.emplace_back(std::move(key_), std::move(value)).second;
  }
  /// The finished value, once its own end is reached.
  std::optional<JsonValue> end() {
    open_.pop_back();
    if (busy()) return std::nullopt;
    return std::move(whole_);
  }

 private:
  JsonValue whole_{};
  std::vector<JsonValue*> open_{};  // a parent does not grow while a child is open
  std::string key_{};
};

class FilterSax : public nlohmann::json_sax<json> {
 public:
  FilterSax(const JsonFilter& filter, const std::function<void(const JsonValue&)>& on_row)
      : filter_(filter), on_row_(on_row) {}

  JsonValue take() { return {std::move(members_)}; }

  bool null() override { return scalar({}); }
  bool boolean(bool value) override { return scalar({value}); }
  bool number_integer(number_integer_t value) override { return scalar({value}); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) {
      return scalar({static_cast<double>(value)});
    }
    return scalar({static_cast<std::int64_t>(value)});
  }
  bool number_float(number_float_t value, const string_t&) override { return scalar({value}); }
  bool string(string_t& value) override {
    return wanted() ? scalar({std::move(value)}) : scalar({std::string()});
  }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return start({JsonValue::Members{}}); }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override { return start({JsonValue::List{}}); }
  bool end_array() override { return end(); }
  bool key(string_t& name) override {
    if (builder_.busy()) {
      builder_.key(name);
    } else if (depth_ == 1 || in_row_members()) {
      key_ = name;
    }
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

 private:
  // 1: in the answer, 2: in its list of rows, 3: in a row.
  [[nodiscard]] bool in_row_members() const { return in_rows_ && depth_ == 3 && !odd_row_; }

  [[nodiscard]] bool wanted() const {
    if (builder_.busy()) return true;
    const auto has = [&](const auto& names) {
      return std::find(names.begin(), names.end(), key_) != names.end();
    };
    if (depth_ == 1) return has(filter_.members) || key_ == filter_.rows;
    return in_row_members() && has(filter_.row_members);
  }

  bool scalar(JsonValue value) {
    if (builder_.busy()) {
      builder_.add(std::move(value));
    } else if (depth_ == 0) {
      return false;
    } else if (in_rows_ && depth_ == 2) {
      on_row_({});
    } else if (wanted()) {
      keep(std::move(value));
    }
    return true;
  }

  bool start(JsonValue container) {
    if (depth_ == 0 && !container.is_object()) return false;
    if (depth_ == kDeepest) return false;
    if (builder_.busy()) {
      builder_.begin(std::move(container));
    } else if (depth_ == 1 && key_ == filter_.rows && container.is_list()) {
      in_rows_ = true;
      keep(std::move(container));
    } else if (in_rows_ && depth_ == 2) {
      odd_row_ = !container.is_object();
    } else if (wanted()) {
      builder_.begin(std::move(container));
    }
    ++depth_;
    return true;
  }

  bool end() {
    --depth_;
    if (builder_.busy()) {
      if (auto value = builder_.end()) keep(std::move(*value));
    } else if (in_rows_ && depth_ == 2) {
      on_row_(odd_row_ ? JsonValue{} : JsonValue{std::exchange(row_, {})});
    } else if (depth_ == 1) {
      in_rows_ = false;
    }
    return true;
  }

  void keep(JsonValue value) {
    (depth_ == 1 ? members_ : row_).emplace_back(key_, std::move(value));
  }

  const JsonFilter& filter_;
  const std::function<void(const JsonValue&)>& on_row_;
  JsonValue::Members members_{};
  JsonValue::Members row_{};
  Builder builder_{};
  std::string key_{};
  std::size_t depth_{0};
  bool in_rows_{false};
  bool odd_row_{false};
};

/// Feeds a ByteSource to the parser. All copies share the source; equal means both at the end.
class ByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  ByteIterator() = default;
  explicit ByteIterator(ByteSource& source) : source_(&source) { refill(); }

  reference operator*() const { return bytes_.front(); }
  ByteIterator& operator++() {
    bytes_.remove_prefix(1);
    if (bytes_.empty()) refill();
    return *this;
  }
  ByteIterator operator++(int) {
    const ByteIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const ByteIterator& a, const ByteIterator& b) {
    return a.bytes_.empty() && b.bytes_.empty();
  }
  friend bool operator!=(const ByteIterator& a, const ByteIterator& b) { return !(a == b); }

 private:
  void refill() { bytes_ = source_->next(); }

  ByteSource* source_{nullptr};
  std::string_view bytes_{};
};

}  // namespace

std::optional<JsonValue> read_filtered(ByteSource& text, const JsonFilter& filter,
                                       const std::function<void(const JsonValue&)>& on_row) {
  FilterSax sax(filter, on_row);
  if (!json::sax_parse(ByteIterator(text), ByteIterator(), &sax)) return std::nullopt;
  return sax.take();
}

}  // namespace sconverge
