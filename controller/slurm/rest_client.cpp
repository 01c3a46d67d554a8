#include "controller/slurm/rest_client.h"

#include <algorithm>
#include <utility>

#include "controller/core/observer.h"
#include "controller/core/one_line.h"
#include "controller/core/url_text.h"
#include "controller/slurm/rest_session.h"
#include "controller/slurm/wire_write.h"
#include "specs/job_field.h"

namespace sconverge {
namespace {

constexpr int kNoSuchJob = 2017;
constexpr int kAlreadyDone = 2021;
constexpr int kEmptyResult = 9003;

// Accounting may name a submit time a little before the moment at which we meant to submit; more
// rows than needed do no harm.
constexpr seconds kClockSlack{3600};

bool every_errno_is(const std::vector<SlurmComplaint>& complaints,
                    std::initializer_list<int> allowed) {
  return std::all_of(complaints.begin(), complaints.end(), [&](const SlurmComplaint& complaint) {
    return std::find(allowed.begin(), allowed.end(), complaint.number) != allowed.end();
  });
}

/// Why an answer is no complete list of jobs; nullopt if it is one. What cannot be taken as one is
/// never an empty one.
std::optional<Error> trouble_with_list(const std::string& what, const Reply& reply) {
  const auto unavailable = [&](const std::string& why) {
    return Error{ErrorKind::Unavailable, what + ": " + why};
  };
  if (reply.head.status != 200 || !reply.body.whole || !reply.body.errors.empty()) {
    return error_of(Purpose::Read, what, reply.head, reply.body);
  }
  if (reply.body.no_change) return unavailable("Slurm left out the jobs because none changed");
  if (!reply.body.has_jobs) return unavailable("the answer holds no list of jobs");
  if (reply.body.unreadable > 0) {
    return unavailable(std::to_string(reply.body.unreadable) +
                       " of its jobs have no readable id or state");
  }
  return std::nullopt;
}

std::string joined_with_commas(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

TimePoint system_now() {
  return std::chrono::time_point_cast<milliseconds>(std::chrono::system_clock::now());
}

class RestClient : public SlurmClient {
 public:
  RestClient(std::unique_ptr<Transport> transport, RestClientOptions options)
      : session_(std::move(transport), std::move(options.api_version)),
        now_(options.now ? std::move(options.now) : system_now),
        observer_({.list = [this] { return list(); },
                   .states = [this] { return states(); },
                   .read = [this](JobId job) { return records_of(job); }},
                  now_, options.observer) {}

  Result<Observation> observe(const ObserveScope& scope) override {
    return observer_.observe(scope);
  }
  Result<std::optional<SlurmJob>> read(JobId job) override;
  Result<std::optional<SlurmJob>> account(const Question& question) override;
  Result<Submitted> submit(const Submission& submission) override;
  Result<Done> update(JobId job, const JobFields& fields) override;
  Result<Done> set_hold(JobId job, bool hold) override;
  Result<Done> cancel(JobId job) override;
  Result<ClusterInfo> check() override;
  std::vector<SlurmRequest> take_requests() override { return session_.take_requests(); }

 private:
  Result<JobList> list();
  Result<std::optional<StateList>> states();
  Result<std::vector<JobRecord>> records_of(JobId job);
  Result<Done> change(JobId job, const std::string& what, const std::string& body);
  Result<Submitted> settle(JobId job, const std::string& what, const Submission& submission,
                           const AnswerBody& answer);
  std::optional<Error> unsupported_field(const std::string& what, const JobFields& fields);
  Result<std::optional<SlurmJob>> job_in(const Reply& reply, const Ask& ask,
                                         const Question& question);
  Result<std::optional<SlurmJob>> live_job_among(const std::vector<SlurmJob>& possible,
                                                 const Question& question);
  [[nodiscard]] Ask account_by_name(const Question& question) const;

  RestSession session_;
  std::function<TimePoint()> now_;
  Observer observer_;
};

Result<JobList> RestClient::list() {
  const std::string what = "list of jobs";
  auto reply = session_.ask({.path = "jobs/", .route = "jobs", .what = what, .keep = keep_marked});
  if (!reply) return reply.error();
  if (const auto trouble = trouble_with_list(what, *reply)) return *trouble;
  return JobList{std::move(reply->body.jobs), std::move(reply->body.ids)};
}

/// nullopt where Slurm is too old for it, where who stands before it knows no such path, and where
/// what is answered is no list that we can read.
Result<std::optional<StateList>> RestClient::states() {
  const std::string what = "list of job states";
  auto reply = session_.ask(
      {.path = "jobs/state/", .route = "jobs/state", .what = what, .rows = RowKind::State});
  if (!reply) return reply.error();
  const auto& [head, body] = *reply;
  if (is_unserved(head, body) || head.status == 404) return std::optional<StateList>();
  if (head.status != 200 || !body.whole || !body.errors.empty()) {
    return error_of(Purpose::Read, what, head, body);
  }
  const bool usable = body.has_jobs && !body.no_change && body.unreadable == 0;
  return usable ? std::optional(std::move(reply->body.states)) : std::nullopt;
}

Result<std::vector<JobRecord>> RestClient::records_of(JobId job) {
  const std::string what = "read of job " + to_text(job);
  auto reply = session_.ask({.path = "job/" + to_text(job), .route = "job/{job_id}", .what = what});
  if (!reply) return reply.error();
  auto& body = reply->body;
  if (body.whole && !body.errors.empty() && every_errno_is(body.errors, {kNoSuchJob})) {
    return std::vector<JobRecord>();
  }
  if (const auto trouble = trouble_with_list(what, *reply)) return *trouble;
  if (!whole_job(body.jobs, job)) {
    return Error{ErrorKind::Unavailable, what + ": the answer is about other jobs"};
  }
  return std::move(body.jobs);
}

Result<std::optional<SlurmJob>> RestClient::read(JobId job) {
  const auto records = records_of(job);
  if (!records) return records.error();
  return whole_job(*records, job);
}

Ask RestClient::account_by_name(const Question& question) const {
  const std::string& name = question.job_name;
  Ask ask{.service = Service::Slurmdb,
          .path = "jobs/",
          .route = "jobs",
          .what = "accounting of jobs named \"" + one_line(name, 64) + "\"",
          .rows = RowKind::Accounting,
          .keep = [name, token = question.token](const JobRecord& row) {
            return row.job.name == name || (row.job.mark && row.job.mark->token == token);
          }};
  // Without any query slurmrestd answers with the jobs of its local day (Slurm 24.11).
  if (!session_.transport().takes_queries()) return ask;
  // "uts" because v0.0.40 takes no plain number; usage_time_as_submit_time because else a job that
  // never started is in no window; and with that the times of a row would be cut to the window.
  ask.path += "?job_name=" + percent_encoded(name) + "&start_time=uts" +
              std::to_string(std::chrono::floor<seconds>(question.submitted_after - kClockSlack)
                                 .time_since_epoch()
                                 .count()) +
              "&usage_time_as_submit_time=true&disable_truncate_usage_time=true&skip_steps=true";
  const std::string user = session_.transport().user();
  if (!user.empty()) ask.path += "&users=" + percent_encoded(user);
  return ask;
}

Result<std::optional<SlurmJob>> RestClient::account(const Question& question) {
  Ask ask = account_by_name(question);
  if (question.job) {
    ask.path = "job/" + to_text(*question.job);
    ask.route = "job/{job_id}";
    ask.what = "accounting of job " + to_text(*question.job);
  }
  auto reply = session_.ask(ask);
  const bool asked_queries = ask.path.find('?') != ask.path.npos;
  if (!reply && asked_queries && !session_.transport().takes_queries()) {
    ask = account_by_name(question);
    reply = session_.ask(ask);
  }
  if (!reply) return reply.error();
  auto found = job_in(*reply, ask, question);
  const bool proves_nothing = !question.job && ask.path == "jobs/";
  if (proves_nothing && found.ok() && !found->has_value()) {
    return Error{ErrorKind::Unavailable,
                 ask.what +
                     ": today's have none that fits, and no earlier ones can be asked for, "
                     "because the way to Slurm refuses query strings"};
  }
  return found;
}

Result<std::optional<SlurmJob>> RestClient::job_in(const Reply& reply, const Ask& ask,
                                                   const Question& question) {
  const auto& body = reply.body;
  // Slurm 26.05 has a way to answer "nothing" without a body.
  const bool nothing =
      reply.head.status == 204 || (body.whole && !body.errors.empty() && body.jobs.empty() &&
                                   every_errno_is(body.errors, {kEmptyResult}));
  if (nothing) return std::optional<SlurmJob>();
  if (is_unserved(reply.head, body)) {
    return Error{ErrorKind::Unavailable, ask.what + ": this slurmrestd serves no accounting"};
  }
  if (const auto trouble = trouble_with_list(ask.what, reply)) return *trouble;
  const std::string user = session_.transport().user();
  auto found = accounted(body.jobs, question, user);
  if (found || question.job) return found;
  return live_job_among(possible_jobs(body.jobs, question, user), question);
}

/// Accounting has a job's comment only once it has ended; slurmctld has it from the start.
Result<std::optional<SlurmJob>> RestClient::live_job_among(const std::vector<SlurmJob>& possible,
                                                           const Question& question) {
  for (const SlurmJob& row : possible) {
    auto live = read(row.id);
    if (!live) return live;
    // Another submit time: the id has been given out again since.
    const bool same = live->has_value() && (*live)->submitted == row.submitted;
    if (!same) {
      return Error{ErrorKind::Unavailable,
                   "accounting of jobs named \"" + one_line(question.job_name, 64) + "\": job " +
                       to_text(row.id) + " may be the one, and nothing there tells"};
    }
    if ((*live)->mark && (*live)->mark->token == question.token) return live;
  }
  return std::optional<SlurmJob>();
}

Result<Submitted> RestClient::submit(const Submission& submission) {
  const auto name = submission.fields.find("name");
  const auto* text =
      name != submission.fields.end() ? std::get_if<std::string>(&name->second) : nullptr;
  const std::string what =
      "submit" + (text != nullptr ? " of \"" + one_line(*text, 64) + "\"" : std::string());
  if (const auto error = unsupported_field(what, submission.fields)) return *error;
  const auto reply = session_.ask({.purpose = Purpose::Submit,
                                   .method = HttpMethod::Post,
                                   .path = "job/submit",
                                   .route = "job/submit",
                                   .what = what,
                                   .body = submit_body(submission)});
  if (!reply) return reply.error();
  // Slurm up to 23.02 answers 500 for jobs that it has queued.
  if (reply->body.whole && reply->body.submitted) {
    return settle(*reply->body.submitted, what, submission, reply->body);
  }
  return error_of(Purpose::Submit, what, reply->head, reply->body);
}

/// A job that lacks a field its spec asked for must not run.
Result<Submitted> RestClient::settle(JobId job, const std::string& what,
                                     const Submission& submission, const AnswerBody& answer) {
  if (answer.dropped_fields.empty()) {
    observer_.submitted(job, submission, session_.transport().user());
    return Submitted{job, answer.warnings};
  }
  const auto cancelled = cancel(job);
  // Then the job must at least not be lost sight of.
  if (!cancelled) return Submitted{job, answer.warnings};
  return Error{ErrorKind::Rejected, what + ": Slurm does not know the field " +
                                        joined_with_commas(answer.dropped_fields) +
                                        " and left it out; job " + to_text(job) + " was cancelled"};
}

std::optional<Error> RestClient::unsupported_field(const std::string& what,
                                                   const JobFields& fields) {
  const auto version = session_.version();
  if (!version) return about(what, version.error());
  for (const auto& [name, value] : fields) {
    const JobField* field = find_job_field(name);
    // Versions are equally long, so their text compares as they do.
    if (field == nullptr || field->since <= *version) continue;
    return Error{ErrorKind::Rejected, what + ": the field \"" + name + "\" needs API " +
                                          std::string(field->since) + ", and this cluster's is " +
                                          *version};
  }
  return std::nullopt;
}

Result<Done> RestClient::change(JobId job, const std::string& what, const std::string& body) {
  observer_.changed(job);
  const auto reply = session_.ask({.purpose = Purpose::Change,
                                   .method = HttpMethod::Post,
                                   .path = "job/" + to_text(job),
                                   .route = "job/{job_id}",
                                   .what = what,
                                   .body = body});
  if (!reply) return reply.error();
  const auto& answer = reply->body;
  const bool done = reply->head.status == 200 && answer.whole && answer.errors.empty() &&
                    answer.job_failures.empty();
  if (!done) return error_of(Purpose::Change, what, reply->head, answer);
  if (answer.dropped_fields.empty()) return Done{};
  return Error{ErrorKind::Rejected, what + ": Slurm does not know the field " +
                                        joined_with_commas(answer.dropped_fields) +
                                        " and left it out"};
}

Result<Done> RestClient::update(JobId job, const JobFields& fields) {
  const std::string what = "update of job " + to_text(job);
  if (const auto error = unsupported_field(what, fields)) return *error;
  return change(job, what, update_body(fields));
}

Result<Done> RestClient::set_hold(JobId job, bool hold) {
  return change(job, (hold ? "hold of job " : "release of job ") + to_text(job), hold_body(hold));
}

Result<Done> RestClient::cancel(JobId job) {
  observer_.changed(job);
  const std::string what = "cancel of job " + to_text(job);
  const auto reply = session_.ask({.purpose = Purpose::Cancel,
                                   .method = HttpMethod::Delete,
                                   .path = "job/" + to_text(job),
                                   .route = "job/{job_id}",
                                   .what = what});
  if (!reply) return reply.error();
  const auto& answer = reply->body;
  const bool gone = every_errno_is(answer.errors, {kNoSuchJob, kAlreadyDone}) &&
                    every_errno_is(answer.job_failures, {kNoSuchJob, kAlreadyDone});
  const bool said = reply->head.status == 200 || !answer.errors.empty();
  if (answer.whole && gone && said) return Done{};
  for (const SlurmComplaint& failure : answer.job_failures) {
    const bool harmless = failure.number == kNoSuchJob || failure.number == kAlreadyDone;
    if (answer.errors.empty() && !harmless) return error_of(Purpose::Cancel, what, failure);
  }
  return error_of(Purpose::Cancel, what, reply->head, answer);
}

Result<ClusterInfo> RestClient::check() {
  const std::string what = "check of the connection";
  const auto reply = session_.ask({.path = "diag/", .route = "diag", .what = what});
  if (!reply) return reply.error();
  if (reply->head.status != 200 || !reply->body.whole || !reply->body.errors.empty()) {
    return error_of(Purpose::Read, what, reply->head, reply->body);
  }
  const auto version = session_.version();
  if (!version) return version.error();
  const Transport& transport = session_.transport();
  ClusterInfo info{.api_version = *version,
                   .slurm_version = reply->body.slurm_version,
                   .cluster_name = reply->body.cluster_name,
                   .endpoint = transport.endpoint(),
                   .user = transport.user(),
                   .credentials = transport.credentials_text(),
                   .token_expiry = transport.credentials_expiry(),
                   .server_time = reply->body.server_time};
  // Any question will do; the first job's is a cheap one.
  const auto accounting = account({.token = "check", .job = JobId{1}, .submitted_after = now_()});
  info.accounting = accounting.ok();
  if (!accounting) info.accounting_error = accounting.error().message;
  return info;
}

}  // namespace

std::unique_ptr<SlurmClient> make_rest_client(std::unique_ptr<Transport> transport,
                                              RestClientOptions options) {
  return std::make_unique<RestClient>(std::move(transport), std::move(options));
}

}  // namespace sconverge
