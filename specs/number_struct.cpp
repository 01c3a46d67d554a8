#include "specs/number_struct.h"

#include <array>

namespace sconverge {

std::optional<NumberStruct> read_number_struct(const DocumentNode& node, const Place& place,
                                               ProblemSink& problems) {
  static constexpr std::array<std::string_view, 3> known = {"infinite", "number", "set"};
  NumberStruct found;
  std::optional<bool> set;
  bool good = true;
  visit_map(node, place, problems,
            [&](const DocumentNode& key, const DocumentNode& value, const Place& here) {
              if (key.text == "number") {
                found.number = &value;
              } else if (key.text == "set" || key.text == "infinite") {
                const auto flag = flag_of(value, here, problems);
                good = good && flag.has_value();
                if (key.text == "set") set = flag;
                if (key.text == "infinite") found.infinite = flag.value_or(false);
              } else {
                report_unknown(problems, key, here, known);
                good = false;
              }
            });
  if (!good) return std::nullopt;
  if (found.infinite) return NumberStruct{.infinite = true};
  if (set == false || (!set && found.number == nullptr)) return NumberStruct{};
  if (found.number == nullptr) {
    report(problems, node, place, "is set, but has no number", "write {set: true, number: 120}");
    return std::nullopt;
  }
  if (!set) {
    report(problems, node, place, "has a number without `set: true`, which Slurm leaves out",
           "write {set: true, number: ...}, or the number alone");
    return std::nullopt;
  }
  return found;
}

}  // namespace sconverge
