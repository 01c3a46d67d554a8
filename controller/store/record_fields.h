#pragma once

#include <concepts>
#include <type_traits>

#include "controller/core/history.h"
#include "controller/ports/store.h"

namespace sconverge {

// Each struct's fields, once for writing and reading. tests/support/full_values.h does not compile
// when a struct has a field more or less than it knows; then a test fails until it is here, too.
//
// `archive(key, field)` is called for each field in turn; a Writer reads it, a Reader sets it.

template <typename T, typename Plain>
concept Is = std::same_as<std::remove_const_t<T>, Plain>;

template <typename Archive, Is<SpecName> T>
void fields(Archive& archive, T& value) {
  archive("namespace", value.name_space);
  archive("name", value.name);
}

template <typename Archive, Is<JobState> T>
void fields(Archive& archive, T& value) {
  archive("base", value.base);
  archive("completing", value.completing);
  archive("configuring", value.configuring);
  archive("unsettled", value.unsettled);
  archive("words", value.words);
}

template <typename Archive, Is<Outcome> T>
void fields(Archive& archive, T& value) {
  archive("kind", value.kind);
  archive("state", value.state);
  archive("exitCode", value.exit_code);
  archive("signal", value.signal);
  archive("ended", value.ended);
  archive("message", value.message);
}

template <typename Archive, Is<TaskEnd> T>
void fields(Archive& archive, T& value) {
  archive("base", value.base);
  archive("state", value.state);
  archive("exitCode", value.exit_code);
  archive("signal", value.signal);
  archive("indexes", value.indexes);
}

template <typename Archive, Is<ArrayTasks> T>
void fields(Archive& archive, T& value) {
  archive("pending", value.pending);
  archive("running", value.running);
  archive("ended", value.ended);
}

template <typename Archive, Is<TaskSummary> T>
void fields(Archive& archive, T& value) {
  archive("total", value.total);
  archive("pending", value.pending);
  archive("running", value.running);
  archive("succeeded", value.succeeded);
  archive("failed", value.failed);
  archive("cancelled", value.cancelled);
  archive("lost", value.lost);
  archive("failedIndexes", value.failed_indexes);
}

template <typename Archive, Is<CancelRequest> T>
void fields(Archive& archive, T& value) {
  archive("cause", value.cause);
  archive("at", value.at);
  archive("effectiveBy", value.effective_by);
}

template <typename Archive, Is<Attempt> T>
void fields(Archive& archive, T& value) {
  archive("run", value.run);
  archive("attempt", value.attempt);
  archive("generation", value.generation);
  archive("token", value.token);
  archive("digest", value.digest);
  archive("jobName", value.job_name);
  archive("intended", value.intended);
  archive("sent", value.sent);
  archive("inDoubt", value.in_doubt);
  archive("refusals", value.refusals);
  archive("notBefore", value.not_before);
  archive("sendError", value.send_error);
  archive("job", value.job);
  archive("submitted", value.submitted);
  archive("started", value.started);
  archive("state", value.state);
  archive("reason", value.reason);
  archive("held", value.held);
  archive("ourHold", value.our_hold);
  archive("restarts", value.restarts);
  archive("array", value.array);
  archive("tasks", value.tasks);
  archive("unseen", value.unseen);
  archive("unseenSince", value.unseen_since);
  archive("accountingUnanswered", value.accounting_unanswered);
  archive("cancel", value.cancel);
  archive("outcome", value.outcome);
  archive("updateRefused", value.update_refused);
  archive("duplicates", value.duplicates);
}

template <typename Archive, Is<SpecHistory> T>
void fields(Archive& archive, T& value) {
  archive("wanted", value.wanted);
  archive("file", value.file);
  archive("acceptedAt", value.accepted_at);
  archive("generationAt", value.generation_at);
  archive("convergedAt", value.converged_at);
  archive("attempts", value.attempts);
  archive("done", value.done);
  archive("rerun", value.rerun);
  archive("missingSince", value.missing_since);
  archive("removalApproved", value.removal_approved);
  archive("vanishApproved", value.vanish_approved);
}

template <typename Archive, Is<Verdict> T>
void fields(Archive& archive, T& value) {
  archive("phase", value.phase);
  archive("reason", value.reason);
  archive("message", value.message);
}

template <typename Archive, Is<SpecStatus> T>
void fields(Archive& archive, T& value) {
  archive("name", value.name);
  archive("verdict", value.verdict);
  archive("job", value.job);
  archive("run", value.run);
  archive("attempt", value.attempt);
  archive("generation", value.generation);
  archive("file", value.file);
  archive("exitCode", value.exit_code);
  archive("tasks", value.tasks);
  archive("acceptedAt", value.accepted_at);
  archive("since", value.since);
  archive("removed", value.removed);
  archive("liveGeneration", value.live_generation);
  archive("succeededAt", value.succeeded_at);
}

template <typename Archive, Is<GuardHit> T>
void fields(Archive& archive, T& value) {
  archive("guard", value.guard);
  archive("specs", value.specs);
  archive("message", value.message);
}

template <typename Archive, Is<Published> T>
void fields(Archive& archive, T& value) {
  archive("cluster", value.cluster);
  archive("controllerId", value.controller_id);
  archive("revision", value.revision);
  archive("sourceComplete", value.source_complete);
  archive("sourceReason", value.source_reason);
  archive("error", value.error);
  archive("at", value.at);
  archive("guards", value.guards);
}

}  // namespace sconverge
