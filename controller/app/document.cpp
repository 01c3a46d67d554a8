#include "controller/app/document.h"

#include <nlohmann/json.hpp>

#include "controller/app/document_text.h"
#include "controller/app/render_describe.h"
#include "controller/app/render_get.h"
#include "controller/app/time_text.h"
#include "controller/app/words.h"

namespace sconverge {
namespace {

using Json = nlohmann::ordered_json;

std::string in(DocumentFormat format, const Json& document) {
  return document_text(document.dump(2, ' ', false, Json::error_handler_t::replace),
                       format == DocumentFormat::Yaml);
}

void put_time(Json& object, const char* key, const std::optional<TimePoint>& time) {
  if (time && *time != TimePoint{}) object[key] = time_text(*time);
}

void put_text(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

Json headed(const char* kind) { return Json{{"apiVersion", "sconverge/v1"}, {"kind", kind}}; }

Json name_json(const SpecName& name) {
  return Json{{"namespace", name.name_space}, {"name", name.name}};
}

Json tasks_json(const TaskSummary& tasks) {
  Json out{{"total", tasks.total},     {"pending", tasks.pending},
           {"running", tasks.running}, {"succeeded", tasks.succeeded},
           {"failed", tasks.failed},   {"cancelled", tasks.cancelled},
           {"lost", tasks.lost}};
  put_text(out, "failedIndexes", tasks.failed_indexes);
  return out;
}

void put_status(Json& object, const std::string& cluster, const SpecStatus& status) {
  object.update(name_json(status.name));
  object["cluster"] = cluster;
  object["phase"] = std::string(to_text(status.verdict.phase));
  object["reason"] = std::string(to_text(status.verdict.reason));
  put_text(object, "message", status.verdict.message);
  if (status.job) object["job"] = status.job->value;
  if (status.attempt > 0) {
    object["run"] = status.run;
    object["attempt"] = status.attempt;
  }
  if (status.exit_code) object["exitCode"] = *status.exit_code;
  if (status.tasks) object["tasks"] = tasks_json(*status.tasks);
  put_text(object, "generation", status.generation);
  put_text(object, "file", status.file);
  put_time(object, "acceptedAt", status.accepted_at);
  put_time(object, "since", status.since);
  if (status.removed) object["removed"] = true;
}

Json guards_json(const std::vector<GuardHit>& guards) {
  Json out = Json::array();
  for (const auto& hit : guards) {
    Json specs = Json::array();
    for (const auto& spec : hit.specs) specs.push_back(to_text(spec));
    out.push_back({{"guard", std::string(to_text(hit.guard))},
                   {"message", hit.message},
                   {"specs", std::move(specs)}});
  }
  return out;
}

Json cluster_json(const Published& cluster) {
  Json out{{"name", cluster.cluster}};
  put_text(out, "controllerId", cluster.controller_id);
  put_time(out, "lastTick", cluster.at);
  put_text(out, "revision", cluster.revision);
  out["sourceComplete"] = cluster.source_complete;
  put_text(out, "sourceReason", cluster.source_reason);
  put_text(out, "error", cluster.error);
  out["guards"] = guards_json(cluster.guards);
  return out;
}

Json fields_json(const JobFields& fields) {
  Json out = Json::object();
  for (const auto& [field, value] : fields) out[field] = field_text(field, value);
  return out;
}

/// The tasks of a job array by what became of them.
Json task_sets_json(const ArrayTasks& tasks) {
  Json out = Json::object();
  put_text(out, "pending", to_text(tasks.pending));
  put_text(out, "running", to_text(tasks.running));
  Json ended = Json::array();
  for (const TaskEnd& end : tasks.ended) {
    Json entry{{"indexes", to_text(end.indexes)}};
    put_text(entry, "state", end.state);
    if (end.exit_code) entry["exitCode"] = *end.exit_code;
    if (end.signal) entry["signal"] = *end.signal;
    ended.push_back(std::move(entry));
  }
  if (!ended.empty()) out["ended"] = std::move(ended);
  return out;
}

Json attempt_json(const Attempt& attempt) {
  Json out{{"run", attempt.run}, {"attempt", attempt.attempt}, {"generation", attempt.generation}};
  if (attempt.job) out["job"] = attempt.job->value;
  put_text(out, "state", attempt.state.words);
  put_text(out, "reason", attempt.reason);
  put_time(out, "intendedAt", attempt.intended);
  put_time(out, "sentAt", attempt.sent);
  put_time(out, "submittedAt", attempt.submitted);
  put_time(out, "startedAt", attempt.started);
  put_text(out, "array", attempt.array);
  if (!attempt.tasks.empty()) out["tasks"] = task_sets_json(attempt.tasks);
  put_text(out, "sendError", attempt.send_error);
  if (attempt.cancel) {
    Json cancel{{"cause", std::string(to_text(attempt.cancel->cause))}};
    put_time(cancel, "at", attempt.cancel->at);
    out["cancel"] = cancel;
  }
  if (attempt.outcome) {
    const Outcome& ended = *attempt.outcome;
    Json outcome{{"kind", std::string(to_text(ended.kind))}};
    put_text(outcome, "state", ended.state);
    if (ended.exit_code) outcome["exitCode"] = *ended.exit_code;
    if (ended.signal) outcome["signal"] = *ended.signal;
    put_time(outcome, "endedAt", ended.ended);
    put_text(outcome, "message", ended.message);
    out["outcome"] = outcome;
  }
  return out;
}

Json changes_json(const std::vector<FieldChange>& changes) {
  Json out = Json::array();
  for (const auto& change : changes) {
    Json entry{{"field", change.field}};
    put_text(entry, "from", change.from);
    put_text(entry, "to", change.to);
    out.push_back(std::move(entry));
  }
  return out;
}

Json problems_json(const std::vector<Problem>& problems) {
  Json out = Json::array();
  for (const auto& problem : problems) {
    Json entry = Json::object();
    put_text(entry, "file", problem.file);
    if (problem.line > 0) entry["line"] = problem.line;
    if (problem.column > 0) entry["column"] = problem.column;
    put_text(entry, "field", problem.field);
    entry["kind"] = std::string(to_text(problem.kind));
    entry["what"] = problem.what;
    put_text(entry, "remedy", problem.remedy);
    out.push_back(std::move(entry));
  }
  return out;
}

/// Renders one action each.
struct ActionJson {
  const SubmitDefaults& defaults;

  Json operator()(const Submit& submit) const {
    Json out = headless("submit", submit.spec);
    out["run"] = submit.run;
    out["attempt"] = submit.attempt;
    out["generation"] = submit.generation;
    if (submit.resend) out["resend"] = true;
    if (!submit.content) return out;
    out["job"] = fields_json(submit.content->job);
    out["defaults"] = fields_json(default_fields(*submit.content, defaults));
    return out;
  }
  Json operator()(const Update& update) const {
    Json out = headless("update", update.spec);
    out["job"] = update.job.value;
    out["generation"] = update.generation;
    out["changes"] = changes_json(update.changes);
    return out;
  }
  Json operator()(const SetHold& hold) const {
    Json out = headless(hold.hold ? "hold" : "release", hold.spec);
    out["job"] = hold.job.value;
    return out;
  }
  Json operator()(const Cancel& cancel) const {
    Json out = headless("cancel", cancel.spec);
    out["job"] = cancel.job.value;
    out["cause"] = std::string(to_text(cancel.cause));
    if (!cancel.changes.empty()) out["changes"] = changes_json(cancel.changes);
    return out;
  }

  static Json headless(const char* action, const SpecName& spec) {
    Json out{{"action", action}};
    out.update(name_json(spec));
    return out;
  }
};

}  // namespace

std::string statuses_document(const std::vector<Published>& clusters, DocumentFormat format) {
  Json out = headed("SpecStatusList");
  out["items"] = Json::array();
  out["clusters"] = Json::array();
  for (const auto& cluster : clusters) {
    for (const auto& status : cluster.statuses) {
      Json item = Json::object();
      put_status(item, cluster.cluster, status);
      out["items"].push_back(std::move(item));
    }
    out["clusters"].push_back(cluster_json(cluster));
  }
  return in(format, out);
}

std::string status_document(const Published& cluster, const SpecStatus& status,
                            DocumentFormat format) {
  Json out = headed("SpecStatus");
  put_status(out, cluster.cluster, status);
  return in(format, out);
}

std::string description_document(const Published& cluster, const SpecStatus& status,
                                 const SpecHistory& history, DocumentFormat format) {
  Json out = headed("SpecDescription");
  put_status(out, cluster.cluster, status);
  if (history.accepted) {
    const JobSpec& spec = *history.accepted;
    out["labels"] = spec.labels;
    out["annotations"] = spec.annotations;
    out["job"] = fields_json(spec.job);
    out["script"] = script_size_text(spec.script);
    out["suspend"] = spec.suspend;
    out["onDelete"] = spec.on_delete == OnDelete::Cancel ? "Cancel" : "Orphan";
  }
  out["attempts"] = Json::array();
  for (const auto& attempt : history.attempts) out["attempts"].push_back(attempt_json(attempt));
  return in(format, out);
}

std::string plan_document(const std::vector<ClusterPlan>& plans, DocumentFormat format) {
  Json out = headed("Plan");
  out["clusters"] = Json::array();
  for (const auto& plan : plans) {
    Json actions = Json::array();
    for (const auto& action : plan.preview.plan.actions) {
      actions.push_back(std::visit(ActionJson{plan.defaults}, action));
    }
    Json queued = Json::array();
    for (const auto& [name, change] : plan.preview.plan.queued) {
      Json entry = ActionJson::headless("change", name);
      entry["after"] = change.after.value;
      entry["changes"] = changes_json(change.changes);
      queued.push_back(std::move(entry));
    }
    out["clusters"].push_back({{"name", plan.cluster},
                               {"sourceComplete", plan.preview.desired.complete},
                               {"actions", std::move(actions)},
                               {"queued", std::move(queued)},
                               {"guards", guards_json(plan.preview.plan.guards)},
                               {"problems", problems_json(plan.preview.desired.problems)}});
  }
  return in(format, out);
}

std::string validation_document(int files, int specs, const std::vector<Problem>& problems,
                                const std::vector<Problem>& notes, DocumentFormat format) {
  Json out = headed("Validation");
  out["valid"] = problems.empty();
  out["files"] = files;
  out["specs"] = specs;
  out["problems"] = problems_json(problems);
  if (!notes.empty()) out["notes"] = problems_json(notes);
  return in(format, out);
}

std::string checks_document(const std::vector<ClusterCheck>& checks, DocumentFormat format) {
  Json out = headed("Check");
  out["clusters"] = Json::array();
  for (const auto& check : checks) {
    Json entry{{"name", check.cluster}, {"endpoint", check.endpoint}, {"ok", !check.error}};
    if (check.error) entry["error"] = check.error->message;
    if (check.info) {
      const ClusterInfo& info = *check.info;
      put_text(entry, "slurmVersion", info.slurm_version);
      put_text(entry, "apiVersion", info.api_version);
      put_text(entry, "clusterName", info.cluster_name);
      put_text(entry, "user", info.user);
      put_text(entry, "credentials", info.credentials);
      put_time(entry, "tokenExpiry", info.token_expiry);
      put_time(entry, "serverTime", info.server_time);
      entry["accounting"] = info.accounting;
      put_text(entry, "accountingError", info.accounting_error);
    }
    entry["warnings"] = check.warnings;
    out["clusters"].push_back(std::move(entry));
  }
  return in(format, out);
}

std::string build_document(const BuildInfo& build, DocumentFormat format) {
  return in(
      format,
      Json{{"version", build.version}, {"revision", build.revision}, {"compiler", build.compiler}});
}

}  // namespace sconverge
