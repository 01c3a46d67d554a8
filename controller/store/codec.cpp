#include "controller/store/codec.h"

#include <charconv>
#include <concepts>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "controller/store/record_fields.h"
#include "controller/store/words.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string to_hex(const std::string& bytes) {
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kHexDigits[byte >> 4U];
    hex += kHexDigits[byte & 15U];
  }
  return hex;
}

std::optional<std::string> from_hex(const std::string& hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const auto high = kHexDigits.find(hex[i]);
    const auto low = kHexDigits.find(hex[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

/// Leaves out what is absent or empty, because that is those types' only default; numbers and flags
/// are always written, so that a later release may change a default without changing the past.
class Writer {
 public:
  template <typename T>
  void operator()(const char* key, const T& value) {
    Json json = to_json(value);
    if (json.is_null() || ((json.is_string() || json.is_structured()) && json.empty())) return;
    if (json.is_string() && json.get_ref<const std::string&>().empty()) return;
    object_[key] = std::move(json);
  }

  template <typename T>
  static std::string record(const T& value) {
    return to_json(value).dump();
  }

 private:
  static Json to_json(bool value) { return value; }
  static Json to_json(int value) { return value; }
  static Json to_json(JobId value) { return value.value; }
  static Json to_json(TimePoint value) { return value.time_since_epoch().count(); }

  // File names and Slurm's words may hold any bytes, and JSON holds only Unicode.
  static Json to_json(const std::string& value) {
    if (!first_invalid_utf8(value)) return value;
    return Json{{"hex", to_hex(value)}};
  }

  static Json to_json(const IndexSet& value) { return to_text(value); }

  template <typename T>
  requires std::is_enum_v<T>
  static Json to_json(T value) { return std::string(word_of(value)); }

  template <typename T>
  requires std::is_class_v<T>
  static Json to_json(const T& value) {
    Writer writer;
    fields(writer, value);
    return std::move(writer.object_);
  }

  template <typename T>
  static Json to_json(const std::optional<T>& value) {
    return value ? to_json(*value) : Json();
  }

  template <typename T>
  static Json to_json(const std::vector<T>& values) {
    Json array = Json::array();
    for (const T& value : values) array.push_back(to_json(value));
    return array;
  }

  template <typename Key, typename T>
  static Json to_json(const std::map<Key, T>& values) {
    Json object = Json::object();
    for (const auto& [key, value] : values) object[key_text(key)] = to_json(value);
    return object;
  }

  static std::string key_text(const std::string& key) { return key; }
  static std::string key_text(JobId key) { return std::to_string(key.value); }

  Json object_ = Json::object();
};

/// Stops at the first value that does not fit, and keeps the way to it.
class Reader {
 public:
  template <typename T>
  void operator()(const char* key, T& value) {
    if (!wrong_.empty()) return;
    const auto found = object_->find(key);
    if (found == object_->end() || found->is_null()) return;
    inside(key, *found, value);
  }

  template <typename T>
  static Result<T> value_of(std::string_view record) {
    const Json json = Json::parse(record, nullptr, false);
    if (json.is_discarded()) return Error{.kind = ErrorKind::Rejected, .message = "not JSON"};
    Reader reader;
    T value{};
    reader.read(json, value);
    if (reader.wrong_.empty()) return value;
    return Error{.kind = ErrorKind::Rejected, .message = reader.way_ + ": " + reader.wrong_};
  }

 private:
  template <typename T>
  void inside(const std::string& step, const Json& json, T& value) {
    const std::size_t length = way_.size();
    way_ += (way_.empty() ? "" : ".") + step;
    read(json, value);
    if (wrong_.empty()) way_.resize(length);
  }

  void read(const Json& json, bool& value) {
    if (!json.is_boolean()) return wrong("not true or false");
    value = json.get<bool>();
  }

  template <std::integral T>
  void read(const Json& json, T& value) {
    const bool fits = json.is_number_unsigned()  ? std::in_range<T>(json.get<std::uint64_t>())
                      : json.is_number_integer() ? std::in_range<T>(json.get<std::int64_t>())
                                                 : false;
    if (!fits) return wrong("not an integer of its size");
    value = json.get<T>();
  }

  void read(const Json& json, JobId& id) { read(json, id.value); }

  void read(const Json& json, TimePoint& value) {
    std::int64_t count = 0;
    read(json, count);
    value = TimePoint(milliseconds(count));
  }

  void read(const Json& json, std::string& value) {
    if (json.is_string()) {
      value = json.get_ref<const std::string&>();
      return;
    }
    std::string hex;
    if (json.is_object() && json.contains("hex")) read(json["hex"], hex);
    const auto bytes = from_hex(hex);
    if (hex.empty() || !bytes) return wrong("not a text");
    value = *bytes;
  }

  void read(const Json& json, IndexSet& value) {
    std::string text;
    read(json, text);
    const auto indexes = index_set_from(text);
    if (!indexes) return wrong("not a set of indexes");
    value = *indexes;
  }

  template <typename T>
  requires std::is_enum_v<T>
  void read(const Json& json, T& value) {
    std::string word;
    read(json, word);
    if (wrong_.empty() && !from_word(word, value)) wrong("\"" + word + "\" is not known");
  }

  template <typename T>
  requires std::is_class_v<T>
  void read(const Json& json, T& value) {
    if (!json.is_object()) return wrong("not an object");
    const Json* const outer = std::exchange(object_, &json);
    fields(*this, value);
    object_ = outer;
  }

  template <typename T>
  void read(const Json& json, std::optional<T>& value) {
    read(json, value.emplace());
  }

  template <typename T>
  void read(const Json& json, std::vector<T>& values) {
    if (!json.is_array()) return wrong("not a list");
    for (std::size_t i = 0; i < json.size() && wrong_.empty(); ++i) {
      inside(std::to_string(i), json[i], values.emplace_back());
    }
  }

  template <typename Key, typename T>
  void read(const Json& json, std::map<Key, T>& values) {
    if (!json.is_object()) return wrong("not an object");
    for (const auto& [text, item] : json.items()) {
      if (!wrong_.empty()) return;
      Key key{};
      read_key(text, key);
      inside(text, item, values[key]);
    }
  }

  static void read_key(const std::string& text, std::string& key) { key = text; }

  void read_key(const std::string& text, JobId& key) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), key.value);
    if (error != std::errc() || end != text.data() + text.size()) {
      wrong("\"" + text + "\" is not a job id");
    }
  }

  void wrong(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }

  const Json* object_{nullptr};
  std::string way_;
  std::string wrong_;
};

}  // namespace

std::string history_record(const SpecHistory& entry) { return Writer::record(entry); }

Result<SpecHistory> history_from(std::string_view record) {
  return Reader::value_of<SpecHistory>(record);
}

std::string status_record(const SpecStatus& status) { return Writer::record(status); }

Result<SpecStatus> status_from(std::string_view record) {
  return Reader::value_of<SpecStatus>(record);
}

std::string summary_record(const Published& published) { return Writer::record(published); }

Result<Published> summary_from(std::string_view record) {
  return Reader::value_of<Published>(record);
}

std::string request_word(RequestKind kind) { return std::string(word_of(kind)); }

std::optional<RequestKind> request_kind_from(std::string_view word) {
  RequestKind kind{};
  if (!from_word(word, kind)) return std::nullopt;
  return kind;
}

}  // namespace sconverge
