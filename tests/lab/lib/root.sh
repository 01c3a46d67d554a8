# shellcheck shell=bash
# The chroot: mounts, running commands in it, and which processes live in it. Works on $ROOT.

# The mount points at or below a directory, deepest first.
mounts_below() {
  local dir=$1 point
  while read -r _ _ _ _ point _; do
    [[ $point == "$dir" || $point == "$dir"/* ]] && printf '%s\n' "$point"
  done </proc/self/mountinfo | sort -r
}

is_mounted() {
  local point
  while read -r _ _ _ _ point _; do
    [[ $point == "$1" ]] && return 0
  done </proc/self/mountinfo
  return 1
}

mount_root() {
  if ! is_mounted "$ROOT/proc"; then
    # A sandbox may forbid a new procfs and still allow binding the one it has.
    mount -t proc -o nosuid,nodev,noexec proc "$ROOT/proc" 2>/dev/null ||
      mount --bind /proc "$ROOT/proc" 2>/dev/null ||
      die "cannot mount /proc in $ROOT: this machine or container does not allow mounts (it takes CAP_SYS_ADMIN)"
  fi
  # Device nodes are the root's own, so nothing that happens in the root can touch the machine's /dev. Only where the file
  # system or the sandbox forbids such nodes, the machine's are bound.
  if ! devices_work; then
    mount --bind /dev "$ROOT/dev" 2>/dev/null || die "device nodes do not work in $ROOT/dev and /dev cannot be bound there"
    devices_work || die "/dev/null does not work in $ROOT, even with the machine's /dev"
  fi
  # Without these two Slurm works: slurmd needs no /sys with config_overrides, and a terminal in a job step is rare.
  if ! is_mounted "$ROOT/sys"; then
    mount --bind -o ro /sys "$ROOT/sys" 2>/dev/null || say "note: /sys is not visible in the root (mount refused)"
  fi
  if [[ -d $ROOT/dev/pts ]] && ! is_mounted "$ROOT/dev/pts" && ! is_mounted "$ROOT/dev"; then
    mount --bind /dev/pts "$ROOT/dev/pts" 2>/dev/null || say "note: no terminals in the root (mount of /dev/pts refused)"
  fi
}

devices_work() {
  chroot "$ROOT" /bin/sh -c 'echo x >/dev/null && head -c 1 /dev/urandom >/dev/null' 2>/dev/null
}

unmount_root() {
  local root=$1 point failed=0
  while read -r point; do
    [[ -n $point ]] || continue
    if ! umount "$point" 2>/dev/null; then
      if umount -l "$point" 2>/dev/null; then
        say "note: $point was busy, it is detached now and goes away with its last user"
      else
        say "cannot unmount $point"
        failed=1
      fi
    fi
  done < <(mounts_below "$root")
  return "$failed"
}

# Deletes a root, and never through a mount: a /dev or /sys still bound below it would be the machine's own.
remove_tree() {
  local dir=$1
  [[ $dir == "$CACHE"/?* ]] || die "refusing to delete $dir, which is not below $CACHE"
  [[ -e $dir ]] || return 0
  unmount_root "$dir" || die "refusing to delete $dir while something is mounted below it"
  [[ -z $(mounts_below "$dir") ]] || die "refusing to delete $dir while something is mounted below it"
  rm -rf --one-file-system "$dir"
}

# root_command USER → ROOT_COMMAND: the words before a command that is to run in the root with a clean environment.
root_command() {
  local user=$1 home=/root
  ROOT_COMMAND=(chroot)
  if [[ $user != root ]]; then
    home=/home/$user
    [[ -d $ROOT$home ]] || home=/
    grep -q "^$user:" "$ROOT/etc/passwd" || die "there is no user '$user' in the lab"
    ROOT_COMMAND+=(--userspec="$user")
  fi
  ROOT_COMMAND+=("$ROOT" /usr/bin/env -i --chdir="$home" HOME="$home" USER="$user" LOGNAME="$user" SHELL=/bin/bash LANG=C.UTF-8
    TERM="${TERM:-dumb}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
}

# in_root USER COMMAND...
in_root() {
  local -a ROOT_COMMAND
  root_command "$1"
  shift
  "${ROOT_COMMAND[@]}" "$@" 7>&- 8>&- 9>&-
}

# start_time PID → REPLY: a process is its id and its start time together, since ids are used again.
start_time() {
  local stat
  REPLY=
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  # The command name in the second field may hold blanks and brackets.
  stat=${stat##*) }
  local -a field
  read -r -a field <<<"$stat"
  [[ ${field[0]} != [ZX] ]] || return 1
  REPLY=${field[19]}
}

lives_in() {
  local pid=$1 root=$2 link
  link=$(readlink "/proc/$pid/root" 2>/dev/null) || return 1
  [[ $link == "$root" ]]
}

# Every process whose root directory is this one, in one readlink.
processes_in() {
  local root=$1 line
  find /proc -maxdepth 2 -mindepth 2 -path '/proc/[0-9]*/root' -printf '%h %l\n' 2>/dev/null | while read -r line; do
    [[ ${line#* } == "$root" ]] || continue
    line=${line%% *}
    printf '%s\n' "${line#/proc/}"
  done
}

# end_processes_in ROOT [PID...]: kills all that lives in the root (jobs and their steps, shells), the given ones spared.
end_processes_in() {
  local root=$1
  shift
  local keep=" $* " deadline
  now_ms
  deadline=$((REPLY + 20000))
  local -a left
  while :; do
    left=()
    local pid
    for pid in $(processes_in "$root"); do
      [[ $keep == *" $pid "* ]] && continue
      start_time "$pid" || continue
      left+=("$pid")
      # The link is read again right before the signal: the id may have gone to another process meanwhile.
      if lives_in "$pid" "$root"; then kill -KILL "$pid" 2>/dev/null || true; fi
    done
    ((${#left[@]})) || return 0
    now_ms
    ((REPLY < deadline)) || die "processes in $root do not end: ${left[*]}"
    sleep 0.05
  done
}
