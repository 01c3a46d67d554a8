#include "specs/field_rules.h"

#include <optional>
#include <string>
#include <utility>

#include "specs/units.h"

namespace sconverge {
namespace {

class FieldRules {
 public:
  FieldRules(const JobFields& fields, const DocumentNode& map, const Place& place,
             ProblemSink& problems)
      : fields_(fields), map_(map), place_(place), problems_(problems) {}

  void check() {
    // Each pair sets the same thing in Slurm; which one would win depends on the order of the body.
    exclusive("memory_per_node", "memory_per_cpu");
    exclusive("memory_per_node", "memory_per_tres");
    exclusive("memory_per_cpu", "memory_per_tres");
    exclusive("nodes", "minimum_nodes");
    exclusive("nodes", "maximum_nodes");
    if (is_more("time_minimum", "time_limit")) {
      wrong("time_minimum", "`time_minimum` is more than `time_limit`", "lower it");
    }
    if (is_more("minimum_nodes", "maximum_nodes")) {
      wrong("minimum_nodes", "`minimum_nodes` is more than `maximum_nodes`", "lower it");
    }
    check_tasks();
  }

 private:
  // Slurm 24.11 takes such a job over REST as it is, where sbatch would make it smaller.
  void check_tasks() {
    const auto tasks = number("tasks");
    const auto least = least_nodes();
    if (!tasks || !least || *tasks >= *least) return;
    problems_.note(problem_at("tasks",
                              std::to_string(*least) + " nodes for " + std::to_string(*tasks) +
                                  (*tasks == 1 ? " task" : " tasks") +
                                  ": some nodes stay without a task",
                              "ask for fewer nodes or more tasks"));
  }

  void exclusive(std::string_view one, std::string_view other) {
    if (!fields_.contains(one) || !fields_.contains(other)) return;
    wrong(other, "`" + std::string(one) + "` and `" + std::string(other) + "` set the same thing",
          "keep one of them");
  }

  [[nodiscard]] bool is_more(std::string_view one, std::string_view other) const {
    const auto first = fields_.find(one);
    const auto second = number(other);
    if (first == fields_.end() || !second) return false;
    const auto* value = std::get_if<std::int64_t>(&first->second);
    return value == nullptr || *value > *second;  // else it is unlimited
  }

  [[nodiscard]] std::optional<std::int64_t> number(std::string_view field) const {
    const auto found = fields_.find(field);
    if (found == fields_.end()) return std::nullopt;
    const auto* value = std::get_if<std::int64_t>(&found->second);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }

  [[nodiscard]] std::optional<std::int64_t> least_nodes() const {
    const auto nodes = fields_.find("nodes");
    if (nodes == fields_.end()) return number("minimum_nodes");
    const auto& text = std::get<std::string>(nodes->second);
    return integer_from(text.substr(0, text.find_first_not_of("0123456789")));
  }

  void wrong(std::string_view field, std::string what, std::string remedy) {
    problems_.add(problem_at(field, std::move(what), std::move(remedy)));
  }

  [[nodiscard]] Problem problem_at(std::string_view field, std::string what,
                                   std::string remedy) const {
    const DocumentNode* key = &map_;
    for (std::size_t i = 0; i + 1 < map_.items.size(); i += 2) {
      if (map_.items[i]->text == field) key = map_.items[i];
    }
    return {.file = "",
            .line = key->line,
            .column = key->column,
            .field = Place{&place_, field}.text(),
            .what = std::move(what),
            .remedy = std::move(remedy)};
  }

  const JobFields& fields_;
  const DocumentNode& map_;
  const Place& place_;
  ProblemSink& problems_;
};

}  // namespace

void check_field_rules(const JobFields& fields, const DocumentNode& node, const Place& place,
                       ProblemSink& problems) {
  FieldRules(fields, node, place, problems).check();
}

}  // namespace sconverge
