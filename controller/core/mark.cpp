#include "controller/core/mark.h"

#include <array>
#include <charconv>

namespace sconverge {
namespace {

// The brackets make a mark that somebody cut short recognisable.
constexpr std::string_view kOpen = "[sconverge/1 ";
constexpr char kClose = ']';

/// Takes " key=value" or "key=value" off the front of `rest`.
std::optional<std::string> take(std::string_view& rest, std::string_view key) {
  if (!rest.starts_with(key) || rest.size() <= key.size() || rest[key.size()] != '=') return {};
  rest.remove_prefix(key.size() + 1);
  const auto end = std::min(rest.find(' '), rest.size());
  std::string value{rest.substr(0, end)};
  rest.remove_prefix(std::min(end + 1, rest.size()));
  if (value.empty()) return {};
  return value;
}

std::optional<int> number(const std::string& text) {
  int value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size() || value < 1) return {};
  return value;
}

std::optional<Mark> parse(std::string_view body) {
  const auto controller = take(body, "c");
  const auto spec = take(body, "s");
  const auto generation = take(body, "g");
  const auto run = take(body, "r");
  const auto attempt = take(body, "a");
  const auto token = take(body, "t");
  if (!controller || !spec || !generation || !run || !attempt || !token || !body.empty()) return {};
  const auto slash = spec->find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == spec->size()) return {};
  const auto run_number = number(*run);
  const auto attempt_number = number(*attempt);
  if (!run_number || !attempt_number) return {};
  return Mark{*controller,     {spec->substr(0, slash), spec->substr(slash + 1)},
              *generation,     *run_number,
              *attempt_number, *token};
}

}  // namespace

std::string comment_with_mark(std::string_view user_text, const Mark& mark) {
  std::string text{user_text};
  if (!text.empty()) text += ' ';
  text += kOpen;
  text += "c=" + mark.controller + " s=" + to_text(mark.spec) + " g=" + mark.generation +
          " r=" + std::to_string(mark.run) + " a=" + std::to_string(mark.attempt) +
          " t=" + mark.token + kClose;
  return text;
}

std::optional<Mark> mark_in(std::string_view comment) {
  const auto open = comment.rfind(kOpen);
  if (open == std::string_view::npos) return {};
  comment.remove_prefix(open + kOpen.size());
  const auto close = comment.find(kClose);
  if (close == std::string_view::npos) return {};
  return parse(comment.substr(0, close));
}

std::string user_text_in(std::string_view comment) {
  const auto open = comment.rfind(kOpen);
  if (open == std::string_view::npos || !mark_in(comment)) return std::string(comment);
  const auto close = comment.find(kClose, open);
  std::string text{comment.substr(0, open)};
  if (text.ends_with(' ')) text.pop_back();
  return text.append(comment.substr(close + 1));
}

}  // namespace sconverge
