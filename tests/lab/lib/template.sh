# shellcheck shell=bash
# The packages of the machine, the package mirror, the template root, and an instance's own root copied from it.

# A change to what a template holds raises this, and old ones are built again.
TEMPLATE_VERSION=2

ROOT_PACKAGES=(slurmctld slurmd slurmrestd slurmdbd slurm-client slurm-wlm-jwt-plugin mariadb-server)

# The first of these that are missing are installed from the machine's own Debian.
install_packages() {
  local pair
  local -a missing=()
  for pair in debootstrap:debootstrap curl:curl jq:jq awk:mawk; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
  done
  ((${#missing[@]})) || return 0
  command -v apt-get >/dev/null || die "not found: ${missing[*]}; and this is no Debian to install them from"
  say "installing ${missing[*]}"
  mkdir -p "$RUN/logs"
  local log=$RUN/logs/packages.log
  export DEBIAN_FRONTEND=noninteractive
  if ! apt-get install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1 </dev/null; then
    # A machine that has never asked its mirror knows no packages.
    { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >>"$log" 2>&1 </dev/null ||
      { tail -n 15 "$log" >&2 && die "cannot install ${missing[*]} (log: $log)"; }
  fi
}

# find_mirror → MIRROR: where the machine itself gets the main archive of Debian from.
find_mirror() {
  MIRROR=${SCONVERGE_LAB_MIRROR:-}
  [[ -n $MIRROR ]] && return
  local codename
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  MIRROR=$(apt-get indextargets --format '$(IDENTIFIER) $(COMPONENT) $(CODENAME) $(ORIGIN) $(LABEL) $(REPO_URI)' 2>/dev/null |
    awk -v code="$codename" '$1 == "Packages" && $2 == "main" && $3 == code && $4 == "Debian" && $5 == "Debian" && $6 ~ /^https?:/ { print $6; exit }')
  # Before the first `apt-get update` apt does not know the origin: read its sources instead.
  [[ -n $MIRROR ]] || MIRROR=$(mirror_from_sources "$codename")
  [[ -n $MIRROR ]] || die "no mirror of Debian's main archive found in the apt sources of this machine; set SCONVERGE_LAB_MIRROR"
  MIRROR=${MIRROR%/}
}

# Both forms of apt sources: the first http address that serves exactly the suite CODENAME with the component main.
mirror_from_sources() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /dev/null 2>/dev/null | awk -v code="$1" '
    $1 == "deb" {
      gsub(/\[[^]]*\]/, "")
      if ($3 != code || $2 !~ /^https?:/) next
      for (i = 4; i <= NF; i++) if ($i == "main") { print $2; exit }
    }' | grep . && return
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -f $file ]] || continue
    # A blank line ends a stanza; a line that starts with a blank goes on with the field before it.
    awk -v code="$1" '
      function check(   n, u, s, i) {
        if (field["enabled"] ~ /no/) return
        if ((" " field["types"] " ") ~ / deb / && (" " field["suites"] " ") ~ (" " code " ") && (" " field["components"] " ") ~ / main /) {
          n = split(field["uris"], u, " ")
          for (i = 1; i <= n; i++) if (u[i] ~ /^https?:/) { print u[i]; found = 1; exit }
        }
      }
      /^#/ { next }
      /^[ \t]*$/ { check(); split("", field); next }
      /^[ \t]/ { field[key] = field[key] " " $0; next }
      { key = tolower(substr($0, 1, index($0, ":") - 1)); value = substr($0, index($0, ":") + 1); gsub(/^[ \t]+|[ \t]+$/, "", value); field[key] = value }
      END { if (!found) check() }' "$file" | grep . && return
  done
  return 0
}

# The machine's way to its mirror, for debootstrap (variables) and for apt in the root (its own words).
use_apt_proxy() {
  local HTTP='' HTTPS='' DETECT=''
  eval "$(apt-config shell HTTP Acquire::http::Proxy HTTPS Acquire::https::Proxy DETECT Acquire::http::Proxy-Auto-Detect)"
  if [[ -z $HTTP && -n $DETECT && -x $DETECT ]]; then HTTP=$("$DETECT" "$MIRROR" 2>/dev/null) || HTTP=; fi
  [[ -n $HTTP && $HTTP != DIRECT ]] && export http_proxy=$HTTP
  [[ -n $HTTPS && $HTTPS != DIRECT ]] && export https_proxy=$HTTPS
  return 0
}

apt_conf_for_root() {
  local key
  for key in http https; do
    local variable=${key}_proxy
    [[ -n ${!variable:-} ]] && printf 'Acquire::%s::Proxy "%s";\n' "$key" "${!variable}"
  done
  # A mirror may be a snapshot, whose lists have long expired; debootstrap minds that as little.
  printf 'Acquire::Check-Valid-Until "false";\n'
  printf 'Acquire::Retries "3";\nAcquire::Languages "none";\nAPT::Install-Recommends "false";\n'
}

