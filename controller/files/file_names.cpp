#include "controller/files/file_names.h"

#include <algorithm>
#include <array>

namespace sconverge {
namespace {

template <std::size_t Size>
bool ends_with_any(std::string_view name, const std::array<std::string_view, Size>& endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  });
}

constexpr std::array<std::string_view, 3> kSpecEndings = {".yaml", ".yml", ".json"};
constexpr std::array<std::string_view, 2> kScriptEndings = {".sbatch", ".slurm"};
constexpr std::array<std::string_view, 6> kTemporaryEndings = {"~",    "#",    ".swp",
                                                               ".tmp", ".bak", ".orig"};

}  // namespace

NameKind kind_of_name(std::string_view name) {
  if (name.starts_with('.')) return NameKind::Hidden;
  if (name.starts_with('~') || name.starts_with('#')) return NameKind::Temporary;
  if (ends_with_any(name, kTemporaryEndings)) return NameKind::Temporary;
  if (ends_with_any(name, kSpecEndings)) return NameKind::Spec;
  if (ends_with_any(name, kScriptEndings)) return NameKind::Script;
  return NameKind::Other;
}

bool is_telling_name(std::string_view name) {
  switch (kind_of_name(name)) {
    case NameKind::Spec:
    case NameKind::Script:
    case NameKind::Other:
      return true;
    case NameKind::Hidden:
      return name == "..data" || name == ".git";
    case NameKind::Temporary:
      return false;
  }
  return true;
}

}  // namespace sconverge
