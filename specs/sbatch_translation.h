#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "specs/sbatch_findings.h"
#include "specs/sbatch_getopt.h"
#include "specs/sbatch_options.h"

namespace sconverge {

/// The options that sbatch makes of the `#BSUB` or `#PBS` lines of a script, while they are read.
/// At most kMaxTranslated times one is set; once more is refused, and is_full().
class Translation {
 public:
  static constexpr std::size_t kMaxTranslated = 200;

  /// `before` are the options of the `#SBATCH` lines, which some translations add to.
  Translation(std::string_view directive, const std::vector<SbatchOption>& before,
              SbatchFindings& findings)
      : directive_(directive), before_(before), findings_(findings) {}

  /// Adds the option `name` of sbatch, which the option `from` of the script stands for.
  void add(const GivenOption& from, std::string_view name, std::optional<std::string> value);

  /// Takes the value that `name` has by now, to go on with: the option that had it is gone, if it
  /// was a translated one. Nothing if it has none.
  std::optional<std::string> take(std::string_view name);

  void refuse(const GivenOption& from, std::string_view name, std::string what, std::string remedy);
  void note(const GivenOption& from, std::string_view name, std::string what, std::string remedy);

  /// `#PBS -l nodes=2`, cut if it is long.
  std::string text_of(const GivenOption& from) const;

  const std::vector<SbatchOption>& options() const { return options_; }
  bool is_full() const { return added_ > kMaxTranslated; }

 private:
  ScriptProblem at(const GivenOption& from, std::string_view name, std::string what,
                   std::string remedy) const;

  std::string_view directive_;
  const std::vector<SbatchOption>& before_;
  SbatchFindings& findings_;
  std::vector<SbatchOption> options_{};
  std::size_t added_{0};
};

}  // namespace sconverge
