#include "specs/sbatch_environment.h"

#include <utility>

namespace sconverge {
namespace {

// The items of a list; a comma within quotes parts nothing. Quotes around a whole item are taken
// off, others stay.
std::vector<std::string> export_items(std::string_view text, bool& balanced) {
  std::vector<std::string> items;
  bool single_quoted = false;
  bool double_quoted = false;
  std::size_t start = 0;
  const auto add = [&](std::size_t end) {
    std::string_view item = text.substr(start, end - start);
    const bool whole = item.size() > 1 && (item.front() == '\'' || item.front() == '"') &&
                       item.front() == item.back();
    if (whole) item = item.substr(1, item.size() - 2);
    if (!item.empty()) items.emplace_back(item);
    start = end + 1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') single_quoted = !single_quoted;
    if (text[i] == '"') double_quoted = !double_quoted;
    if (text[i] == ',' && !single_quoted && !double_quoted) add(i);
  }
  balanced = !single_quoted && !double_quoted;
  if (start < text.size()) add(text.size());
  return items;
}

}  // namespace

SbatchValue<SbatchExport> sbatch_export(std::string_view text) {
  SbatchExport out;
  if (is_same_word(text, "ALL")) return taken(std::move(out));
  out.inherits = false;
  out.variables["SLURM_EXPORT_ENV"] = std::string(text);
  if (is_same_word(text, "NIL")) return taken(std::move(out));
  out.variables["SLURM_GET_USER_ENV"] = "1";
  if (is_same_word(text, "NONE")) return taken(std::move(out));
  bool balanced = true;
  std::string what;
  for (const std::string& item : export_items(text, balanced)) {
    const std::size_t equals = item.find('=');
    const std::string name = item.substr(0, equals);
    if (name.empty()) {
      what = "an item has no name, and sbatch leaves it out";
    } else if (equals != std::string::npos) {
      out.variables[name] = item.substr(equals + 1);
    } else if (is_same_word(item, "ALL")) {
      // sbatch lays ALL over what stands before it. Here what is written out always wins.
      if (out.variables.size() > 2) what = "ALL stands behind a variable that it could change";
      out.inherits = true;
    } else {
      out.names.insert(name);
    }
  }
  if (out.inherits) out.names.clear();
  if (!balanced) what = "a quote is not closed";
  if (what.empty()) return taken(std::move(out));
  return odd(std::move(out), what, "write e.g. ALL,NAME=value");
}

}  // namespace sconverge
