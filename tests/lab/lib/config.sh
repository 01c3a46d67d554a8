# shellcheck shell=bash
# Settings of a run, its ports, and the configuration files in the root.

SETTING_NAMES=(min_job_age nodes partitions cpus_per_node accounting)

# One row a release: Debian suite and the first of the block of ports that is tried first.
release_row() {
  case $1 in
    stable) SUITE=trixie FIRST_PORT=17100 SUPPORTED=1 ;;
    next) SUITE=sid FIRST_PORT=19100 SUPPORTED=1 ;;
    *) usage_error "unknown release '$1': it is 'stable' or 'next'" ;;
  esac
}

# Wanted settings: a flag, else the environment, else the default. A flag has filled WANT_x already.
complete_settings() {
  WANT_min_job_age=${WANT_min_job_age:-${SCONVERGE_LAB_MIN_JOB_AGE:-300}}
  WANT_nodes=${WANT_nodes:-${SCONVERGE_LAB_NODES:-4}}
  WANT_partitions=${WANT_partitions:-${SCONVERGE_LAB_PARTITIONS:-main,debug}}
  WANT_cpus_per_node=${WANT_cpus_per_node:-${SCONVERGE_LAB_CPUS_PER_NODE:-64}}
  WANT_accounting=${WANT_accounting:-${SCONVERGE_LAB_ACCOUNTING:-on}}
}

check_settings() {
  is_number "$WANT_min_job_age" && ((WANT_min_job_age >= 2)) ||
    usage_error "--min-job-age: '$WANT_min_job_age' is not a number of seconds, 2 or more (Slurm takes 0 as never)"
  is_number "$WANT_nodes" && ((WANT_nodes >= 1 && WANT_nodes <= 64)) || usage_error "--nodes: '$WANT_nodes' is not between 1 and 64"
  is_number "$WANT_cpus_per_node" && ((WANT_cpus_per_node >= 1 && WANT_cpus_per_node <= 1024)) ||
    usage_error "--cpus-per-node: '$WANT_cpus_per_node' is not between 1 and 1024"
  [[ $WANT_partitions =~ ^[a-z0-9_-]+(,[a-z0-9_-]+)*$ ]] ||
    usage_error "--partitions: '$WANT_partitions' is not a list of names such as main,debug"
  [[ $WANT_accounting == on || $WANT_accounting == off ]] || usage_error "--accounting: '$WANT_accounting' is neither on nor off"
}

# The settings of the run that is up, into HAVE_x. Read as text, never executed.
load_settings() {
  local name value
  for name in "${SETTING_NAMES[@]}"; do printf -v "HAVE_$name" '%s' ''; done
  [[ -f $RUN/settings ]] || return 1
  while IFS='=' read -r name value; do
    [[ " ${SETTING_NAMES[*]} " == *" $name "* ]] && printf -v "HAVE_$name" '%s' "$value"
  done <"$RUN/settings"
  return 0
}

save_settings() {
  local name want
  for name in "${SETTING_NAMES[@]}"; do
    want=WANT_$name
    printf '%s=%s\n' "$name" "${!want}"
  done | make_file "$RUN/settings" 0644
}

# Ports ------------------------------------------------------------------------------------------------------------

# The TCP ports that somebody on this machine listens at, as a list in hexadecimal. From /proc, to need no tool.
listening_ports() {
  LISTENING=" $(awk '$4 == "0A" { n = split($2, a, ":"); printf "%s ", a[n] }' /proc/net/tcp /proc/net/tcp6 2>/dev/null) "
}

is_listening() {
  local hex
  printf -v hex '%04X' "$1"
  listening_ports
  [[ $LISTENING == *" $hex "* ]]
}

set_ports() {
  PORT_slurmrestd=$1 PORT_slurmctld=$(($1 + 1)) PORT_slurmdbd=$(($1 + 2)) PORT_nodes=$(($1 + 10))
}

# One run takes a block of 100, below the range that the kernel hands out for outgoing connections. block_is_free BASE PORTS:
# whether its first PORTS are free.
block_is_free() {
  local base=$1 count=$2 port hex file
  # A lab that is starting has written its block down before it listens there.
  for file in "$RUN_BASE"/*/*/ports; do
    [[ -f $file && $file != "$RUN/ports" ]] || continue
    [[ $(<"$file") == "$base" ]] && return 1
  done
  for ((port = base; port < base + count; port++)); do
    printf -v hex '%04X' "$port"
    [[ $LISTENING == *" $hex "* ]] && return 1
  done
  return 0
}

