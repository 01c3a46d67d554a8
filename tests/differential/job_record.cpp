#include "tests/differential/job_record.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "controller/core/mark.h"

namespace sconverge::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kAbsent = "(absent)";

/// A `{set, infinite, number}` is one value; a list is one text.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object() && value.contains("set") && value.contains("infinite")) {
    if (value.at("infinite") == true) return "infinite";
    return value.at("set") == true ? value.at("number").dump() : "not set";
  }
  return value.dump();
}

/// Without the mark that the controller appends.
std::string without_mark(const std::string& comment) {
  const auto mark = mark_in(comment);
  if (!mark) return comment;
  const std::string alone = comment_with_mark("", *mark);
  const auto at = comment.rfind(alone);
  if (at == std::string::npos) return comment;
  return comment.substr(0, at == 0 ? 0 : at - 1);  // a blank parts the two
}

/// With `<id>` for each number that is the job's own id.
std::string without_id(const std::string& text, std::uint32_t id) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string number = std::to_string(id);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == at) {
      out += text[at++];
    } else {
      const std::string digits = text.substr(at, end - at);
      out += digits == number ? "<id>" : digits;
      at = end;
    }
  }
  return out;
}

/// Without the flag that the scheduler sets when it first looks at a held or dependent job. What a
/// job depends on is a field of its own.
std::string without_dependent(std::string flags) {
  for (const std::string_view flag : {",\"DEPENDENT\"", "\"DEPENDENT\",", "\"DEPENDENT\""}) {
    if (const auto at = flags.find(flag); at != std::string::npos) flags.erase(at, flag.size());
  }
  return flags;
}

bool is_compared(const std::string& field) {
  for (const auto& [name, because] : not_compared()) {
    if (field == name) return false;
    if (name.ends_with('*') && field.starts_with(name.substr(0, name.size() - 1))) return false;
  }
  return true;
}

std::string number_text(std::string_view text, int base,
                        const std::function<std::uint64_t(std::uint64_t)>& change) {
  std::uint64_t number = 0;
  if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::string(text);
  return std::to_string(change(number));
}

/// The bits that mean something. The REST API sets those above them, too, and all but the last one
/// where nothing is asked for.
std::string known_bits(const std::string& value, std::uint64_t known) {
  return number_text(value, 10, [&](std::uint64_t bits) {
    return bits == 65534 ? std::uint64_t{0} : bits & known;
  });
}

/// "32:(null)": the kind of binding and its list.
std::string memory_binding(const std::string& value) {
  const auto colon = std::min(value.find(':'), value.size());
  return known_bits(value.substr(0, colon), 0xff) + value.substr(colon);
}

/// Without the bit that says that --ntasks was given. slurmctld sets it itself where it is missing,
/// and shows it among the flags of the job.
std::string bit_flags(const std::string& value) {
  return number_text(value, 16, [](std::uint64_t bits) { return bits & ~std::uint64_t{0x4000}; });
}

/// sbatch puts the working directory in front of a relative path, slurmctld does it otherwise.
std::string whole_path(const std::string& path, const JobRecord& record) {
  const auto directory = record.request.find("work_dir");
  if (path == "(null)" || path.starts_with('/') || directory == record.request.end()) return path;
  return directory->second + "/" + path;
}

/// A value as it is compared. What is left out in a request means the same as what sbatch says in
/// its place.
std::string comparable(const std::string& field, const std::string& value,
                       const JobRecord& record) {
  if (field == "request.comment") {
    const std::string text = without_mark(value);
    return text.empty() ? "(null)" : text;
  }
  if (field == "request.contiguous" && value == "-1") return "0";
  if (field == "request.mem_bind") return memory_binding(value);
  if (field == "request.stdin" && value == "(null)") return "/dev/null";
  if (field == "request.mail_type") return known_bits(value, 0x7ff);
  if (field == "request.bitflags") return bit_flags(value);
  if (field.starts_with("request.std")) return whole_path(value, record);
  if (field == "job.flags") return without_dependent(value);
  if (field == "job.comment") return without_mark(value);
  if (field.starts_with("job.standard_")) return without_id(value, record.id);
  return value;
}

