#include "controller/app/config_file.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "specs/label.h"
#include "specs/near_miss.h"

namespace sconverge {
namespace {

constexpr std::string_view kClusters = "clusters";
constexpr std::string_view kTokenRemedy =
    "write the token to a file of its own and name it with tokenFile or accessTokenFile";

/// Walks the document along the table of settings.
class Walker {
 public:
  Walker(const std::string& file, ConfigFile& out) : file_(file), out_(out) {}

  void process(const YAML::Node& root) { walk(root, SettingScope::Process, "", "", ""); }

 private:
  Problem place(const YAML::Node& node, const std::string& field) const {
    const YAML::Mark mark = node.Mark();
    return {
        file_, mark.is_null() ? 0 : mark.line + 1, mark.is_null() ? 0 : mark.column + 1, field, "",
        ""};
  }

  void refuse(Problem where, std::string what, std::string remedy,
              ProblemKind kind = ProblemKind::Schema) {
    where.what = std::move(what);
    where.remedy = std::move(remedy);
    where.kind = kind;
    out_.problems.push_back(std::move(where));
  }

  /// `prefix` is the part of a setting's key that leads here, `shown` the whole path for people.
  void walk(const YAML::Node& map, SettingScope scope, const std::string& cluster,
            const std::string& prefix, const std::string& shown) {
    std::set<std::string> seen;
    for (const auto& entry : map) {
      const YAML::Node& key = entry.first;
      const std::string name = key.IsScalar() ? key.Scalar() : "";
      const Problem where = place(key, shown + name);
      if (!key.IsScalar()) {
        refuse(where, "a key is not plain text", "write key: value");
      } else if (!seen.insert(name).second) {
        refuse(where, "the key stands here twice", "keep one of them", ProblemKind::Duplicate);
      } else {
        member(name, entry.second, scope, cluster, prefix, where);
      }
    }
  }

  void member(const std::string& name, const YAML::Node& value, SettingScope scope,
              const std::string& cluster, const std::string& prefix, const Problem& where) {
    const std::string key = prefix + name;
    if (const Setting* setting = setting_of(key, scope)) {
      take(*setting, value, cluster, where);
    } else if (is_group(key, scope)) {
      if (as_map(value, where)) walk(value, scope, cluster, key + ".", where.field + ".");
    } else if (scope == SettingScope::Process && key == kClusters) {
      if (as_map(value, where)) clusters(value);
    } else if (name == "token") {
      refuse(where, "a token does not belong into the configuration", std::string(kTokenRemedy),
             ProblemKind::Policy);
    } else {
      unknown(name, scope, prefix, where);
    }
  }

  void clusters(const YAML::Node& map) {
    std::set<std::string> seen;
    for (const auto& entry : map) {
      const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
      const std::string shown = std::string(kClusters) + "." + name;
      const Problem where = place(entry.first, shown);
      if (!is_dns_label(name)) {
        refuse(where, "\"" + name + "\" is not a cluster name",
               "write at most 63 of a-z, 0-9 and -, beginning and ending with a letter or digit");
      } else if (!seen.insert(name).second) {
        refuse(where, "the cluster stands here twice", "keep one of them", ProblemKind::Duplicate);
      } else {
        out_.clusters.emplace_back(name, where);
        if (as_map(entry.second, where)) {
          walk(entry.second, SettingScope::Cluster, name, "", shown + ".");
        }
      }
    }
  }

  void take(const Setting& setting, const YAML::Node& value, const std::string& cluster,
            const Problem& where) {
    GivenSetting given{&setting, cluster, {}, place(value, where.field)};
    if (given.place.line == 0) given.place = where;
    if (setting.shape == SettingShape::Map) {
      if (!take_entries(value, given)) return;
    } else if (!value.IsScalar()) {
      refuse(given.place, value.IsNull() ? "the value is missing" : "the value is not plain text",
             "write " + where.field + ": " + std::string(setting.value));
      return;
    } else {
      given.values = {value.Scalar()};
    }
    if (setting.shape == SettingShape::Path && !given.values[0].empty()) {
      const std::filesystem::path base = std::filesystem::path(file_).parent_path();
      given.values[0] = (base / given.values[0]).lexically_normal().string();
    }
    out_.given.push_back(std::move(given));
  }

