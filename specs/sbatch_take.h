#pragma once

#include "specs/sbatch_table.h"

namespace sconverge {

// What the rows of the table do with an option. Each sets a field of the request or a member of the
// settings, or says why not.

using SbatchTake = void(SbatchReading&, const SbatchOption&, const SbatchRule&);

SbatchTake take_text;     // the field, as it is
SbatchTake take_raw;      // rule.text, as it is
SbatchTake take_flag;     // the field is true
SbatchTake take_count;    // the field; a number of at least 1
SbatchTake take_number;   // rule.number; at least 1
SbatchTake take_minutes;  // the field
SbatchTake take_size;     // the field; MiB
SbatchTake take_memory;   // rule.number; MiB
SbatchTake take_moment;   // the field, and rule.number
SbatchTake take_refusal;  // rule.what, rule.remedy
SbatchTake take_nothing;  // a note: rule.what, rule.remedy

SbatchTake take_account_gather_frequency;
SbatchTake take_array;
SbatchTake take_chdir;
SbatchTake take_cpu_frequency;
SbatchTake take_delay_boot;
SbatchTake take_exclude;
SbatchTake take_exclusive;
SbatchTake take_file;
SbatchTake take_job_flag;
SbatchTake take_kill_on_invalid_dep;
SbatchTake take_mail_type;
SbatchTake take_nice;
SbatchTake take_no_kill;
SbatchTake take_no_requeue;
SbatchTake take_oom_kill_step;
SbatchTake take_open_mode;
SbatchTake take_oversubscribe;
SbatchTake take_priority;
SbatchTake take_profile;
SbatchTake take_propagate;
SbatchTake take_segment;
SbatchTake take_signal;
SbatchTake take_specialised;
SbatchTake take_switches;
SbatchTake take_wait_all_nodes;

SbatchTake take_container;
SbatchTake take_dependency;
SbatchTake take_distribution;
SbatchTake take_export;
SbatchTake take_get_user_env;
SbatchTake take_gpu_bind;
SbatchTake take_gpu_freq;
SbatchTake take_gres;
SbatchTake take_gres_flags;
SbatchTake take_hint;
SbatchTake take_hold;
SbatchTake take_layout;
SbatchTake take_memory_binding;
SbatchTake take_nodelist;
SbatchTake take_nodes;
SbatchTake take_overcommit;
SbatchTake take_tres_bind;

}  // namespace sconverge