void compare(const std::string& part, const JobRecord& theirs, const Fields& their_fields,
             const JobRecord& ours, const Fields& our_fields, std::vector<Difference>& found) {
  std::set<std::string> names;
  for (const auto& [name, value] : their_fields) names.insert(name);
  for (const auto& [name, value] : our_fields) names.insert(name);
  for (const auto& name : names) {
    const std::string field = part + "." + name;
    if (!is_compared(field)) continue;
    const auto value_in = [&](const Fields& fields, const JobRecord& record) {
      const auto at = fields.find(name);
      return at == fields.end() ? std::string(kAbsent) : comparable(field, at->second, record);
    };
    Difference difference{field, value_in(their_fields, theirs), value_in(our_fields, ours)};
    if (difference.theirs != difference.ours) found.push_back(std::move(difference));
  }
}

}  // namespace

const std::vector<NotCompared>& not_compared() {
  static const std::vector<NotCompared> kFields = {
      {"request.JobId", "is given by slurmctld"},
      {"request.argv", "the file that was handed to sbatch; a declared job has none"},
      {"request.alloc_node:sid", "the host and session of the one who called sbatch"},
      {"request.array_inx", "a spelling; array_task_string and array_max_tasks of the job are it"},
      {"request.req_nodes", "a spelling; required_nodes of the job is it"},
      {"request.cpus", "slurmctld counts them itself; cpus and tres_req_str of the job are it"},
      {"request.environment", "only its first variables; the environment is compared as a whole"},
      {"job.job_id", "is given by slurmctld"},
      {"job.array_job_id", "is given by slurmctld"},
      {"job.command", "the file that was handed to sbatch; a declared job has none"},
      {"job.allocating_node", "the host of the one who called sbatch"},
      {"job.submit_time", "the one was submitted after the other"},
      {"job.last_sched_evaluation", "the one was submitted after the other"},
      {"job.accrue_time", "the one was submitted after the other"},
      {"job.eligible_time", "the one was submitted after the other; the request has its begin"},
      {"job.state_reason", "what the scheduler found last, and when it last looked"},
      {"job.state_description", "what the scheduler found last, and when it last looked"},
      {"environment.SLURM_CONF", "where sbatch found its own configuration"},
      {"environment.SLURM_RLIMIT_*", "the limits of the shell that called sbatch"},
      {"environment.SLURM_PRIO_PROCESS", "the niceness of the shell that called sbatch"},
      {"environment.SLURM_UMASK", "the mask of the shell that called sbatch"},
      {"environment.SLURM_SUBMIT_HOST", "the host of the one who called sbatch"},
  };
  return kFields;
}

std::vector<Difference> differences(const JobRecord& theirs, const JobRecord& ours) {
  std::vector<Difference> found;
  compare("request", theirs, theirs.request, ours, ours.request, found);
  compare("job", theirs, theirs.job, ours, ours.job, found);
  compare("environment", theirs, theirs.environment, ours, ours.environment, found);
  if (theirs.script != ours.script) found.push_back({"script", theirs.script, ours.script});
  return found;
}

std::map<std::uint32_t, Fields> jobs_in(std::string_view answer) {
  std::map<std::uint32_t, Fields> jobs;
  const Json document = Json::parse(answer, nullptr, false);
  if (!document.is_object() || !document.contains("jobs")) return jobs;
  for (const auto& job : document.at("jobs")) {
    Fields& fields = jobs[job.at("job_id").get<std::uint32_t>()];
    for (const auto& [name, value] : job.items()) fields[name] = text_of(value);
  }
  return jobs;
}

Fields environment_in(std::string_view file) {
  Fields variables;
  for (file = file.substr(std::min<std::size_t>(file.size(), 4)); !file.empty();) {
    const auto end = std::min(file.find('\0'), file.size());
    const std::string entry(file.substr(0, end));
    const auto sign = entry.find('=');
    if (!entry.empty()) {
      variables[entry.substr(0, sign)] = sign == std::string::npos ? "" : entry.substr(sign + 1);
    }
    file = file.substr(std::min(end + 1, file.size()));
  }
  return variables;
}

}  // namespace sconverge::test
