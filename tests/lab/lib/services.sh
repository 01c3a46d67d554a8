# shellcheck shell=bash
# The daemons: starting, readiness, ending. Works on $ROOT and $RUN.
#
# Each runs in the foreground of its own session, so its process id is known from the start. $RUN/pids/NAME holds that id and
# its start time; a process is ours only if both still fit and its root directory is $ROOT.

# All services of the wanted settings, in the order of starting.
all_services() {
  local n
  SERVICES=()
  [[ $WANT_accounting == on ]] && SERVICES+=(mariadb slurmdbd)
  SERVICES+=(slurmctld)
  for ((n = 1; n <= WANT_nodes; n++)); do SERVICES+=("n$n"); done
  SERVICES+=(slurmrestd)
}

# expand_service NAME → SERVICES: slurmd stands for the slurmd of every node, n2 for one.
expand_service() {
  local name=$1 n
  SERVICES=()
  case $name in
    slurmd) for ((n = 1; n <= WANT_nodes; n++)); do SERVICES+=("n$n"); done ;;
    mariadb | slurmdbd)
      [[ $WANT_accounting == on ]] || die "this lab runs without accounting: there is no $name"
      SERVICES=("$name")
      ;;
    slurmctld | slurmrestd) SERVICES=("$name") ;;
    n[1-9]*)
      is_number "${name#n}" && ((${name#n} <= WANT_nodes)) || usage_error "there is no node '$name'"
      SERVICES=("$name")
      ;;
    *) usage_error "unknown service '$name': slurmctld, slurmdbd, slurmrestd, mariadb, slurmd, or one node such as n2" ;;
  esac
}

program_of() {
  case $1 in
    mariadb) REPLY=mariadbd ;;
    n[0-9]*) REPLY=slurmd ;;
    *) REPLY=$1 ;;
  esac
}

log_of() { REPLY=$RUN/logs/$1.log; }

# The pid file that the daemon itself writes, as seen from outside.
own_pid_file() {
  case $1 in
    slurmctld) REPLY=$ROOT/run/slurmctld/slurmctld.pid ;;
    slurmdbd) REPLY=$ROOT/run/slurmdbd/slurmdbd.pid ;;
    n[0-9]*) REPLY=$ROOT/run/slurmd/$1.pid ;;
    *) REPLY= ;;
  esac
}

# service_pid NAME → REPLY: its process id, if it runs and is ours.
service_pid() {
  local name=$1 pid start program exe
  if [[ -f $RUN/pids/$name ]] && read -r pid start <"$RUN/pids/$name" && is_number "$pid"; then
    if start_time "$pid" && [[ $REPLY == "$start" ]] && lives_in "$pid" "$ROOT"; then
      REPLY=$pid
      return 0
    fi
  fi
  # `scontrol reconfigure` replaces slurmctld and slurmd by new processes, which only their own pid files know.
  own_pid_file "$name"
  [[ -n $REPLY && -f $REPLY ]] && read -r pid <"$REPLY" && is_number "$pid" || return 1
  program_of "$name"
  program=$REPLY
  lives_in "$pid" "$ROOT" || return 1
  exe=$(readlink "/proc/$pid/exe" 2>/dev/null) || return 1
  exe=${exe##*/}
  # Debian installs slurmctld as an alternative: the running file is slurmctld-wlm.
  [[ $exe == "$program" || $exe == "$program-wlm" ]] || return 1
  start_time "$pid" || return 1
  mkdir -p "$RUN/pids"
  printf '%s %s\n' "$pid" "$REPLY" | make_file "$RUN/pids/$name" 0644
  REPLY=$pid
}

runs() { service_pid "$1"; }

any_service_runs() {
  local file
  for file in "$RUN"/pids/*; do
    [[ -f $file ]] && runs "${file##*/}" && return 0
  done
  return 1
}

# report_failure NAME WHAT: which service, which log, and its last lines.
report_failure() {
  local name=$1 what=$2
  log_of "$name"
  {
    printf 'lab: error: %s: %s\n' "$name" "$what"
    printf 'lab: its log is %s, which ends:\n' "$REPLY"
    tail -n 15 "$REPLY" 2>/dev/null | sed 's/^/    /'
  } >&2
  exit 1
}

