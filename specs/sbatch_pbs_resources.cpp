#include "specs/sbatch_pbs_resources.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include "specs/utf8.h"

namespace sconverge {
namespace {

enum class Does {
  Set,          // sets the option
  SetSize,      // the same, without a B at the end
  SetTime,      // the same; PBS counts plain numbers in seconds
  Constraint,   // goes before the constraint there is, and swallows the next resource
  Nodes,        // a list of nodes and of what they have
  Accelerator,  // `true`: one GPU
  Gpus,         // so many GPUs
  Nothing
};

struct Resource {
  std::string_view key;
  Does does;
  std::string_view option{};
  char end{','};
  bool any_case{false};
};

// In the order in which sbatch looks for them.
constexpr std::array kResources = {
    Resource{"accelerator=", Does::Accelerator, "gres", ',', true},
    Resource{"arch=", Does::Nothing},
    Resource{"cput=", Does::SetTime, "time"},
    Resource{"file=", Does::SetSize, "tmp"},
    Resource{"host=", Does::Nothing},
    Resource{"mem=", Does::SetSize, "mem"},
    Resource{"mpiprocs=", Does::Set, "ntasks-per-node", ':', true},
    Resource{"naccelerators=", Does::Gpus, "gres", ',', true},
    Resource{"ncpus=", Does::Set, "mincpus", ':', true},
    Resource{"nice=", Does::Set, "nice"},
    Resource{"nodes=", Does::Nodes},
    Resource{"opsys=", Does::Nothing},
    Resource{"other=", Does::Nothing},
    Resource{"pcput=", Does::SetTime, "time"},
    Resource{"pmem=", Does::Nothing},
    Resource{"proc=", Does::Constraint, "constraint"},
    Resource{"pvmem=", Does::Nothing},
    Resource{"select=", Does::Set, "nodes", ':', true},
    Resource{"software=", Does::Nothing},
    Resource{"vmem=", Does::Nothing},
    Resource{"walltime=", Does::SetTime, "time"},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

bool begins_with(std::string_view text, std::string_view prefix, bool any_case) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(),
                    [&](char p, char t) { return p == (any_case ? lower(t) : t); });
}

// The number that `text` begins with; 0 without one, the largest int for a larger one.
int leading_number(std::string_view text) {
  int number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec == std::errc::result_out_of_range) return std::numeric_limits<int>::max();
  return std::max(number, 0);
}

// The number that `text` is; 0 if it is none.
int whole_number(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_digit) ? leading_number(text) : 0;
}

int product(long long a, long long b) {
  return static_cast<int>(std::min<long long>(a * b, std::numeric_limits<int>::max()));
}

int sum(long long a, long long b) {
  return static_cast<int>(std::min<long long>(a + b, std::numeric_limits<int>::max()));
}

// One list behind `-l`.
class ResourceList {
 public:
  ResourceList(const GivenOption& given, Translation& translation)
      : given_(given), list_(*given.value), translation_(translation) {}

  void translate() {
    while (at_ < list_.size() && !translation_.is_full()) {
      const auto* const found =
          std::find_if(kResources.begin(), kResources.end(), [&](const Resource& resource) {
            return begins_with(list_.substr(at_), resource.key, resource.any_case);
          });
      if (found == kResources.end()) {
        unknown_byte();
        continue;
      }
      note_unknown();
      at_ += found->key.size();
      apply(*found);
    }
    note_unknown();
    finish();
  }

 private:
  void apply(const Resource& resource) {
    if (resource.does == Does::Accelerator) {
      if (begins_with(list_.substr(at_), "true", true)) gpus_ = std::max(gpus_, 1);
      unknown_is_known_ = true;
      return;
    }
    std::string value(take_until(resource.end));
    switch (resource.does) {
      case Does::Set:
        remember(resource.option, value);
        set(resource.option, std::move(value));
        break;
      case Does::SetSize:
        if (!value.empty() && lower(value.back()) == 'b') value.pop_back();
        set(resource.option, std::move(value));
        break;
      case Does::SetTime:
        note_seconds(value);
        set(resource.option, std::move(value));
        break;
      case Does::Constraint:
        if (const auto before = translation_.take("constraint")) value += "," + *before;
        set(resource.option, std::move(value));
        take_until(',');
        break;
      case Does::Nodes:
        nodes(value);
        break;
      case Does::Gpus:
        gpus(value);
        break;
      case Does::Nothing:
        translation_.note(given_, {},
                          "sbatch ignores " + in_quotes(std::string(resource.key) + value),
                          "leave it out, or write a `#SBATCH` line");
        break;
      case Does::Accelerator:
        break;
    }
  }