choose_ports() {
  local base recorded=
  [[ -f $RUN/ports ]] && recorded=$(<"$RUN/ports")
  is_number "$recorded" || recorded=
  # While any daemon of ours lives, its ports are the ones, taken as they seem.
  if [[ -n $recorded ]] && any_service_runs; then
    set_ports "$recorded"
    return
  fi
  take_lock "$RUN_BASE/ports.lock" 8 "the choice of ports"
  listening_ports
  # The ports of before stay, as long as the ones that are really used are free: clients may know them.
  if [[ -n $recorded ]] && block_is_free "$recorded" $((10 + WANT_nodes)); then
    base=$recorded
  else
    for base in $(seq "$FIRST_PORT" 100 $((FIRST_PORT + 1800))) 0; do
      ((base)) && block_is_free "$base" 100 && break
    done
  fi
  ((base)) || die "no free block of 100 ports from $FIRST_PORT on"
  printf '%s\n' "$base" | make_file "$RUN/ports" 0644
  exec 8>&-
  set_ports "$base"
}

load_ports() {
  [[ -f $RUN/ports ]] || return 1
  set_ports "$(<"$RUN/ports")"
}

# Files in the root ------------------------------------------------------------------------------------------------

# node_line FIRST LAST FEATURES: nodes that are alike but for their name and port.
node_line() {
  local first=$1 last=$2 features=$3 nodes=n$1 ports=$((PORT_nodes + $1 - 1))
  if ((last > first)); then nodes="n[$first-$last]" ports="[$ports-$((PORT_nodes + last - 1))]"; fi
  printf 'NodeName=%s NodeHostname=localhost NodeAddr=127.0.0.1 Port=%s CPUs=%s RealMemory=262144 TmpDisk=10000 Gres=%s Feature=%s State=UNKNOWN\n' \
    "$nodes" "$ports" "$WANT_cpus_per_node" gpu:a100:4,gpu:h100:4,scratch:1000 "$features"
}

# The nodes stand in two racks, so that a constraint can tell them apart.
node_lines() {
  local half=$(((WANT_nodes + 1) / 2))
  node_line 1 "$half" lab,rack1
  if ((half < WANT_nodes)); then node_line $((half + 1)) "$WANT_nodes" lab,rack2; fi
}

gres_conf() {
  # slurmd ignores GPUs that have no device file; any character device will do.
  printf 'Name=gpu Type=a100 File=/var/lib/sconverge-lab/gpu/gpu[0-3]\n'
  printf 'Name=gpu Type=h100 File=/var/lib/sconverge-lab/gpu/gpu[4-7]\n'
  printf 'Name=scratch Count=1000 Flags=CountOnly\n'
}

write_hosts() {
  local name
  name=$(uname -n)
  # Without the machine's own name here, slurmctld and slurmdbd do not find each other and clients hang for a minute.
  {
    printf '127.0.0.1 localhost %s %s\n' "$name" "${name%%.*}"
    printf '::1 ip6-localhost\n'
  } >"$ROOT/etc/hosts"
  printf '%s\n' "$name" >"$ROOT/etc/hostname"
}

