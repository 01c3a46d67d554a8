#include "specs/sbatch_rules.h"

#include <initializer_list>

#include "specs/sbatch_dependency.h"
#include "specs/sbatch_tres.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

std::string dashed(std::string_view name) { return "--" + std::string(name); }

// At most one of these may be given.
void refuse_more_than_one(SbatchReading& reading, std::initializer_list<std::string_view> names) {
  std::string given;
  std::size_t count = 0;
  for (const std::string_view name : names) {
    if (reading.given(name) == nullptr) continue;
    given += (given.empty() ? "" : " and ") + dashed(name);
    ++count;
  }
  if (count > 1) reading.refuse_together(names, given + " exclude each other", "keep one of them");
}

void check_tasks_per_gpu(SbatchReading& reading) {
  const SbatchSettings& settings = reading.settings;
  if (!settings.tasks_per_gpu && !settings.tasks_per_tres) return;
  if (settings.tasks_per_gpu && settings.tasks_per_tres &&
      settings.tasks_per_gpu != settings.tasks_per_tres) {
    reading.refuse_together({"ntasks-per-gpu", "ntasks-per-tres"},
                            "--ntasks-per-gpu and --ntasks-per-tres say different numbers",
                            "keep one of them");
  }
  for (const std::string_view tasks : {"ntasks-per-gpu", "ntasks-per-tres"}) {
    for (const std::string_view other :
         {"tres-per-task", "gpus-per-task", "gpus-per-socket", "ntasks-per-node"}) {
      refuse_more_than_one(reading, {tasks, other});
    }
  }
}

// Puts `name=count` in front of --tres-per-task for an option that says the same.
void join_task_resource(SbatchReading& reading, std::string_view option, const std::string& name,
                        std::int64_t count) {
  std::string& tres = reading.settings.tres_per_task;
  if (behind_name(tres, name)) {
    reading.refuse_together({"tres-per-task", option},
                            "--tres-per-task with " + in_quotes(name) + " and " + dashed(option) +
                                " exclude each other",
                            "keep one of them");
    return;
  }
  if (count == 0) return;
  const std::string own = name + "=" + std::to_string(count);
  tres = tres.empty() ? own : own + "," + tres;
}

void join_gpus_per_task(SbatchReading& reading) {
  const SbatchOption* option = reading.given("gpus-per-task");
  const std::string& text = reading.settings.gpus_per_task;
  if (option == nullptr || text.empty()) return;
  const SbatchGpusPerTask gpus = gpus_per_task(text);
  if (gpus.count < 0 || gpus.count > 0xFFFFFFFDLL) {
    return reading.refuse(*option, in_quotes(text) + " is no number of GPUs",
                          "write e.g. 2 or a100:2");
  }
  if (gpus.count == 0) {
    reading.note(*option, in_quotes(text) + " has no number, and sbatch asks for no GPU",
                 "write e.g. a100:1");
  } else if (text.find(',') != std::string::npos) {
    reading.note(*option, "sbatch only takes the first of " + in_quotes(text),
                 "use --tres-per-task=gres/gpu:a100=1,gres/gpu:h100=1 for more");
  }
  join_task_resource(reading, "gpus-per-task", gpus.name, gpus.count);
}

void join_cpus_per_task(SbatchReading& reading) {
  SbatchSettings& settings = reading.settings;
  if (settings.cpus_per_task) {
    return join_task_resource(reading, "cpus-per-task", "cpu", *settings.cpus_per_task);
  }
  const auto behind = behind_name(settings.tres_per_task, "cpu");
  if (!behind) return;
  const LeadingNumber number = leading_number(behind->substr(behind->empty() ? 0 : 1));
  if (number.value > 0) {
    settings.cpus_per_task = number.value;
    return;
  }
  // As sbatch looks for the text alone, it may be within the type of a GPU.
  reading.refuse_together({"tres-per-task", "gpus-per-task"},
                          "cpu has no number in the resources of a task", "write e.g. cpu=4");
}

