#pragma once

#include <string_view>

namespace sconverge {

/// What a name in the watched directory promises.
enum class NameKind {
  Spec,       ///< *.yaml *.yml *.json
  Script,     ///< *.sbatch *.slurm: a spec if it says so
  Hidden,     ///< begins with "."
  Temporary,  ///< an editor's or a tool's: ~ # .swp .tmp .bak .orig
  Other,
};

NameKind kind_of_name(std::string_view name);

/// Whether an event on this name may mean that what is declared has changed: "..data" is how a
/// ConfigMap is published, ".git" how a checkout begins.
bool is_telling_name(std::string_view name);

}  // namespace sconverge