# spawn NAME USER VARIABLE=VALUE... PROGRAM...: starts a daemon in the root.
spawn() {
  local name=$1 user=$2 pid
  shift 2
  log_of "$name"
  local log=$REPLY
  mkdir -p "$RUN/logs" "$RUN/pids"
  # The daemon that wrote it is gone, so it can be set aside; /run may be small.
  if [[ -n $(find "$log" -size +20M 2>/dev/null) ]]; then mv -f "$log" "$log.1"; fi
  printf '%s lab starts %s\n' "$(date +%FT%T.%3N)" "$name" >>"$log"
  # No subshell and no job control: setsid and chroot exec in place, so $! is the daemon. Lock descriptors stay behind.
  setsid chroot --userspec="$user" "$ROOT" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 --chdir=/ "$@" \
    >>"$log" 2>&1 </dev/null 7>&- 8>&- 9>&- &
  pid=$!
  disown "$pid" 2>/dev/null || true
  start_time "$pid" || report_failure "$name" "ended at once"
  printf '%s %s\n' "$pid" "$REPLY" | make_file "$RUN/pids/$name" 0644
}

spawn_service() {
  case $1 in
    mariadb) spawn mariadb mysql mariadbd --defaults-file=/etc/sconverge-lab/my.cnf ;;
    slurmdbd) spawn slurmdbd slurm MYSQL_UNIX_PORT=/run/mysqld/mysqld.sock slurmdbd -D ;;
    slurmctld) spawn slurmctld slurm slurmctld -D ;;
    n[0-9]*) spawn "$1" root slurmd -D -N "$1" ;;
    slurmrestd)
      # It refuses to start with the slurmdbd part where the cluster has no accounting.
      local parts=slurmctld
      [[ $WANT_accounting == on ]] && parts+=,slurmdbd
      spawn slurmrestd slurmrestd SLURM_JWT=daemon slurmrestd -a rest_auth/jwt -s "$parts" "127.0.0.1:$PORT_slurmrestd"
      ;;
  esac
}

# Readiness: each asks the question that the next service, or a user, will ask ---------------------------------------

ready() {
  local name=$1
  start_time "$(cut -d' ' -f1 "$RUN/pids/$name" 2>/dev/null)" || runs "$name" || return 2
  case $name in
    mariadb) [[ -S $ROOT/run/mysqld/mysqld.sock ]] && in_root root mariadb-admin --defaults-file=/etc/sconverge-lab/my.cnf ping &>/dev/null ;;
    slurmdbd) is_listening "$PORT_slurmdbd" ;;
    slurmctld) is_listening "$PORT_slurmctld" && [[ $(in_root root timeout 5 scontrol ping 2>&1) == *"is UP"* ]] ;;
    n[0-9]*) is_listening $((PORT_nodes + ${name#n} - 1)) ;;
    slurmrestd) is_listening "$PORT_slurmrestd" ;;
  esac
}

start_seconds() {
  case $1 in
    # After an unclean end MariaDB replays its log first; slurmdbd may have to make or convert its tables.
    mariadb | slurmdbd) REPLY=90 ;;
    *) REPLY=60 ;;
  esac
}

await_service() {
  local name=$1 rc=0
  start_seconds "$name"
  local limit=$REPLY
  wait_until "$limit" ready "$name" || rc=$?
  case $rc in
    0) ;;
    2) report_failure "$name" "ended before it was ready" ;;
    *) report_failure "$name" "not ready after $limit s" ;;
  esac
}

start_service() {
  if runs "$1"; then return 0; fi
  spawn_service "$1"
  await_service "$1"
}

# signal_service NAME SIGNAL: 1 if it does not run.
signal_service() {
  service_pid "$1" || return 1
  kill "-$2" "$REPLY" 2>/dev/null || true
}

has_ended() { ! runs "$1"; }

stop_services() {
  local name
  local -a asked=()
  for name in "$@"; do
    if signal_service "$name" TERM; then asked+=("$name"); fi
  done
  for name in "${asked[@]}"; do
    if ! wait_until 30 has_ended "$name"; then
      say "$name has not ended within 30 s of SIGTERM: killing it"
      signal_service "$name" KILL || true
      wait_until 10 has_ended "$name" || die "$name does not end"
    fi
  done
  for name in "$@"; do rm -f "$RUN/pids/$name"; done
}

kill_services() {
  local name
  for name in "$@"; do signal_service "$name" KILL || true; done
  for name in "$@"; do
    wait_until 10 has_ended "$name" || die "$name does not end after SIGKILL"
    rm -f "$RUN/pids/$name"
  done
}

