#include "controller/gateway/wire_read.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "controller/gateway/wire_answer.h"
#include "specs/near_miss.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 64;
constexpr std::string_view kBlanks = " \t\r\n";

Error rejected(std::string message) { return {ErrorKind::Rejected, std::move(message)}; }

/// Cuts JSON into pieces without making values of them.
/// REQUIRES: the text is well-formed JSON.
class Cutter {
 public:
  explicit Cutter(std::string_view text) : rest_(text) {}

  /// The next character that is no blank; 0 at the end.
  char peek() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }
  void skip() { rest_.remove_prefix(1); }

  std::string_view value() {
    const std::string_view begin = rest_;
    std::size_t depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        string();
      } else if (c == '{' || c == '[') {
        ++depth;
        skip();
      } else if (c == '}' || c == ']') {
        --depth;
        skip();
      } else if (c == ',' || c == ':') {
        skip();
      } else {
        rest_.remove_prefix(std::min(rest_.find_first_of(",:{}[]\" \t\r\n"), rest_.size()));
      }
    } while (depth > 0 && !rest_.empty());
    return begin.substr(0, begin.size() - rest_.size());
  }

 private:
  void string() {
    std::size_t at = 1;
    while (at < rest_.size() && rest_[at] != '"') at += rest_[at] == '\\' ? 2 : 1;
    rest_.remove_prefix(std::min(at + 1, rest_.size()));
  }

  std::string_view rest_;
};

struct Member {
  std::string name;
  std::string_view value;  ///< as it stands there
};

std::string text_of(std::string_view string) { return json::parse(string).get<std::string>(); }

/// REQUIRES: `object` is well-formed.
std::vector<Member> members_of(std::string_view object) {
  std::vector<Member> members;
  Cutter cutter(object);
  cutter.peek();
  cutter.skip();
  while (cutter.peek() == '"') {
    std::string name = text_of(cutter.value());
    cutter.peek();
    cutter.skip();
    cutter.peek();
    members.push_back({std::move(name), cutter.value()});
    if (cutter.peek() == ',') cutter.skip();
  }
  return members;
}

Result<HttpMethod> read_method(std::string_view value) {
  constexpr std::string_view known = "HTTP_METHOD_GET, HTTP_METHOD_POST or HTTP_METHOD_DELETE";
  if (!value.starts_with('"')) {
    return rejected("method is missing or not a text; write " + std::string(known));
  }
  const std::string word = text_of(value);
  if (word == "HTTP_METHOD_GET") return HttpMethod::Get;
  if (word == "HTTP_METHOD_POST") return HttpMethod::Post;
  if (word == "HTTP_METHOD_DELETE") return HttpMethod::Delete;
  return rejected("method " + in_quotes(word) + " is not supported; write " + std::string(known));
}

Result<std::string> read_body(HttpMethod method, std::string_view value) {
  const bool absent = value.empty() || value == "null";
  if (method == HttpMethod::Post) {
    if (absent)
      return rejected("body is missing; HTTP_METHOD_POST needs one, {} if it has no fields");
    if (value.starts_with('"')) {
      return rejected("body is a text; write the JSON object itself, without quotes around it");
    }
    if (!value.starts_with('{')) return rejected("body is not a JSON object");
    return std::string(value);
  }
  if (absent || (value.starts_with('{') && members_of(value).empty())) return std::string();
  return rejected("body belongs to HTTP_METHOD_POST only; leave it out");
}

/// Follows JSON and knows where it is.
class Follower : public nlohmann::json_sax<json> {
 public:
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t value) override { return number(value); }
  bool number_unsigned(number_unsigned_t value) override {
    return number(static_cast<number_integer_t>(value));
  }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& value) override { return text(value); }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return object() && enter(false); }
  bool key(string_t& name) override {
    levels_.back().key = name;
    return named(name);
  }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t /*size*/) override { return enter(true); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t /*position*/, const std::string& /*last_token*/,
                   const json::exception& /*error*/) override {
    return false;
  }

  [[nodiscard]] bool too_deep() const { return too_deep_; }

 protected:
  struct Level {
    bool list;
    std::string key{};
  };

  /// Whether it is in an entry of the list that is the member `list` of the whole. The entry's own
  /// level counts where it is an object.
  [[nodiscard]] bool in_entry_of(std::string_view list, std::size_t depth) const {
    return levels_.size() == depth && !levels_[0].list && levels_[0].key == list && levels_[1].list;
  }
  [[nodiscard]] const std::vector<Level>& levels() const { return levels_; }

  virtual bool named(const std::string& /*name*/) { return true; }
  virtual bool object() { return true; }
  virtual bool text(const std::string& /*value*/) { return true; }
  virtual bool number(number_integer_t /*value*/) { return true; }
  virtual void left() {}

 private:
  bool enter(bool list) {
    too_deep_ = levels_.size() >= kDeepest;
    if (!too_deep_) levels_.push_back({list});
    return !too_deep_;
  }
  bool leave() {
    levels_.pop_back();
    left();
    return true;
  }

  std::vector<Level> levels_{};
  bool too_deep_{false};
};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