require_space() {
  local free
  mkdir -p "$CACHE"
  free=$(df -Pm "$CACHE" | awk 'NR == 2 { print $4 }')
  ((free >= $1)) || die "$CACHE has $free MiB free, $1 are needed"
}

build_failed() {
  printf 'lab: error: %s\nlab: the log is %s, which ends:\n' "$1" "$BUILD_LOG" >&2
  tail -n 15 "$BUILD_LOG" 2>/dev/null | sed 's/^/    /' >&2
  exit 1
}

apt_in_root() { in_root root DEBIAN_FRONTEND=noninteractive apt-get -y "$@" >>"$BUILD_LOG" 2>&1 </dev/null; }

discard_build() {
  [[ -n ${BUILD:-} && -d $BUILD ]] || return 0
  end_processes_in "$BUILD/root"
  remove_tree "$BUILD"
  BUILD=
}

# A template is built beside its place and renamed into it when it is whole.
ensure_template() {
  local stamp=$CACHE/$RELEASE/template/stamp old
  [[ -f $stamp && $(<"$stamp") == "$TEMPLATE_VERSION" ]] && return
  take_lock "$CACHE/$RELEASE/.lock" 8 "the build of the $RELEASE root"
  [[ -f $stamp && $(<"$stamp") == "$TEMPLATE_VERSION" ]] && { exec 8>&-; return; }
  find_mirror
  use_apt_proxy
  require_space 4000
  for old in "$CACHE/$RELEASE"/.build.*; do
    [[ -d $old ]] || continue
    say "removing what an interrupted build left: $old"
    BUILD=$old
    discard_build
  done
  now_ms
  local started=$REPLY
  BUILD=$(mktemp -d "$CACHE/$RELEASE/.build.XXXXXX")
  chmod 0755 "$BUILD"
  BUILD_LOG=$RUN/logs/build.log
  mkdir -p "$RUN/logs"
  : >"$BUILD_LOG"
  # Everything below works on the new root as if it were an instance; an exit in the middle leaves nothing (see cleanup).
  build_template
  printf '%s\n' "$TEMPLATE_VERSION" >"$BUILD/stamp"
  [[ ! -e $CACHE/$RELEASE/template ]] || remove_tree "$CACHE/$RELEASE/template"
  mv "$BUILD" "$CACHE/$RELEASE/template"
  BUILD=
  exec 8>&-
  seconds_since "$started"
  say "the $RELEASE root is built ($REPLY s)"
}