  bool take_entries(const YAML::Node& value, GivenSetting& given) {
    bool good = value.IsMap() || value.IsSequence();
    std::set<std::string> seen;
    for (const auto& entry : value) {
      if (value.IsSequence()) {
        good = good && entry.IsScalar();
        if (entry.IsScalar()) given.values.push_back(entry.Scalar());
      } else if (!entry.first.IsScalar() || !entry.second.IsScalar()) {
        good = false;
      } else {
        if (!seen.insert(entry.first.Scalar()).second) {
          refuse(place(entry.first, given.place.field), "the key stands here twice",
                 "keep one of them", ProblemKind::Duplicate);
        }
        given.values.push_back(entry.first.Scalar() + "=" + entry.second.Scalar());
      }
    }
    if (!good) {
      refuse(given.place, "the value is not a map or list of plain texts",
             "write {KEY: value, ...} or [KEY=value, ...]");
    }
    return good;
  }

  bool as_map(const YAML::Node& value, const Problem& where) {
    if (value.IsMap()) return true;
    refuse(where, "the value is not a map", "write " + where.field + ": {key: value, ...}");
    return false;
  }

  static const Setting* setting_of(const std::string& key, SettingScope scope) {
    const auto all = settings();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Setting& setting) {
      return setting.scope == scope && setting.key == key;
    });
    return found == all.end() ? nullptr : &*found;
  }

  static bool is_group(const std::string& key, SettingScope scope) {
    const auto all = settings();
    return std::any_of(all.begin(), all.end(), [&](const Setting& setting) {
      return setting.scope == scope && setting.key.starts_with(key + ".");
    });
  }

  /// The next words that could stand after `prefix`.
  static std::vector<std::string_view> siblings(const std::string& prefix, SettingScope scope) {
    std::vector<std::string_view> words;
    for (const Setting& setting : settings()) {
      if (setting.scope != scope || !setting.key.starts_with(prefix)) continue;
      const auto rest = setting.key.substr(prefix.size());
      const auto word = rest.substr(0, rest.find('.'));
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
    if (prefix.empty() && scope == SettingScope::Process) words.push_back(kClusters);
    return words;
  }

  void unknown(const std::string& name, SettingScope scope, const std::string& prefix,
               const Problem& where) {
    const auto words = siblings(prefix, scope);
    const auto close = near_miss(name, words);
    std::string remedy;
    if (!close.empty()) {
      remedy = "did you mean " + std::string(close) + "?";
    } else if (scope == SettingScope::Process && setting_of(name, SettingScope::Cluster)) {
      remedy = "it belongs to a cluster: clusters: {NAME: {" + name + ": ...}}";
    } else {
      remedy = "known here:";
      for (const auto word : words) remedy += " " + std::string(word);
    }
    refuse(where, "unknown key", remedy);
  }

  const std::string& file_;
  ConfigFile& out_;
};

}  // namespace

ConfigFile parse_config_file(std::string_view text, const std::string& file) {
  ConfigFile out;
  const Problem whole{file, 0, 0, "", "", ""};
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.size() > 1) {
      Problem problem = whole;
      problem.what = "there is more than one document";
      problem.remedy = "keep everything in one, without ---";
      out.problems.push_back(problem);
    } else if (!documents.empty() && documents[0].IsMap()) {
      Walker(file, out).process(documents[0]);
    } else if (!documents.empty() && !documents[0].IsNull()) {
      Problem problem = whole;
      problem.what = "the configuration is not a map";
      problem.remedy = "write key: value lines, e.g. specs: /srv/jobs";
      out.problems.push_back(problem);
    }
  } catch (const YAML::Exception& error) {
    out.problems.push_back({file, error.mark.line + 1, error.mark.column + 1, "",
                            "it is not YAML: " + error.msg, "mend the syntax at this place",
                            ProblemKind::Syntax});
  }
  return out;
}

}  // namespace sconverge