class UserFieldFinder : public Follower {
 public:
  std::optional<std::string> found{};

 protected:
  bool named(const std::string& name) override {
    static constexpr std::array<std::string_view, 10> of_a_user{
        "user_id", "group_id", "user",       "group",       "user_name",
        "uid",     "gid",      "group_name", "run_as_user", "groups"};
    const auto above = levels().size() - 1;
    const bool in_environment =
        std::any_of(levels().begin(), levels().begin() + static_cast<std::ptrdiff_t>(above),
                    [](const Level& level) { return lower_case(level.key) == "environment"; });
    const bool cut_off = name.find('\0') != std::string::npos;
    const bool names_user =
        std::find(of_a_user.begin(), of_a_user.end(), lower_case(name)) != of_a_user.end();
    if (cut_off || (names_user && !in_environment)) found = name.substr(0, name.find('\0'));
    return !found;
  }
};

class OwnerReader : public Follower {
 public:
  JobOwners owners{};

 protected:
  bool object() override {
    if (levels().empty()) owners.readable = true;
    if (in_entry_of("jobs", 2)) {
      ++owners.rows;
      row_has_user_ = false;
    }
    return true;
  }
  bool text(const std::string& value) override {
    if (in_entry_of("jobs", 3) && levels()[2].key == "user_name" && !value.empty()) {
      owners.users.insert(value);
      row_has_user_ = true;
    }
    return true;
  }
  bool number(number_integer_t value) override {
    const bool counts = in_entry_of("errors", 3) && std::in_range<int>(value) &&
                        (levels()[2].key == "error_number" || levels()[2].key == "error_code");
    if (counts) owners.error_numbers.insert(static_cast<int>(value));
    return true;
  }
  void left() override {
    if (in_entry_of("jobs", 2) && !row_has_user_) ++owners.rows_without_user;
  }

 private:
  bool row_has_user_{false};
};

}  // namespace

Result<CallEnvelope> read_call_envelope(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos || text[first] != '{' ||
      text.find('\0') != std::string_view::npos || !json::accept(text)) {
    return rejected(
        "the request is not a JSON object in UTF-8; write {\"method\": \"HTTP_METHOD_GET\", "
        "\"path\": \"/slurm/v0.0.42/jobs/\"}");
  }
  static constexpr std::array<std::string_view, 3> names{"method", "path", "body"};
  std::array<std::string_view, 3> values{};
  for (const Member& member : members_of(text)) {
    const auto* name = std::find(names.begin(), names.end(), member.name);
    if (name == names.end()) {
      const auto meant = near_miss(member.name, names);
      return rejected("the field " + in_quotes(member.name) + " is unknown; " +
                      (meant.empty() ? "there are method, path and body"
                                     : "is " + std::string(meant) + " meant?"));
    }
    auto& value = values.at(static_cast<std::size_t>(name - names.begin()));
    if (!value.empty()) return rejected(member.name + " stands there twice; keep one of them");
    value = member.value;
  }
  const auto method = read_method(values[0]);
  if (!method) return method.error();
  if (!values[1].starts_with('"')) {
    return rejected("path is missing or not a text; write for example /slurm/v0.0.42/jobs/");
  }
  auto body = read_body(*method, values[2]);
  if (!body) return body.error();
  return CallEnvelope{*method, text_of(values[1]), std::move(*body)};
}

Result<std::optional<std::string>> field_of_a_user(std::string_view body) {
  UserFieldFinder finder;
  const bool whole = json::sax_parse(body, &finder);
  if (finder.too_deep()) {
    return rejected("body is nested more than " + std::to_string(kDeepest) + " deep");
  }
  if (!whole && !finder.found) return rejected("body is not JSON");
  return finder.found;
}

JobOwners read_job_owners(std::string_view body) {
  OwnerReader reader;
  const bool whole = first_invalid_utf8(body) ? json::sax_parse(as_utf8(body), &reader)
                                              : json::sax_parse(body, &reader);
  if (!whole) return {};
  return reader.owners;
}

}  // namespace sconverge