void check_task_resources(SbatchReading& reading) {
  SbatchSettings& settings = reading.settings;
  const SbatchOption* option = reading.given("tres-per-task");
  if (const auto kind = forbidden_per_task(settings.tres_per_task); !kind.empty()) {
    reading.refuse(*option, std::string(kind) + " cannot be asked for by task",
                   "use cpu, gres/NAME or license/NAME");
    return;
  }
  settings.tres_per_task = tres_per_task_form(settings.tres_per_task);
  if (const auto unknown = unknown_per_task(settings.tres_per_task); !unknown.empty()) {
    reading.refuse(*option, in_quotes(unknown) + " cannot be asked for by task",
                   "use cpu=N, gres/NAME=N or license/NAME=N");
    return;
  }
  const bool was_given = !settings.tres_per_task.empty();
  join_gpus_per_task(reading);
  join_cpus_per_task(reading);
  const auto resources = generic_resources(settings.tres_per_task);
  if (!resources.value && was_given) reading.refuse(*option, resources.what, resources.remedy);
  settings.tres_bind = with_task_binding(settings.tres_bind, settings.tres_per_task);
}

void check_cpus_per_gpu(SbatchReading& reading) {
  if (reading.given("cpus-per-gpu") == nullptr || !reading.settings.cpus_per_task) return;
  reading.refuse_together({"cpus-per-gpu", "cpus-per-task", "tres-per-task"},
                          "--cpus-per-gpu and CPUs for each task exclude each other",
                          "keep one of them");
}

void check_arbitrary(SbatchReading& reading) {
  const SbatchSettings& settings = reading.settings;
  if (settings.distribution.base != "arbitrary") return;
  if (settings.nodes) {
    reading.refuse_together({"nodes", "distribution"},
                            "--nodes and --distribution=arbitrary exclude each other",
                            "name the nodes with --nodelist alone");
  }
  if (settings.hosts.empty()) {
    reading.refuse(*reading.given("distribution"), "arbitrary needs a list of nodes",
                   "name them with --nodelist");
  }
}

// The job could not end in time even if it began as soon as it may.
void check_deadline(SbatchReading& reading) {
  const SbatchSettings& settings = reading.settings;
  if (!settings.begin || !settings.deadline) return;
  std::int64_t seconds = 0;
  const JobFields& fields = reading.request.fields;
  for (const std::string_view field : {"time_limit", "time_minimum"}) {
    const auto at = fields.find(field);
    if (at == fields.end()) continue;
    const auto* minutes = std::get_if<std::int64_t>(&at->second);
    if (minutes != nullptr) seconds = *minutes * 60;
  }
  if (*settings.deadline < *settings.begin) {
    reading.refuse_together({"begin", "deadline"}, "--deadline is before --begin", "make it later");
  } else if (*settings.deadline < *settings.begin + seconds) {
    reading.refuse_together({"begin", "deadline", "time", "time-min"},
                            "--deadline is before the end of a job that begins at --begin",
                            "make it later, or ask for less time");
  }
}

void check_times(SbatchReading& reading) {
  const JobFields& fields = reading.request.fields;
  const auto least = fields.find("time_minimum");
  const auto limit = fields.find("time_limit");
  if (least == fields.end() || limit == fields.end()) return;
  const auto* minutes = std::get_if<std::int64_t>(&limit->second);
  const auto* minimum = std::get_if<std::int64_t>(&least->second);
  if (minutes != nullptr && (minimum == nullptr || *minimum > *minutes)) {
    reading.refuse_together({"time", "time-min"}, "--time-min is more than --time", "lower it");
  }
}

std::string text_of(const SbatchOption* option) {
  return option == nullptr ? std::string() : option->value.value_or("");
}

void check_batch_features(SbatchReading& reading) {
  const SbatchOption* batch = reading.given("batch");
  if (batch == nullptr) return;
  const std::string constraints = text_of(reading.given("constraint"));
  if (const auto wrong = wrong_batch_features(text_of(batch), constraints)) {
    reading.refuse(*batch, *wrong, "name it in --constraint, too");
  }
}

}  // namespace

void check_between_options(SbatchReading& reading) {
  check_tasks_per_gpu(reading);
  refuse_more_than_one(reading, {"core-spec", "thread-spec"});
  refuse_more_than_one(reading, {"mem", "mem-per-cpu", "mem-per-gpu"});
  refuse_more_than_one(reading, {"exclusive", "oversubscribe"});
  check_task_resources(reading);
  check_cpus_per_gpu(reading);
  check_arbitrary(reading);
  check_times(reading);
  check_deadline(reading);
  check_batch_features(reading);
}

}  // namespace sconverge
