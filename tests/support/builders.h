#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controller/core/mark.h"
#include "controller/core/slurm_job.h"
#include "specs/job_spec.h"
#include "tests/support/fake_clock.h"

namespace sconverge::test {

inline constexpr const char* kController = "prod";

/// "default/NAME", or "NAMESPACE/NAME" taken apart.
SpecName a_name(const std::string& name);

/// A spec with what a person would write: partition "main", a time limit, a one-line script, a file
/// of its own. Each test says only what differs.
class SpecBuilder {
 public:
  explicit SpecBuilder(const std::string& name);

  SpecBuilder& with(const std::string& field, FieldValue value);
  SpecBuilder& without(const std::string& field);
  SpecBuilder& partition(const std::string& name) { return with("partition", name); }
  SpecBuilder& time_limit(std::int64_t minutes) { return with("time_limit", minutes); }
  SpecBuilder& comment(const std::string& text) { return with("comment", text); }
  SpecBuilder& script(const std::string& text);
  SpecBuilder& suspended(bool suspend = true);
  SpecBuilder& on_delete(OnDelete on_delete);
  SpecBuilder& orphaned() { return on_delete(OnDelete::Orphan); }
  SpecBuilder& protect() { return annotation("sconverge/protect", "true"); }
  SpecBuilder& annotation(const std::string& key, const std::string& value);
  SpecBuilder& label(const std::string& key, const std::string& value);
  SpecBuilder& cluster(const std::string& name);
  SpecBuilder& file(const std::string& path);

  [[nodiscard]] JobSpec build() const { return spec_; }
  [[nodiscard]] JobSpecPtr ptr() const { return std::make_shared<JobSpec>(spec_); }
  operator JobSpec() const { return spec_; }     // NOLINT(google-explicit-constructor)
  operator JobSpecPtr() const { return ptr(); }  // NOLINT(google-explicit-constructor)

 private:
  JobSpec spec_;
};

SpecBuilder a_spec(const std::string& name);

/// A token as ours look, the same for the same text.
std::string a_token(const std::string& text);

/// The mark of an attempt at `spec`. Its token tells spec, generation, run and attempt apart.
Mark a_mark(const JobSpec& spec, int run = 1, int attempt = 1,
            const std::string& controller = kController);

/// A pending job without a mark, submitted at noon.
class JobBuilder {
 public:
  explicit JobBuilder(std::uint32_t id);

  JobBuilder& marked(const Mark& mark);
  JobBuilder& named(const std::string& name);
  JobBuilder& of_user(const std::string& user);
  JobBuilder& state(const std::vector<std::string>& words);
  JobBuilder& pending(const std::string& reason = "Resources");
  JobBuilder& held();
  JobBuilder& running();
  JobBuilder& completing(const std::string& base = "COMPLETED");
  JobBuilder& ended(const std::string& base = "COMPLETED", int exit_code = 0);
  JobBuilder& cancelled(const std::string& by = "");
  JobBuilder& submitted(TimePoint at);
  JobBuilder& restarted(int times);

  [[nodiscard]] SlurmJob build() const { return job_; }
  operator SlurmJob() const { return job_; }  // NOLINT(google-explicit-constructor)

 private:
  SlurmJob job_;
};

JobBuilder a_job(std::uint32_t id);

}  // namespace sconverge::test
