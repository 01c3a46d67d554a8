#include "specs/job_field_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include "specs/job_resource_text.h"

namespace sconverge {
namespace {

// Who, where and when, files and the end; what a job asks for is in job_resource_text.cpp.
constexpr std::array kTexts = {
    JobFieldText{"account", "-A, --account", "research", "The account that the job is charged to.",
                 "Slurm keeps it in lower case. Without it the user's default account is charged."},
    JobFieldText{"account_gather_frequency", "--acctg-freq", "task=30",
                 "How often accounting data is sampled, in seconds.",
                 "One number for all, or `task=30,energy=60`; 0 samples at the end only."},
    JobFieldText{"argv", "arguments behind the script", "[train.sh, --epochs, \"90\"]",
                 "The arguments of the script.",
                 "The first is the name of the script, which Slurm replaces by the path where it "
                 "puts the script; `$1` is the second."},
    JobFieldText{"array", "-a, --array", "0-9%4", "The indexes of a job array: one task for each.",
                 "`$SLURM_ARRAY_TASK_ID` is the task's index. The cluster's MaxArraySize limits "
                 "them. Order, duplicates and blanks make no difference."},
    JobFieldText{"begin_time", "-b, --begin", "2027-01-31T08:00:00Z",
                 "The time before which the job does not start.",
                 "`now+1hour` is refused: it would be another time at each reading."},
    JobFieldText{"clusters", "-M, --clusters", "\"lab,big\"",
                 "Clusters of a federation that may run the job.",
                 "The cluster that a spec goes to is `spec.cluster`."},
    JobFieldText{"comment", "--comment", "\"nightly training\"", "A text that stays with the job.",
                 "The controller adds its mark behind it, by which it knows its jobs again."},
    JobFieldText{"container", "--container", "/srv/bundles/train",
                 "The path of an OCI bundle that the job runs in."},
    JobFieldText{"container_id", "--container-id", "train-1", "The id of the OCI container."},
    JobFieldText{"current_working_directory", "-D, --chdir", "/home/alice",
                 "The directory that the script starts in, an absolute path on the nodes.",
                 "Default: what the cluster's configuration says (`workingDirectory`), or the "
                 "user's home."},
    JobFieldText{"deadline", "--deadline", "2027-02-01T00:00:00Z",
                 "The time by which the job must have ended.",
                 "Slurm removes the job once it can no longer end in time."},
    JobFieldText{"delay_boot", "--delay-boot", "5m",
                 "How long Slurm looks for nodes that have the features before it reboots others "
                 "into them."},
    JobFieldText{"dependency", "-d, --dependency", "afterok:1234",
                 "Jobs that must have started or ended before this one may start.",
                 "`after`, `afterany`, `afterok`, `afternotok`, `afterburstbuffer`, `aftercorr`, "
                 "each with job ids, or `singleton`. `,` parts conditions that must all hold, `?` "
                 "those of which one must."},
    JobFieldText{"environment", "--export", "{PATH: /bin:/usr/bin, HOME: /home/alice}",
                 "All environment variables of the job, as a map or as a list of KEY=value.",
                 "Slurm adds its own SLURM_* and nothing else: nobody's login environment is "
                 "passed on. Without this field the job gets HOME, LOGNAME, PATH, SHELL, USER "
                 "and SLURM_SUBMIT_DIR."},
    JobFieldText{"extra", "--extra", "\"site:rack=4\"",
                 "A text for node filters and site plugins."},
    JobFieldText{"flags",
                 "--gres-flags, --kill-on-invalid-dep, --spread-job, --use-min-nodes, --stepmgr",
                 "[SPREAD_JOB]", "Further wishes to the scheduler.",
                 "KILL_INVALID_DEPENDENCY and NO_KILL_INVALID_DEPENDENCY: whether a job whose "
                 "dependency can never hold is ended. GRES_BINDING_ENFORCED and "
                 "GRES_BINDING_DISABLED: whether CPUs must be near their GPUs. SPREAD_JOB: over as "
                 "many nodes as possible. PREFER_MINIMUM_NODE_COUNT: over as few as possible. "
                 "STEPMGR_ENABLED: steps are managed by the job's first node."},
    JobFieldText{"kill_on_node_fail", "-k, --no-kill", "false",
                 "Whether the job ends when one of its nodes fails.",
                 "`false` is sbatch's `--no-kill`."},
    JobFieldText{"kill_warning_delay", "--signal", "120",
                 "How many seconds before the end of its time the job gets a signal.",
                 "Slurm looks about every minute, so the signal may come up to 60 seconds early."},
    JobFieldText{"kill_warning_flags", "--signal", "[BATCH_JOB]",
                 "Who gets the signal before the end.",
                 "`BATCH_JOB`: only the script, not its steps. `RESERVATION_JOB`: also a job whose "
                 "reservation is about to start."},
    JobFieldText{"kill_warning_signal", "--signal", "USR1",
                 "The signal that the job gets before the end of its time.",
                 "A name or a number; a number needs quotes. `kill_warning_delay` says when."},
    JobFieldText{"mail_type", "--mail-type", "[END, FAIL]", "On which events mail is sent.",
                 "The REST API has no `ALL` and no `NONE`; `TIME=90%` is at 90 % of the time "
                 "limit."},
    JobFieldText{"mail_user", "--mail-user", "alice@example.com", "Who gets the mail.",
                 "Without it the job's own user does."},
    JobFieldText{"mcs_label", "--mcs-label", "blue",
                 "The multi-category security label of the job."},
    JobFieldText{"name", "-J, --job-name", "train", "The job's name in Slurm.",
                 "Default: the name of the spec."},
    JobFieldText{"nice", "--nice", "100", "By how much the priority of the job is lowered.",
                 "Below 0 needs an operator of Slurm."},
    JobFieldText{"oom_kill_step", "--oom-kill-step", "1",
                 "Whether a whole step ends when one of its tasks runs out of memory: 1 or 0."},
    JobFieldText{"open_mode", "--open-mode", "[APPEND]",
                 "Whether output files are begun anew or appended to.",
                 "It matters when a job is requeued. Default: what the cluster says."},
    JobFieldText{"partition", "-p, --partition", "main", "The partition that the job runs in.",
                 "Of several, parted by commas, the one that starts it first is used."},
    JobFieldText{"profile", "--profile", "[TASK]",
                 "Which data of the job is kept in a profile (acct_gather_profile)."},
    JobFieldText{"qos", "-q, --qos", "high", "The quality of service."},
    JobFieldText{"requeue", "--requeue, --no-requeue", "false",
                 "Whether Slurm itself may queue the job again, after a node failure or a "
                 "preemption.",
                 "Default: what the cluster says (JobRequeue)."},
    JobFieldText{"reservation", "--reservation", "maintenance",
                 "The reservation whose resources the job uses.",
                 "Several may be parted by commas."},
    JobFieldText{"selinux_context", "--context", "unconfined_u:unconfined_r:unconfined_t:s0",
                 "The SELinux context of the job."},
    JobFieldText{"spank_environment", "", "{SITE_SCRATCH: fast}",
                 "Variables for the prolog and epilog, which get them with the prefix SPANK_."},
    JobFieldText{"standard_error", "-e, --error", "logs/train-%j.err",
                 "The file for error output, on the nodes.",
                 "Default: where `standard_output` goes. Slurm replaces `%j`, `%x` and so on, as "
                 "in `standard_output`."},
    JobFieldText{"standard_input", "-i, --input", "/home/alice/input.txt",
                 "The file that the script reads as its standard input.", "Default: /dev/null."},
    JobFieldText{"standard_output", "-o, --output", "logs/train-%j.out",
                 "The file for the output of the job, on the nodes.",
                 "Relative to `current_working_directory`; default `slurm-%j.out`. Slurm replaces "
                 "`%j` by the job id, `%x` by the job's name, `%u` by the user, `%N` by the first "
                 "node and `%A` and `%a` by the id and index of an array. Slurm makes no "
                 "directories: a job whose file cannot be opened fails at once."},
    JobFieldText{"time_limit", "-t, --time", "2h", "How long the job may run; then Slurm ends it.",
                 "Default: the partition's. 0 is refused, because Slurm takes it for unlimited."},
    JobFieldText{"time_minimum", "--time-min", "30m",
                 "Down to what the time limit may be shortened to start the job earlier.",
                 "At most `time_limit`."},
    JobFieldText{"wait_all_nodes", "--wait-all-nodes", "true",
                 "Whether the script starts only when all nodes are ready for use."},
    JobFieldText{"wckey", "--wckey", "project-x", "The workload key for accounting.",
                 "Slurm keeps it in lower case."},
};

std::vector<JobFieldText> all_by_name() {
  std::vector<JobFieldText> all(kTexts.begin(), kTexts.end());
  const auto resources = job_resource_texts();
  all.insert(all.end(), resources.begin(), resources.end());
  std::sort(all.begin(), all.end(),
            [](const JobFieldText& a, const JobFieldText& b) { return a.name < b.name; });
  return all;
}

}  // namespace

std::span<const JobFieldText> job_field_texts() {
  static const std::vector<JobFieldText> all = all_by_name();
  return all;
}

const JobFieldText* find_job_field_text(std::string_view name) {
  const auto texts = job_field_texts();
  const auto found = std::lower_bound(
      texts.begin(), texts.end(), name,
      [](const JobFieldText& text, std::string_view wanted) { return text.name < wanted; });
  return found != texts.end() && found->name == name ? &*found : nullptr;
}

}  // namespace sconverge
