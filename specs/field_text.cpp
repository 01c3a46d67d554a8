#include "specs/field_text.h"

#include <algorithm>
#include <array>

#include "specs/job_field_text.h"

namespace sconverge {
namespace {

struct Row {
  std::string_view path;
  std::string_view type;
  std::string_view forms;
  std::string_view summary;
  std::string_view details;
  std::string_view example;
  bool required{false};
};

constexpr std::string_view kNameForms =
    "1 to 63 of a-z, 0-9 and -, with a letter or digit at both ends.";
constexpr std::string_view kKeyForms =
    "Keys have at most 63 of A-Z, a-z, 0-9, -, _ and ., after an optional DNS name and /.";

// What is known but not yet acted on (spec_document.cpp) has no row: nobody should be led to it.
const std::array kRows = {
    Row{"apiVersion", "text", "sconverge/v1", "The version of this format.", "",
        "apiVersion: sconverge/v1", true},
    Row{"kind", "text", "Job", "What the document declares: a job.", "", "kind: Job", true},
    Row{"metadata", "map", "A map with at least `name`.", "Who the spec is.", "",
        "metadata:\n  name: train-resnet\n  namespace: vision", true},
    Row{"metadata.name", "text", kNameForms, "The name of the spec, unique in its namespace.",
        "Another name is another spec: the job of the old one is cancelled.", "name: train-resnet",
        true},
    Row{"metadata.namespace", "text", kNameForms,
        "The group that the spec belongs to, such as a team.", "Default: `default`.",
        "namespace: vision"},
    Row{"metadata.labels", "map",
        "A map of text, keys and values as in Kubernetes: at most 63 of A-Z, a-z, 0-9, -, _ and "
        "., with a letter or digit at both ends.",
        "What the spec can be told apart by.", "A change of them does not run the job again.",
        "labels: {team: vision}"},
    Row{"metadata.annotations", "map", kKeyForms, "Notes for people and programs.",
        "At most 256 KiB together. The prefix `sconverge/` is reserved. A change of them does not "
        "run the job again.",
        "annotations:\n  example.com/owner: alice"},
    Row{"metadata.annotations.sconverge/protect", "text", "\"true\" or \"false\", with quotes.",
        "Whether the job is kept when the spec is removed.",
        "With \"true\" it is not cancelled, whatever `onDelete` says.",
        "sconverge/protect: \"true\""},
    Row{"spec", "map", "A map with `script` or `scriptFile`.", "The job, and how it is kept.", "",
        "spec:\n  job: {partition: main, time_limit: 2h}\n  script: |\n    #!/bin/bash\n    srun "
        "python train.py",
        true},
    Row{"spec.cluster", "text",
        "1 to 63 of A-Z, a-z, 0-9, -, _ and ., with a letter or digit at both ends.",
        "The cluster that the job runs on, by its name in the configuration.",
        "Default: the default cluster.", "cluster: lab"},
    Row{"spec.job", "map", "A map of the fields of Slurm's job description.",
        "What Slurm is asked for, in the names of its REST API.",
        "A change of it runs the job again, but for the way things are written: 2h and 120 are "
        "the same.",
        "job:\n  partition: main\n  nodes: 2-4\n  time_limit: 2h"},
    Row{"spec.inheritEnvironment", "flag",
        "true, false, or a list of names of variables, e.g. [PATH, HOME].",
        "Which variables of the configured environment the job gets beneath those of "
        "`job.environment`.",
        "Default: all of them if `job.environment` is not set, else none. In a script, `--export` "
        "in an `#SBATCH` line says the same.",
        "inheritEnvironment: true"},
    Row{"spec.script", "text", "A batch script that begins with `#!`, mostly as a block (`|`).",
        "The batch script.",
        "At most 1 MiB, UTF-8, with Unix line breaks. Give either this or `scriptFile`.",
        "script: |\n  #!/bin/bash\n  srun python train.py"},
    Row{"spec.scriptFile", "text",
        "A path relative to the spec file, not out of the watched directory.",
        "The file that holds the batch script.",
        "A change of the script is a change of the spec. Give either this or `script`.",
        "scriptFile: scripts/train.sh"},
    Row{"spec.suspend", "flag", "true or false, without quotes.",
        "Whether the job is kept from starting.",
        "A pending job is held, or not submitted; a running one is left alone. Default: false.",
        "suspend: true"},
    Row{"spec.onChange", "text", "Queue",
        "What happens to a running job when the work of its spec changes.",
        "Queue: it ends first, then the new one runs. Default: Queue.", "onChange: Queue"},
    Row{"spec.onDelete", "text", "Cancel or Orphan",
        "What happens to a live job when its spec is removed.",
        "Cancel: it is cancelled once the spec has been gone for a while. Orphan: it is left "
        "alone. Default: Cancel.",
        "onDelete: Orphan"},
};

std::string range_of(const JobField& field) {
  return "from " + std::to_string(field.minimum) + " to " + std::to_string(field.maximum);
}

std::string forms_of_list(const JobField& field) {
  std::string words;
  for (const std::string_view word : words_of(field)) {
    words += (words.empty() ? "A list of these: " : ", ") + std::string(word);
  }
  return words.empty() ? "A list of text, in its order." : words + ".";
}

std::string forms_of(const JobField& field) {
  switch (field.kind) {
    case FieldKind::Text:
      return "Text of at most " + std::to_string(field.maximum) +
             " bytes; what looks like a number, true, false or null needs quotes.";
    case FieldKind::Flag:
      return "true or false, without quotes.";
    case FieldKind::Integer:
    case FieldKind::Number:
      return "A whole number " + range_of(field) + ", without quotes.";
    case FieldKind::Minutes:
      return "90m, 2h, 1d12h, 45s, 1-12:00:00, 2:00:00, 12:30 (12 minutes 30 seconds), a number "
             "of minutes, or UNLIMITED; rounded up to minutes.";
    case FieldKind::Seconds:
      return "45s, 10m, 2h, 1-12:00:00, or a number of seconds.";
    case FieldKind::Mebibytes:
    case FieldKind::MebibytesInt:
      return "500M, 64G, 1T, 2048K, or a number of MiB; units are powers of 1024; rounded up to "
             "MiB; no fractions.";
    case FieldKind::Timestamp:
      return "RFC 3339 with its zone, e.g. 2027-01-31T08:00:00Z, or UNIX seconds.";
    case FieldKind::NodeCount:
      return "A number (2), a range (2-4), a list (\"1,2,4\") or a step (\"1-15:4\"); k is 1024.";
    case FieldKind::TextList:
      return forms_of_list(field);
    case FieldKind::ArrayIndexes:
      return "A task (5), a range (0-9), a list (\"1,3,7\" or [1, 3, 5-7]) or a step (0-30:10), "
             "with %4 behind it for at most 4 tasks at a time.";
    case FieldKind::Environment:
      return "A map of names and values, or a list of KEY=value; the order means nothing.";
  }
  return "";
}

FieldText text_of_job(const JobField& field) {
  FieldText text{.path = "spec.job." + std::string(field.name),
                 .type = std::string(to_text(field.kind)),
                 .forms = forms_of(field),
                 .summary = "",
                 .details = "",
                 .example = "",
                 .option = "",
                 .job_field = &field};
  if (const JobFieldText* told = find_job_field_text(field.name)) {
    text.summary = told->summary;
    text.details = told->details;
    text.example = std::string(field.name) + ": " + std::string(told->example);
    text.option = told->option;
  }
  return text;
}

std::vector<FieldText> all_texts() {
  std::vector<FieldText> all;
  all.reserve(kRows.size() + job_fields().size());
  for (const Row& row : kRows) {
    all.push_back({.path = std::string(row.path),
                   .type = std::string(row.type),
                   .forms = std::string(row.forms),
                   .summary = std::string(row.summary),
                   .details = std::string(row.details),
                   .example = std::string(row.example),
                   .option = "",
                   .required = row.required});
  }
  for (const JobField& field : job_fields()) all.push_back(text_of_job(field));
  return all;
}

}  // namespace

const std::vector<FieldText>& field_texts() {
  static const std::vector<FieldText> all = all_texts();
  return all;
}

const FieldText* find_field_text(std::string_view path) {
  const auto& all = field_texts();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const FieldText& text) { return text.path == path; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<const FieldText*> fields_named(std::string_view name) {
  if (const FieldText* text = find_field_text(name)) return {text};
  std::vector<const FieldText*> named;
  const std::string ending = "." + std::string(name);
  for (const FieldText& text : field_texts()) {
    if (!name.empty() && text.path.ends_with(ending)) named.push_back(&text);
  }
  return named;
}

std::vector<const FieldText*> fields_of_option(std::string_view option) {
  const auto bare = [](std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of("- "), text.size()));
    return text.substr(0, text.find('='));
  };
  std::vector<const FieldText*> fields;
  const std::string_view wanted = bare(option);
  for (const FieldText& field : field_texts()) {
    bool found = false;
    for (std::string_view rest = field.option; !rest.empty() && rest.front() == '-';) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      found = found || (!wanted.empty() && bare(rest.substr(0, end)) == wanted);
      rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    if (found) fields.push_back(&field);
  }
  return fields;
}

std::string_view to_text(FieldKind kind) {
  switch (kind) {
    case FieldKind::Text:
      return "text";
    case FieldKind::Flag:
      return "flag";
    case FieldKind::Integer:
    case FieldKind::Number:
      return "number";
    case FieldKind::Minutes:
      return "duration";
    case FieldKind::Seconds:
      return "seconds";
    case FieldKind::Mebibytes:
    case FieldKind::MebibytesInt:
      return "size";
    case FieldKind::Timestamp:
      return "time";
    case FieldKind::TextList:
      return "list";
    case FieldKind::ArrayIndexes:
      return "array";
    case FieldKind::Environment:
      return "environment";
    case FieldKind::NodeCount:
      return "node count";
  }
  return "";
}

}  // namespace sconverge
