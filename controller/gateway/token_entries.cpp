#include "controller/gateway/token_entries.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "specs/document.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::size_t kLeastCharacters = 16;
constexpr std::size_t kLongestName = 63;

bool is_visible(char c) { return c > ' ' && c < 0x7F; }

constexpr const char* kMakeOne = "make one with: openssl rand -hex 32";

/// Why it cannot be a token.
std::optional<std::string> flaw_of(std::string_view token) {
  if (!std::all_of(token.begin(), token.end(), is_visible)) {
    return "the token holds blanks or characters that are not ASCII";
  }
  if (token.size() < kLeastCharacters) return "the token is shorter than 16 characters";
  return std::nullopt;
}

Error wrong_line(const std::string& file, int line, const std::string& what,
                 const std::string& remedy) {
  std::string message = file;
  message.append(":").append(std::to_string(line)).append(": ").append(what);
  return {ErrorKind::Rejected, message.append("; ").append(remedy)};
}

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return std::nullopt;
}

std::optional<Sha256> digest_from_hex(std::string_view text) {
  Sha256 digest{};
  if (text.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const auto high = hex_digit(text[2 * i]);
    const auto low = hex_digit(text[2 * i + 1]);
    if (!high || !low) return std::nullopt;
    digest.at(i) = static_cast<unsigned char>(*high * 16 + *low);
  }
  return digest;
}

/// One entry of the list.
class EntryReader {
 public:
  EntryReader(const std::string& file, const DocumentNode& node, std::size_t number)
      : file_(file), node_(node) {
    entry_.name = "#" + std::to_string(number);
    entry_.line = node.line;
  }

  Result<TokenEntry> read(bool& plain) {
    if (node_.kind != NodeKind::Map) {
      return wrong(node_, "the entry is not a map", "write {token: ..., permission: run}");
    }
    for (std::size_t i = 0; i + 1 < node_.items.size(); i += 2) {
      if (const auto error = take(*node_.items[i], *node_.items[i + 1])) return *error;
    }
    if (token_ != nullptr && digest_ != nullptr) {
      return wrong(*digest_, "the entry has both token and sha256", "keep one of them");
    }
    if (token_ == nullptr && digest_ == nullptr) {
      return wrong(node_, "the entry has no token",
                   "add token: or, with the SHA-256 of the token, sha256:");
    }
    if (const auto error = token_ != nullptr ? take_token() : take_digest()) return *error;
    if (const auto error = take_permission()) return *error;
    if (const auto error = take_name()) return *error;
    plain = plain || token_ != nullptr;
    return entry_;
  }

 private:
  [[nodiscard]] Error wrong(const DocumentNode& at, const std::string& what,
                            const std::string& remedy) const {
    return wrong_line(file_, at.line, what, remedy);
  }

  std::optional<Error> take(const DocumentNode& key, const DocumentNode& value) {
    const DocumentNode** place = key.text == "token"        ? &token_
                                 : key.text == "sha256"     ? &digest_
                                 : key.text == "permission" ? &permission_
                                 : key.text == "name"       ? &name_
                                                            : nullptr;
    if (key.kind != NodeKind::Scalar || place == nullptr) {
      return wrong(key, "the entry has an unknown key",
                   "there are token, sha256, permission and name");
    }
    if (*place != nullptr) return wrong(key, key.text + " stands there twice", "keep one of them");
    if (value.kind != NodeKind::Scalar || value.text.empty()) {
      return wrong(key, key.text + " has no value or not a plain one",
                   "write " + key.text + ": and a text behind it");
    }
    *place = &value;
    return std::nullopt;
  }

  std::optional<Error> take_token() {
    if (const auto flaw = flaw_of(token_->text)) return wrong(*token_, *flaw, kMakeOne);
    entry_.digest = sha256_of(token_->text);
    return std::nullopt;
  }

  std::optional<Error> take_digest() {
    const auto digest = digest_from_hex(digest_->text);
    if (!digest) {
      return wrong(*digest_, "sha256 is not 64 hexadecimal digits",
                   "write what this prints: printf %s \"$TOKEN\" | sha256sum");
    }
    if (*digest == sha256_of("")) {
      return wrong(*digest_, "sha256 is that of an empty text",
                   "write what this prints: printf %s \"$TOKEN\" | sha256sum");
    }
    entry_.digest = *digest;
    return std::nullopt;
  }

