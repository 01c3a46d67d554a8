# shellcheck shell=bash
# Messages, waiting with a deadline, and locks. Sourced by tests/lab/lab.

# Everything said to a person goes to stderr: stdout belongs to what callers read (env, token, exec).
say() { printf 'lab: %s\n' "$*" >&2; }

die() {
  printf 'lab: error: %s\n' "$*" >&2
  exit 1
}

usage_error() {
  printf 'lab: %s\n' "$*" >&2
  printf 'Try "%s --help".\n' "$0" >&2
  exit 64
}

# Functions that would cost a subshell for each poll answer in REPLY instead of on stdout.
now_ms() {
  local t=${EPOCHREALTIME/[.,]/}
  REPLY=$((t / 1000))
}

seconds_since() {
  local start=$1
  now_ms
  local ms=$((REPLY - start))
  printf -v REPLY '%d.%d' $((ms / 1000)) $((ms % 1000 / 100))
}

is_number() { [[ $1 =~ ^[0-9]{1,9}$ ]]; }

# wait_until SECONDS COMMAND...: polls until COMMAND succeeds. 1 = the deadline passed. A COMMAND that answers 2 says that
# waiting is pointless (a daemon has died), which ends the wait at once.
wait_until() {
  local deadline rc
  now_ms
  deadline=$((REPLY + $1 * 1000))
  shift
  while :; do
    rc=0
    "$@" || rc=$?
    ((rc == 0)) && return 0
    ((rc == 2)) && return 2
    now_ms
    ((REPLY < deadline)) || return 1
    sleep 0.05
  done
}

# take_lock FILE FD WHAT: one command at a time changes a lab. Daemons are started with these descriptors closed, else they
# would hold the lock for ever.
take_lock() {
  local file=$1 fd=$2 what=$3
  mkdir -p "$(dirname "$file")"
  eval "exec $fd>>\"\$file\""
  if ! flock -n "$fd"; then
    say "waiting for another command that holds $what"
    flock -w 600 "$fd" || die "another command has held $what for 10 minutes ($file)"
  fi
}

# make_file FILE MODE OWNER: writes stdin by rename, so that a reader sees the old text or the new one, never half.
make_file() {
  local file=$1 mode=$2 owner=${3:-}
  local temp
  temp=$(mktemp "$(dirname "$file")/.$(basename "$file").XXXXXX")
  cat >"$temp"
  chmod "$mode" "$temp"
  if [[ -n $owner ]]; then chown "$owner" "$temp"; fi
  mv -f "$temp" "$file"
}

need_root() { ((EUID == 0)) || die "the lab must be run as root: it uses chroot, mount and other users"; }
