#include "tests/support/builders.h"

#include <utility>

namespace sconverge::test {

SpecName a_name(const std::string& name) {
  const auto slash = name.find('/');
  if (slash == std::string::npos) return {.name_space = "default", .name = name};
  return {.name_space = name.substr(0, slash), .name = name.substr(slash + 1)};
}

SpecBuilder::SpecBuilder(const std::string& name)
    : spec_{.name = a_name(name),
            .job = {{"partition", "main"}, {"time_limit", std::int64_t{60}}},
            .script = "#!/bin/sh\nsrun train\n",
            .file = name + ".yaml",
            .line = 1} {}

SpecBuilder& SpecBuilder::with(const std::string& field, FieldValue value) {
  spec_.job.insert_or_assign(field, std::move(value));
  return *this;
}

SpecBuilder& SpecBuilder::without(const std::string& field) {
  spec_.job.erase(field);
  return *this;
}

SpecBuilder& SpecBuilder::script(const std::string& text) {
  spec_.script = text;
  return *this;
}

SpecBuilder& SpecBuilder::suspended(bool suspend) {
  spec_.suspend = suspend;
  return *this;
}

SpecBuilder& SpecBuilder::on_delete(OnDelete on_delete) {
  spec_.on_delete = on_delete;
  return *this;
}

SpecBuilder& SpecBuilder::annotation(const std::string& key, const std::string& value) {
  spec_.annotations[key] = value;
  return *this;
}

SpecBuilder& SpecBuilder::label(const std::string& key, const std::string& value) {
  spec_.labels[key] = value;
  return *this;
}

SpecBuilder& SpecBuilder::cluster(const std::string& name) {
  spec_.cluster = name;
  return *this;
}

SpecBuilder& SpecBuilder::file(const std::string& path) {
  spec_.file = path;
  return *this;
}

SpecBuilder a_spec(const std::string& name) { return SpecBuilder(name); }

std::string a_token(const std::string& text) { return sha256_hex(text).substr(0, 16); }

Mark a_mark(const JobSpec& spec, int run, int attempt, const std::string& controller) {
  const Generation generation = generation_of(spec);
  return {.controller = controller,
          .spec = spec.name,
          .generation = generation,
          .run = run,
          .attempt = attempt,
          .token = a_token(to_text(spec.name) + "@" + generation + "#" + std::to_string(run) + "." +
                           std::to_string(attempt))};
}

JobBuilder::JobBuilder(std::uint32_t id)
    : job_{.id = JobId{id},
           .name = "train",
           .user = "alice",
           .state = job_state_from({"PENDING"}),
           .reason = "Resources",
           .submitted = kNoon} {}

JobBuilder& JobBuilder::marked(const Mark& mark) {
  job_.name = mark.spec.name;
  job_.comment = comment_with_mark("", mark);
  job_.mark = mark;
  return *this;
}

JobBuilder& JobBuilder::named(const std::string& name) {
  job_.name = name;
  return *this;
}

JobBuilder& JobBuilder::of_user(const std::string& user) {
  job_.user = user;
  return *this;
}

JobBuilder& JobBuilder::state(const std::vector<std::string>& words) {
  job_.state = job_state_from(words);
  return *this;
}

JobBuilder& JobBuilder::pending(const std::string& reason) {
  job_.reason = reason;
  return state({"PENDING"});
}

JobBuilder& JobBuilder::held() {
  job_.held = true;
  return pending("JobHeldUser");
}

JobBuilder& JobBuilder::running() {
  job_.reason.clear();
  job_.started = job_.submitted.value_or(kNoon) + seconds{1};
  return state({"RUNNING"});
}

JobBuilder& JobBuilder::completing(const std::string& base) {
  running();
  return state({base, "COMPLETING"});
}

JobBuilder& JobBuilder::ended(const std::string& base, int exit_code) {
  running();
  job_.ended = *job_.started + seconds{30};
  job_.exit_code = exit_code;
  return state({base});
}

JobBuilder& JobBuilder::cancelled(const std::string& by) {
  job_.cancelled_by = by;
  return ended("CANCELLED", 0);
}

JobBuilder& JobBuilder::submitted(TimePoint at) {
  job_.submitted = at;
  return *this;
}

JobBuilder& JobBuilder::restarted(int times) {
  job_.restarts = times;
  return *this;
}

JobBuilder a_job(std::uint32_t id) { return JobBuilder(id); }

}  // namespace sconverge::test