slurm_conf() {
  local first=YES partition name
  cat <<END
# Written by tests/lab/lab at each start.
ClusterName=lab
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$PORT_slurmctld
SlurmUser=slurm
AuthType=auth/slurm
CredType=cred/slurm
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=/etc/slurm/jwt.key
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmctldPidFile=/run/slurmctld/slurmctld.pid
SlurmdPidFile=/run/slurmd/%n.pid
SlurmdSpoolDir=/var/spool/slurmd/%n
LogTimeFormat=iso8601_ms,format_stderr
SlurmctldDebug=info
SlurmdDebug=info
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=256
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,bf_interval=5
GresTypes=gpu,scratch
Licenses=matlab:4,ansys:2
MaxJobCount=200000
MaxArraySize=10001
MinJobAge=$WANT_min_job_age
ReturnToService=2
KillWait=5
MpiDefault=none
MailProg=/bin/true
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=5
END
  if [[ $WANT_accounting == on ]]; then
    cat <<END
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
AccountingStoragePort=$PORT_slurmdbd
AccountingStoreFlags=job_comment
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:h100,gres/scratch
END
  fi
  node_lines
  for partition in ${WANT_partitions//,/ }; do
    name="PartitionName=$partition Nodes=ALL Default=$first State=UP"
    [[ $partition == debug ]] && name+=" MaxTime=01:00:00"
    printf '%s\n' "$name"
    first=NO
  done
}

slurmdbd_conf() {
  cat <<END
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$PORT_slurmdbd
SlurmUser=slurm
AuthType=auth/slurm
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=/etc/slurm/jwt.key
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
DebugLevel=info
LogTimeFormat=iso8601_ms,format_stderr
PidFile=/run/slurmdbd/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=slurm
StorageLoc=slurm_acct_db
END
}

# MariaDB listens at a socket in the root and at no port. Sizes are for a database of some thousand jobs.
mariadb_conf() {
  cat <<END
[mariadbd]
user=mysql
datadir=/var/lib/mysql
socket=/run/mysqld/mysqld.sock
pid-file=/run/mysqld/mysqld.pid
skip-networking
skip-name-resolve
skip-log-bin
innodb_buffer_pool_size=64M
innodb_log_file_size=16M
innodb_flush_log_at_trx_commit=2
innodb_lock_wait_timeout=900
max_allowed_packet=16M
performance_schema=OFF
[client]
socket=/run/mysqld/mysqld.sock
END
}

# Whether the root has the configuration that the wanted settings, the ports and this script make.
configuration_is_current() { accounting_is_current && [[ $(slurm_conf) == "$(cat "$ROOT/etc/slurm/slurm.conf" 2>/dev/null)" ]]; }

accounting_is_current() {
  local conf=$ROOT/etc/slurm/slurm.conf was=off
  grep -q ^AccountingStorageType= "$conf" 2>/dev/null && was=on
  [[ $was == "$WANT_accounting" ]] || return 1
  [[ $(slurmdbd_conf) == "$(cat "$ROOT/etc/slurm/slurmdbd.conf" 2>/dev/null)" ]] &&
    [[ $(mariadb_conf) == "$(cat "$ROOT/etc/sconverge-lab/my.cnf" 2>/dev/null)" ]]
}

only_min_job_age_differs() {
  [[ $(slurm_conf | grep -v ^MinJobAge=) == "$(grep -v ^MinJobAge= "$ROOT/etc/slurm/slurm.conf" 2>/dev/null)" ]]
}

write_configuration() {
  write_hosts
  mkdir -p "$ROOT/etc/slurm" "$ROOT/etc/sconverge-lab"
  mariadb_conf | make_file "$ROOT/etc/sconverge-lab/my.cnf" 0644
  slurmdbd_conf | make_file "$ROOT/etc/slurm/slurmdbd.conf" 0600 "$SLURM_IDS"
  slurm_conf | make_file "$ROOT/etc/slurm/slurm.conf" 0644
  gres_conf | make_file "$ROOT/etc/slurm/gres.conf" 0644
  printf 'CgroupPlugin=disabled\n' | make_file "$ROOT/etc/slurm/cgroup.conf" 0644
}

# Directories that a boot would make, emptied when nothing of the lab runs: what a dead run left there is stale.
prepare_directories() {
  local n
  if ! any_service_runs; then
    find "$ROOT/run" -mindepth 1 -xdev -delete 2>/dev/null || true
  fi
  install -d -o "$SLURM_UID" -g "$SLURM_GID" -m 0755 "$ROOT/run/slurmctld" "$ROOT/run/slurmdbd" \
    "$ROOT/var/lib/slurm" "$ROOT/var/lib/slurm/slurmctld" "$ROOT/var/log/slurm"
  install -d -m 0755 "$ROOT/run/slurm" "$ROOT/run/slurmd" "$ROOT/var/spool/slurmd" "$ROOT/var/lib/sconverge-lab/gpu"
  install -d -m 1777 "$ROOT/run/lock"
  chroot "$ROOT" install -d -o mysql -g mysql -m 0755 /run/mysqld
  for ((n = 0; n < 8; n++)); do
    [[ -c $ROOT/var/lib/sconverge-lab/gpu/gpu$n ]] || mknod -m 0666 "$ROOT/var/lib/sconverge-lab/gpu/gpu$n" c 1 3 2>/dev/null ||
      ln -sf /dev/null "$ROOT/var/lib/sconverge-lab/gpu/gpu$n"
  done
  for ((n = 1; n <= WANT_nodes; n++)); do install -d -m 0755 "$ROOT/var/spool/slurmd/n$n"; done
}
