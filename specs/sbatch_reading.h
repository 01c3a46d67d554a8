#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "specs/sbatch_request.h"
#include "specs/sbatch_settings.h"

namespace sconverge {

/// A request in the making: what was given, what it asks for, and what is wrong with it.
///
/// REQUIRES: the options handed in outlive it.
class SbatchReading {
 public:
  SbatchSettings settings{};
  SbatchRequest request{};

  void begin(const SbatchOption& option);

  /// The last option of this name; null if there is none.
  [[nodiscard]] const SbatchOption* given(std::string_view name) const;

  /// That of them which stands last in the script; null if none is there.
  [[nodiscard]] const SbatchOption* last_given(std::initializer_list<std::string_view> names) const;

  void refuse(const SbatchOption& option, std::string_view what, std::string remedy,
              ProblemKind kind = ProblemKind::Schema);
  void note(const SbatchOption& option, std::string_view what, std::string remedy);

  /// A problem or a note of several options, at the last of them. `what` names them itself.
  void refuse_together(std::initializer_list<std::string_view> names, std::string what,
                       std::string remedy);
  void note_together(std::initializer_list<std::string_view> names, std::string what,
                     std::string remedy);

  /// Sets a field if the value is within the range of its row (job_field.h); else it is a problem
  /// of the option. A null option: the value is sbatch's own, of no line.
  void set(std::string_view field, FieldValue value, const SbatchOption* option);
  void unset(std::string_view field);

  /// The value, after what there is to say about it.
  template <typename T>
  std::optional<T> take(const SbatchOption& option, SbatchValue<T> value) {
    if (!value.value) {
      refuse(option, value.what, std::move(value.remedy));
    } else if (!value.what.empty()) {
      note(option, value.what, std::move(value.remedy));
    }
    return std::move(value.value);
  }

 private:
  struct Given {
    const SbatchOption* option;
    std::size_t place;
  };

  [[nodiscard]] std::string wrong_value(std::string_view field, const FieldValue& value) const;

  std::map<std::string_view, Given> given_{};
  std::size_t count_{0};
};

}  // namespace sconverge
