#include "specs/job_spec.h"

#include <openssl/evp.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "specs/sbatch_file.h"

namespace sconverge {
namespace {

using nlohmann::json;

json to_json(const FieldValue& value) {
  struct Writer {
    json operator()(bool flag) const { return flag; }
    json operator()(std::int64_t number) const { return number; }
    // An object, so that the text "UNLIMITED" is another value.
    json operator()(Unlimited) const { return json{{"infinite", true}}; }
    json operator()(const std::string& text) const { return text; }
    json operator()(const std::vector<std::string>& list) const { return list; }
  };
  return std::visit(Writer{}, value);
}

json to_json(const JobFields& fields) {
  json out = json::object();
  for (const auto& [name, value] : fields) out[name] = to_json(value);
  return out;
}

// Never throws: bytes that are not UTF-8 (which no reader lets through) are replaced.
std::string to_line(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<FieldValue> field_from(const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) {
    const bool fits =
        !value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX};
    return fits ? std::optional<FieldValue>(value.get<std::int64_t>()) : std::nullopt;
  }
  if (value.is_string()) return value.get<std::string>();
  if (value == json{{"infinite", true}}) return Unlimited{};
  if (!value.is_array()) return std::nullopt;
  std::vector<std::string> list;
  for (const json& item : value) {
    if (!item.is_string()) return std::nullopt;
    list.push_back(item.get<std::string>());
  }
  return list;
}

// Takes the known members of one JSON object out of it. A member that is absent keeps its default
// (earlier releases did not write it); one of another type, or one left over, spoils the whole.
class ObjectReader {
 public:
  explicit ObjectReader(json object) : object_(std::move(object)), good_(object_.is_object()) {}

  void take(const char* key, std::string& out) {
    if (const auto value = take(key, json::value_t::string)) out = value->get<std::string>();
  }
  void take(const char* key, bool& out) {
    if (const auto value = take(key, json::value_t::boolean)) out = value->get<bool>();
  }
  void take(const char* key, int& out) {
    const auto value = take(key, json::value_t::number_unsigned);
    if (!value) return;
    good_ = value->get<std::uint64_t>() <= std::uint64_t{INT_MAX};
    if (good_) out = value->get<int>();
  }
  void take(const char* key, OnDelete& out) {
    std::string word = "Cancel";
    take(key, word);
    good_ = good_ && (word == "Cancel" || word == "Orphan");
    out = word == "Orphan" ? OnDelete::Orphan : OnDelete::Cancel;
  }
  void take(const char* key, std::map<std::string, std::string>& out) {
    const auto value = take(key, json::value_t::object);
    if (!value) return;
    for (const auto& [name, text] : value->items()) {
      good_ = good_ && text.is_string();
      if (good_) out[name] = text.get<std::string>();
    }
  }
  void take(const char* key, std::vector<std::string>& out) {
    const auto value = take(key, json::value_t::array);
    if (!value) return;
    for (const json& item : *value) {
      good_ = good_ && item.is_string();
      if (good_) out.push_back(item.get<std::string>());
    }
  }
  void take(const char* key, JobFields& out) {
    const auto value = take(key, json::value_t::object);
    if (!value) return;
    for (const auto& [name, field] : value->items()) {
      const auto read = field_from(field);
      good_ = good_ && read.has_value();
      if (read) out[name] = *read;
    }
  }
  [[nodiscard]] bool good() const { return good_ && object_.empty(); }

 private:
  std::optional<json> take(const char* key, json::value_t type) {
    if (!good_) return std::nullopt;
    const auto found = object_.find(key);
    if (found == object_.end()) return std::nullopt;
    good_ = found->type() == type;
    json value = std::move(*found);
    object_.erase(found);
    if (!good_) return std::nullopt;
    return value;
  }

  json object_;
  bool good_;
};

}  // namespace

std::string to_text(const SpecName& name) { return name.name_space + "/" + name.name; }

bool is_protected(const JobSpec& spec) {
  const auto found = spec.annotations.find("sconverge/protect");
  return found != spec.annotations.end() && found->second == "true";
}

Generation generation_of(const JobSpec& spec) {
  json work = {{"job", to_json(spec.job)}, {"script", without_directives(spec.script)}};
  // Left out where there is none, as earlier releases knew it: their generations stay.
  if (!spec.inherit_environment.empty()) work["inheritEnvironment"] = spec.inherit_environment;
  return sha256_hex(to_line(work)).substr(0, 16);
}

std::string canonical_text(const JobSpec& spec) {
  json whole{{"annotations", spec.annotations},
             {"cluster", spec.cluster},
             {"file", spec.file},
             {"job", to_json(spec.job)},
             {"labels", spec.labels},
             {"line", spec.line},
             {"name", spec.name.name},
             {"namespace", spec.name.name_space},
             {"onDelete", spec.on_delete == OnDelete::Orphan ? "Orphan" : "Cancel"},
             {"script", spec.script},
             {"suspend", spec.suspend}};
  if (!spec.inherit_environment.empty()) whole["inheritEnvironment"] = spec.inherit_environment;
  return to_line(whole);
}

JobSpecPtr from_canonical(std::string_view text) {
  json parsed = json::parse(text, nullptr, /*allow_exceptions=*/false);
  ObjectReader reader(std::move(parsed));
  JobSpec spec{.name = {}};
  reader.take("annotations", spec.annotations);
  reader.take("cluster", spec.cluster);
  reader.take("file", spec.file);
  reader.take("inheritEnvironment", spec.inherit_environment);
  reader.take("job", spec.job);
  reader.take("labels", spec.labels);
  reader.take("line", spec.line);
  reader.take("name", spec.name.name);
  reader.take("namespace", spec.name.name_space);
  reader.take("onDelete", spec.on_delete);
  reader.take("script", spec.script);
  reader.take("suspend", spec.suspend);
  if (!reader.good() || spec.name.name.empty() || spec.name.name_space.empty()) return nullptr;
  return std::make_shared<const JobSpec>(std::move(spec));
}

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  // Fails only without memory or without SHA-256 in the library; nothing works then.
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
    std::abort();
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (unsigned int i = 0; i < length; ++i) {
    out += digits[digest[i] >> 4U];
    out += digits[digest[i] & 0xFU];
  }
  return out;
}

}  // namespace sconverge
