#pragma once

#include <functional>
#include <set>
#include <span>
#include <vector>

#include "controller/core/absorb.h"
#include "controller/core/pace.h"
#include "controller/core/plan.h"
#include "controller/core/report.h"
#include "controller/ports/clock.h"
#include "controller/ports/slurm_client.h"

namespace sconverge {

/// What keeps a burst of actions from holding up everything else, from one tick to the next.
struct Turns {
  Pace pace;
  SpecName last{};  ///< the spec whose submit was sent last: the next one after it comes first
};

/// What is left to do after a tick.
struct Applied {
  std::set<SpecName> touched{};  ///< entries that answers changed, and that are not durable yet
  std::set<SpecName> put_off{};  ///< their actions wait for the next tick
  bool in_trouble{false};        ///< put off because Slurm, or the disk, did not do its part
};

/// The only code that changes Slurm. What it is about to do is made durable before it is done, and
/// what came of it is written into the memory and the report.
class Applier {
 public:
  /// Makes the named entries durable; false if that failed, and then nothing may be sent.
  using Save = std::function<bool(const std::set<SpecName>&)>;

  Applier(History& history, SlurmClient& slurm, const Clock& clock, const Policy& policy,
          Turns& turns, Save save, TickReport& report);

  /// Cancels first, then changes, then submits: what makes room goes before what needs it. Cancels
  /// and submits go in batches, each of them made durable by one write; after a second, or when
  /// Slurm has no answer, the rest is put off.
  Applied apply(const std::vector<Action>& actions);

 private:
  struct Cancelling {
    const Cancel* action{nullptr};
    Result<Done> answer{Done{}};
    milliseconds took{0};
  };
  struct Submitting {
    const Submit* action{nullptr};
    Submission submission{};
    Result<Submitted> answer{Submitted{}};
    milliseconds took{0};
  };

  bool cancel_batch(std::span<const Cancel* const> batch);
  void change_all(const std::vector<Action>& actions);
  void change(const Update& update);
  void change(const SetHold& hold);
  bool submit_batch(std::span<const Submit* const> batch);
  template <typename Kind>
  void in_batches(const std::vector<const Kind*>& actions,
                  bool (Applier::*batch)(std::span<const Kind* const>));
  bool still_ours(const SpecName& spec, JobId job, const std::string& token, Operation operation);
  bool is_still_ours(const Result<std::optional<SlurmJob>>& read, const SpecName& spec, JobId job,
                     const std::string& token, Operation operation, bool while_pending);
  void report(Operation operation, const SpecName& spec, std::optional<JobId> job,
              const Error* error, const std::string& message = {});

  History& history_;
  SlurmClient& slurm_;
  const Clock& clock_;
  const Policy& policy_;
  Turns& turns_;
  Save save_;
  TickReport& report_;
  TimePoint deadline_;
  Applied applied_{};
};

}  // namespace sconverge
