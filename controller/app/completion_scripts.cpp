#include <array>
#include <utility>

#include "controller/app/completion.h"

namespace sconverge {
namespace {

// Each asks the program itself, so that none of them knows a verb, a flag or a name by heart.

constexpr std::string_view kBash = R"script(# bash completion for sconverge

_sconverge() {
  # bash breaks words at = and :, which are part of ours: they are put together again, up to the cursor.
  local line=${COMP_LINE:0:COMP_POINT} words=() last='' i
  for ((i = 0; i <= COMP_CWORD; i++)); do
    last=${COMP_WORDS[i]}
    if ((i == 0)) || [[ $line == [[:blank:]]* ]]; then
      line=${line#"${line%%[![:blank:]]*}"}
      words+=('')
    fi
    ((i < COMP_CWORD)) || last=$line
    words[${#words[@]}-1]+=$last
    line=${line#"$last"}
  done
  local word=${words[${#words[@]}-1]}
  # What stands before the last break is not typed again.
  local typed=${word%"${word##*[=:]}"} answer=() candidate
  mapfile -t answer < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  case ${answer[0]-} in
    files)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "${word#"$typed"}")
      ;;
    directories)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -d -- "${word#"$typed"}")
      ;;
  esac
  for candidate in "${answer[@]:1}"; do
    candidate=${candidate%%$'\t'*}
    COMPREPLY+=("${candidate#"$typed"}")
  done
}

complete -F _sconverge sconverge
)script";

constexpr std::string_view kZsh = R"script(#compdef sconverge
# zsh completion for sconverge

_sconverge() {
  local -a answer candidates
  local line word
  answer=("${(@f)$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  case ${answer[1]} in
    files)
      compset -P '--*='
      _files
      return
      ;;
    directories)
      compset -P '--*='
      _files -/
      return
      ;;
  esac
  for line in "${(@)answer[2,-1]}"; do
    word=${line%%$'\t'*}
    candidates+=("${word//:/\\:}:${${line#"$word"}#$'\t'}")
  done
  _describe sconverge candidates
}

# Sourced, or called by the completion system as a function of its own.
if [[ ${funcstack[1]} == _sconverge ]]; then
  _sconverge "$@"
else
  compdef _sconverge sconverge
fi
)script";

constexpr std::string_view kFish = R"script(# fish completion for sconverge

function __sconverge_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l answer ($words[1] __complete $words[2..-1] $word 2>/dev/null)
    set -l flag (string match -r -- '^--[^=]*=' $word)
    set -l value (string replace -r -- '^--[^=]*=' '' $word)
    switch "$answer[1]"
        case files
            for path in (__fish_complete_path "$value")
                printf '%s%s\n' "$flag" $path
            end
        case directories
            for path in (__fish_complete_directories "$value" '')
                printf '%s%s\n' "$flag" $path
            end
    end
    for candidate in $answer[2..-1]
        printf '%s\n' $candidate
    end
end

complete -c sconverge -f -a '(__sconverge_complete)'
)script";

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kScripts{
    {{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}}};

}  // namespace

std::string_view completion_script(std::string_view shell) {
  for (const auto& [name, script] : kScripts) {
    if (name == shell) return script;
  }
  return "";
}

std::vector<std::string> completion_shells() {
  std::vector<std::string> names;
  names.reserve(kScripts.size());
  for (const auto& row : kScripts) names.emplace_back(row.first);
  return names;
}

}  // namespace sconverge