# end_lost_daemons: daemons in the root that no record knows, since the run directory was deleted or a command was killed right
# after starting one, would fight the new ones over ports and files. Children of known ones (slurmctld has one) are not lost.
end_lost_daemons() {
  local file pid exe stat known=' '
  local -a lost=() field
  for file in "$RUN"/pids/*; do
    if [[ -f $file ]] && service_pid "${file##*/}"; then known+="$REPLY "; fi
  done
  for pid in $(processes_in "$ROOT"); do
    [[ $known != *" $pid "* ]] || continue
    exe=$(readlink "/proc/$pid/exe" 2>/dev/null) || continue
    exe=${exe##*/}
    case ${exe%-wlm} in mariadbd | slurmdbd | slurmctld | slurmd | slurmrestd) ;; *) continue ;; esac
    { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || continue
    read -r -a field <<<"${stat##*) }"
    [[ $known != *" ${field[1]} "* ]] || continue
    lost+=("$pid")
  done
  ((${#lost[@]})) || return 0
  say "ending daemons of this lab that no record knows: ${lost[*]}"
  for pid in "${lost[@]}"; do
    if lives_in "$pid" "$ROOT"; then kill -KILL "$pid" 2>/dev/null || true; fi
  done
  wait_until 10 none_lives_in "$ROOT" "${lost[@]}" || die "they do not end"
}

none_lives_in() {
  local root=$1 pid
  shift
  for pid in "$@"; do
    if start_time "$pid" && lives_in "$pid" "$root"; then return 1; fi
  done
}

# The whole cluster ---------------------------------------------------------------------------------------------------

nodes_ready() {
  local states state count=0
  states=$(in_root root timeout 10 sinfo -h -N -p "${WANT_partitions%%,*}" -o %t 2>/dev/null) || return 1
  for state in $states; do
    [[ $state == idle || $state == mix || $state == alloc || $state == comp ]] || return 1
    count=$((count + 1))
  done
  ((count == WANT_nodes))
}

# A node is down or drained after a crash in the middle of a job, or by a fault test that ended early.
resume_nodes() {
  local bad
  bad=$(in_root root sinfo -h -N -t down,drain,fail -o %N 2>/dev/null | sort -u | paste -sd, -)
  [[ -n $bad ]] || return 0
  say "returning nodes $bad to service"
  in_root root scontrol update "nodename=$bad" state=resume &>/dev/null || true
}

await_nodes() {
  if wait_until 10 nodes_ready; then return 0; fi
  resume_nodes
  wait_until 50 nodes_ready && return 0
  in_root root timeout 10 sinfo -N -o '%N %T %E' >&2 || true
  report_failure slurmctld "the nodes are not ready after 60 s (above what it says of them, logs of the nodes: $RUN/logs/n*.log)"
}

start_accounting() {
  runs mariadb || say "starting mariadb"
  start_service mariadb
  runs slurmdbd || say "starting slurmdbd"
  start_service slurmdbd
}

# slurmctld writes some of its state for the first time minutes after its first start. Should it be killed before, Slurm 26.05
# refuses to start again. An orderly end writes everything, so the first start of an empty cluster is followed by one.
prime_state() {
  [[ ! -e $ROOT/var/lib/slurm/slurmctld/assoc_usage ]] || return 0
  ! runs slurmctld || return 0
  start_service slurmctld
  stop_services slurmctld
}

start_cluster() {
  local name
  if [[ $WANT_accounting == on ]]; then start_accounting; fi
  prime_state
  all_services
  local -a waiting=()
  for name in "${SERVICES[@]}"; do
    # slurmctld and the nodes find each other in any order, so they start at the same time.
    case $name in slurmctld | n[0-9]* | slurmrestd)
      runs "$name" && continue
      spawn_service "$name"
      waiting+=("$name")
      ;;
    esac
  done
  if ((${#waiting[@]})); then say "starting ${waiting[*]}"; fi
  for name in "${waiting[@]}"; do await_service "$name"; done
  await_nodes
}

# curl reads the token from a file, for the command line of a process is everybody's to read.
rest_answers() {
  local answer
  [[ -f $RUN/token ]] || return 1
  answer=$(printf 'header = "X-SLURM-USER-NAME: alice"\nheader = "X-SLURM-USER-TOKEN: %s"\n' "$(<"$RUN/token")" |
    curl -s --max-time 10 --noproxy '*' -K - "http://127.0.0.1:$PORT_slurmrestd/slurm/$API_VERSION/ping/" 2>/dev/null) || return 1
  # A ping says 200 even when slurmctld is down or the token is bad.
  [[ $(jq -r '.pings[0].responding' <<<"$answer" 2>/dev/null) == true ]]
}

await_rest() { wait_until 60 rest_answers || report_failure slurmrestd "does not answer a ping with alice's token after 60 s"; }