  std::optional<Error> take_permission() {
    if (permission_ == nullptr) {
      return wrong(node_, "the entry has no permission", "add permission: run or permission: read");
    }
    if (permission_->text != "run" && permission_->text != "read") {
      return wrong(*permission_, "the permission is unknown", "write run or read");
    }
    entry_.permission = permission_->text == "run" ? TokenPermission::Run : TokenPermission::Read;
    return std::nullopt;
  }

  std::optional<Error> take_name() {
    if (name_ == nullptr) return std::nullopt;
    const std::string& text = name_->text;
    const bool printable =
        std::all_of(text.begin(), text.end(), [](char c) { return c == ' ' || is_visible(c); });
    if (!printable || text.size() > kLongestName) {
      return wrong(*name_, "the name is longer than 63 characters or not all ASCII",
                   "write a short one, it only labels lines of the log");
    }
    entry_.name = text;
    return std::nullopt;
  }

  const std::string& file_;
  const DocumentNode& node_;
  TokenEntry entry_{};
  const DocumentNode* token_{nullptr};
  const DocumentNode* digest_{nullptr};
  const DocumentNode* permission_{nullptr};
  const DocumentNode* name_{nullptr};
};

Error no_tokens_file(const std::string& file, int line, const std::string& what) {
  return wrong_line(file, line, what,
                    "write tokens: and below it - {token: ..., permission: run} for each");
}

/// The list below "tokens".
Result<const DocumentNode*> list_of(const Documents& documents,
                                    const std::vector<Problem>& problems, const std::string& file) {
  if (!problems.empty()) {
    return no_tokens_file(file, problems.front().line, "this is not the YAML of a tokens file");
  }
  if (documents.roots.size() != 1) return no_tokens_file(file, 1, "there is not one document");
  const DocumentNode& root = *documents.roots.front();
  if (root.kind != NodeKind::Map || root.items.size() != 2 || root.items[0]->text != "tokens") {
    return no_tokens_file(file, std::max(root.line, 1),
                          "the file holds something else than tokens");
  }
  if (root.items[1]->kind != NodeKind::Sequence) {
    return no_tokens_file(file, root.items[0]->line, "tokens is not a list");
  }
  return root.items[1];
}

/// Refuses one that is there already.
std::optional<Error> add(TokenEntry entry, TokenEntries& result, const std::string& file) {
  const auto same =
      std::find_if(result.entries.begin(), result.entries.end(),
                   [&](const TokenEntry& other) { return other.digest == entry.digest; });
  if (same != result.entries.end()) {
    return wrong_line(file, entry.line,
                      "the token is that of line " + std::to_string(same->line) + " once more",
                      "remove one of them");
  }
  result.entries.push_back(std::move(entry));
  return std::nullopt;
}

std::string_view without_blanks(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

Sha256 sha256_of(std::string_view text) {
  Sha256 digest{};
  unsigned length = 0;
  const int done =
      EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr);
  if (done != 1 || length != digest.size()) std::abort();
  return digest;
}

Result<TokenEntries> read_token_entries(std::string_view text, const std::string& file) {
  if (first_invalid_utf8(text)) return no_tokens_file(file, 1, "the file is not UTF-8");
  ProblemSink problems(file);
  const Documents documents = parse_documents(text, false, problems);
  const auto list = list_of(documents, problems.take(), file);
  if (!list) return list.error();
  TokenEntries result;
  for (const DocumentNode* item : (*list)->items) {
    auto entry = EntryReader(file, *item, result.entries.size() + 1).read(result.plain);
    if (!entry) return entry.error();
    if (auto twice = add(std::move(*entry), result, file)) return *twice;
  }
  return result;
}

Result<TokenEntries> read_token_lines(std::string_view text, const std::string& file) {
  TokenEntries result;
  result.plain = true;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view token = without_blanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (token.empty() || token.front() == '#') continue;
    if (const auto flaw = flaw_of(token)) return wrong_line(file, number, *flaw, kMakeOne);
    TokenEntry entry;
    entry.digest = sha256_of(token);
    entry.name = "#" + std::to_string(result.entries.size() + 1);
    entry.line = number;
    if (auto twice = add(std::move(entry), result, file)) return *twice;
  }
  if (result.entries.empty()) return wrong_line(file, 1, "the file holds no token", kMakeOne);
  return result;
}

}  // namespace sconverge