  // What finish() needs.
  void remember(std::string_view option, std::string_view value) {
    if (option == "mincpus") cpus_ = whole_number(value);
    if (option == "ntasks-per-node") tasks_ = whole_number(value);
    if (option == "nodes") selected_ = true;
  }

  void nodes(std::string_view list) {
    int count = 0;
    int tasks_per_node = 0;
    std::string names;
    while (!list.empty()) {
      std::string_view part = list.substr(0, list.find_first_of("+:"));
      list.remove_prefix(std::min(part.size() + 1, list.size()));
      while (!part.empty() && !is_digit(part.front()) && !is_letter(part.front())) {
        part.remove_prefix(1);
      }
      if (part.starts_with("gpus=")) {
        set("gpus-per-node", std::string(part.substr(5)));
      } else if (part.starts_with("ppn=")) {
        tasks_per_node = sum(tasks_per_node, leading_number(part.substr(4)));
      } else if (!part.empty() && is_digit(part.front())) {
        count = sum(count, leading_number(part));
      } else if (!part.empty()) {
        note_node_name(part, count > 0);
        names += (names.empty() ? "" : ",") + std::string(part);
      }
    }
    if (count > 0) set("nodes", std::to_string(count));
    if (tasks_per_node > 0)
      set("ntasks", std::to_string(product(tasks_per_node, std::max(count, 1))));
    if (!names.empty()) set("nodelist", std::move(names));
  }

  // In PBS a name behind a number is a property that the nodes have.
  void note_node_name(std::string_view name, bool behind_number) {
    if (!behind_number) return;
    translation_.note(given_, "nodelist",
                      "sbatch takes " + in_quotes(name) + " for the name of a node",
                      "write `#SBATCH --constraint=` for a property of nodes");
  }

  void gpus(std::string_view value) {
    gpus_ = whole_number(value);
    if (gpus_ > 0) return;
    translation_.refuse(given_, "gres", in_quotes(value) + " is no number of accelerators",
                        "write `#SBATCH --gpus-per-node=`");
  }

  void finish() {
    if (selected_ && tasks_ > 0 && cpus_ > tasks_)
      set("cpus-per-task", std::to_string(cpus_ / tasks_));
    if (gpus_ <= 0) return;
    std::optional<std::string> gres = translation_.take("gres");
    if (gres) *gres += ",";
    set("gres", gres.value_or("") + "gpu:" + std::to_string(gpus_));
  }

  void note_seconds(std::string_view value) {
    if (whole_number(value) == 0) return;
    translation_.note(given_, "time",
                      "sbatch reads " + in_quotes(value) + " as minutes, where PBS counts seconds",
                      "write `#SBATCH --time=` with hours:minutes:seconds");
  }

  void set(std::string_view option, std::string value) {
    translation_.add(given_, option, std::move(value));
  }

  std::string_view take_until(char end) {
    const std::string_view value = list_.substr(at_, list_.substr(at_).find(end));
    at_ += std::min(value.size() + 1, list_.size() - at_);
    return value;
  }

  void unknown_byte() {
    const char c = list_[at_++];
    if (c == ',' || c == ':' || c == '+') {
      note_unknown();
    } else {
      unknown_ += c;
    }
  }

  void note_unknown() {
    if (!unknown_.empty() && !unknown_is_known_) {
      translation_.note(given_, {}, "sbatch ignores " + in_quotes(unknown_) + " in a resource list",
                        "leave it out, or write a `#SBATCH` line");
    }
    unknown_.clear();
    unknown_is_known_ = false;
  }

  const GivenOption& given_;
  std::string_view list_;
  Translation& translation_;
  std::size_t at_{0};
  std::string unknown_{};         // bytes since the last resource or separator
  bool unknown_is_known_{false};  // they are the value of `accelerator=`
  bool selected_{false};
  int cpus_{0};
  int tasks_{0};
  int gpus_{0};
};

}  // namespace

void translate_pbs_resources(const GivenOption& list, Translation& translation) {
  constexpr std::size_t limit = 4096;
  if (list.value->size() > limit) {
    translation.refuse(list, {}, "the resource list is longer than 4096 bytes",
                       "write `#SBATCH` lines");
    return;
  }
  ResourceList(list, translation).translate();
}

}  // namespace sconverge