build_template() {
  local ROOT=$BUILD/root
  say "building the $RELEASE root: debootstrap $SUITE (log: $BUILD_LOG)"
  debootstrap --variant=minbase --include=ca-certificates "$SUITE" "$ROOT" "$MIRROR" >>"$BUILD_LOG" 2>&1 </dev/null 7>&- 9>&- ||
    build_failed "debootstrap of $SUITE failed"
  mount_root
  write_hosts
  # A mirror may be known to this machine by its hosts file only.
  cat /etc/hosts >>"$ROOT/etc/hosts" 2>/dev/null || true
  # The packages' scripts must start nothing.
  printf '#!/bin/sh\nexit 101\n' >"$ROOT/usr/sbin/policy-rc.d"
  chmod 0755 "$ROOT/usr/sbin/policy-rc.d"
  printf 'force-unsafe-io\npath-exclude=/usr/share/doc/*\npath-exclude=/usr/share/man/*\npath-exclude=/usr/share/locale/*\n' \
    >"$ROOT/etc/dpkg/dpkg.cfg.d/lab"
  apt_conf_for_root >"$ROOT/etc/apt/apt.conf.d/90lab"
  say "building the $RELEASE root: installing Slurm and MariaDB"
  apt_in_root update || build_failed "apt-get update in the root failed"
  apt_in_root install "${ROOT_PACKAGES[@]}" || build_failed "installing ${ROOT_PACKAGES[*]} in the root failed"
  apt_in_root clean || true
  rm -rf "$ROOT"/var/lib/apt/lists/* "$ROOT"/usr/share/{doc,man,locale}/* "$ROOT/etc/apt/apt.conf.d/90lab"
  add_users
  make_keys
  say "building the $RELEASE root: making an empty accounting database"
  make_pristine_accounting
  unmount_root "$ROOT" || die "cannot unmount what is mounted in $ROOT"
}

add_users() {
  local ROOT=$BUILD/root
  {
    # High ids, to share none with a user of the machine.
    chroot "$ROOT" useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin slurmrestd
    local user id=61001
    for user in alice bob; do
      chroot "$ROOT" groupadd --gid "$id" "$user"
      chroot "$ROOT" useradd --uid "$id" --gid "$id" --create-home --shell /bin/bash "$user"
      id=$((id + 1))
    done
  } >>"$BUILD_LOG" 2>&1 || build_failed "adding users to the root failed"
  chmod 0755 "$ROOT/home/alice" "$ROOT/home/bob"
}

make_keys() {
  local ROOT=$BUILD/root
  head -c 1024 /dev/urandom >"$ROOT/etc/slurm/slurm.key"
  head -c 32 /dev/urandom >"$ROOT/etc/slurm/jwt.key"
  chmod 0600 "$ROOT"/etc/slurm/*.key
  chroot "$ROOT" chown slurm:slurm /etc/slurm/slurm.key /etc/slurm/jwt.key
}

# An accounting database with the cluster and its users and no job, made once by the real slurmdbd. A reset copies it.
make_pristine_accounting() {
  # The logs stay behind when this fails, unlike the root.
  local ROOT=$BUILD/root RUN=$RUN/build
  local WANT_min_job_age=300 WANT_nodes=1 WANT_partitions=main WANT_cpus_per_node=4 WANT_accounting=on
  rm -rf "$RUN"
  mkdir -p "$RUN"
  ids_of_slurm
  write_hosts
  # Its ports are free now and are given back at the end; the run that follows chooses its own.
  take_lock "$RUN_BASE/ports.lock" 7 "the choice of ports"
  listening_ports
  local base
  for base in $(seq "$((FIRST_PORT + 1900))" -100 "$FIRST_PORT"); do
    if block_is_free "$base" 100; then break; fi
  done
  set_ports "$base"
  write_configuration
  prepare_directories
  rm -rf "${ROOT:?}/var/lib/mysql"
  chroot "$ROOT" install -d -o mysql -g mysql -m 0700 /var/lib/mysql
  in_root root mariadb-install-db --defaults-file=/etc/sconverge-lab/my.cnf --user=mysql --skip-test-db >>"$BUILD_LOG" 2>&1 ||
    build_failed "mariadb-install-db failed"
  start_service mariadb
  printf "CREATE USER slurm@localhost; CREATE DATABASE slurm_acct_db; GRANT ALL ON slurm_acct_db.* TO slurm@localhost;\n" |
    in_root root mariadb --defaults-file=/etc/sconverge-lab/my.cnf >>"$BUILD_LOG" 2>&1 || build_failed "cannot make the database"
  start_service slurmdbd
  local words
  for words in 'cluster lab' 'account lab cluster=lab' 'qos high priority=100' \
    'user alice account=lab cluster=lab' 'user bob account=lab cluster=lab'; do
    # shellcheck disable=SC2086  # the words are separate arguments
    in_root root timeout 30 sacctmgr -i add $words >>"$BUILD_LOG" 2>&1 || build_failed "sacctmgr add $words failed"
  done
  stop_services slurmdbd mariadb
  exec 7>&-
  mkdir -p "$ROOT/var/lib/sconverge-lab"
  mv "$ROOT/var/lib/mysql" "$ROOT/var/lib/sconverge-lab/mysql"
  rm -rf "$RUN"
}

ids_of_slurm() {
  local ids
  ids=$(awk -F: '$1 == "slurm" { print $3 ":" $4 }' "$ROOT/etc/passwd")
  [[ -n $ids ]] || die "there is no user slurm in $ROOT: remove it with '$0 down --purge' and start again"
  SLURM_IDS=$ids SLURM_UID=${ids%:*} SLURM_GID=${ids#*:}
}

# The instance's own copy, in which everything runs and which nobody shares.
ensure_instance() {
  local home=${ROOT%/root} temp
  local stamp=$home/stamp
  if [[ -f $stamp && $(<"$stamp") == "$TEMPLATE_VERSION" ]]; then return 0; fi
  ensure_template
  require_space 1500
  if [[ -e $home ]]; then
    say "the root of an older lab is replaced"
    end_processes_in "$ROOT"
    remove_tree "$home"
  fi
  say "copying the root to $home"
  mkdir -p "$(dirname "$home")"
  temp=$home.new
  if [[ -e $temp ]]; then remove_tree "$temp"; fi
  cp -a --reflink=auto "$CACHE/$RELEASE/template" "$temp" || die "cannot copy the root to $temp"
  mv "$temp" "$home"
}

# The state of Slurm as on the first day, and no output of jobs whose ids will be used again. Nothing that uses it may run.
wipe_state() {
  local user
  for user in alice bob; do
    find "$ROOT/home/$user" -mindepth 1 -xdev -delete
    cp -a "$ROOT/etc/skel/." "$ROOT/home/$user/"
    chroot "$ROOT" chown -R "$user:$user" "/home/$user"
  done
  find "$ROOT/tmp" -mindepth 1 -xdev -delete
  rm -rf "${ROOT:?}"/var/lib/slurm/slurmctld "${ROOT:?}"/var/spool/slurmd "${ROOT:?}/var/lib/mysql"
  cp -a "$ROOT/var/lib/sconverge-lab/mysql" "$ROOT/var/lib/mysql"
}
