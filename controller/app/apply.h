#pragma once

#include <functional>
#include <set>
#include <vector>

#include "controller/core/absorb.h"
#include "controller/core/plan.h"
#include "controller/core/report.h"
#include "controller/ports/clock.h"
#include "controller/ports/slurm_client.h"

namespace sconverge {

/// The only code that changes Slurm. What it is about to do is made durable before it is done, and
/// what came of it is written into the memory and the report.
class Applier {
 public:
  /// Makes the named entries durable; false if that failed, and then nothing may be sent.
  using Save = std::function<bool(const std::set<SpecName>&)>;

  Applier(History& history, SlurmClient& slurm, const Clock& clock, const Policy& policy,
          int concurrency, Save save, TickReport& report);

  /// Cancels first, then changes, then submits: what makes room goes before what needs it. Returns
  /// the names whose entries changed by answers and are not durable yet.
  std::set<SpecName> apply(const std::vector<Action>& actions);

 private:
  struct Cancelling {
    Cancel action;
    Result<Done> answer{Done{}};
  };
  struct Submitting {
    Submit action;
    Submission submission;
    Result<Submitted> answer{Submitted{}};
  };

  void cancel_all(const std::vector<Action>& actions);
  void change(const Update& update);
  void change(const SetHold& hold);
  void submit_all(const std::vector<Action>& actions);
  bool still_ours(const SpecName& spec, JobId job, const std::string& token, Operation operation,
                  bool while_pending = false);
  void report(Operation operation, const SpecName& spec, std::optional<JobId> job,
              const Error* error, const std::string& message = {});

  History& history_;
  SlurmClient& slurm_;
  const Clock& clock_;
  const Policy& policy_;
  int concurrency_;
  Save save_;
  TickReport& report_;
  std::set<SpecName> touched_{};
};

}  // namespace sconverge
