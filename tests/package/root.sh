# shellcheck shell=bash
# Bare roots of this machine's Debian release, made with debootstrap as the lab makes its own. Sourced.

HERE=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd -P "$HERE/../.." && pwd)
. "$TOP/tests/lab/lib/common.sh"
. "$TOP/tests/lab/lib/root.sh"
. "$TOP/tests/lab/lib/template.sh"

say() { printf '%s\n' "$*"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Kept from run to run: a base root, and the packages that were downloaded into copies of it.
CACHE=${SCONVERGE_LAB_CACHE:-/var/cache/sconverge-lab}/package
# A change to what the base holds raises this.
BASE_VERSION=1
WORK=

# What a run leaves is deleted, and its processes end, however it ends.
leave() {
  local status=${1:-$?}
  trap - EXIT
  [[ -z $WORK ]] || discard "$WORK"
  exit "$status"
}

discard() {
  local root
  for root in "$1"/*/; do
    [[ -d $root ]] || continue
    end_processes_in "${root%/}"
  done
  remove_tree "$1"
}

open_workshop() {
  need_root
  mkdir -p "$CACHE/archives/partial"
  CACHE=$(cd -P "$CACHE" && pwd)
  WORK=$(mktemp -d "$CACHE/run.XXXXXX")
  chmod 0755 "$WORK"
  trap leave EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

# The base knows where packages are; lists that are a day old are asked for again.
ensure_base() {
  local codename base=$CACHE/base log=$CACHE/base.log
  codename=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
  take_lock "$CACHE/.lock" 8 "the base root"
  find_mirror
  use_apt_proxy
  if [[ ! -f $base/stamp || $(<"$base/stamp") != "$BASE_VERSION $codename" ]]; then
    require_space 2000
    say "making a bare root of $codename"
    [[ ! -e $base ]] || remove_tree "$base"
    debootstrap --variant=minbase "$codename" "$base" "$MIRROR" >"$log" 2>&1 </dev/null || { tail -n 15 "$log" >&2; die "debootstrap failed"; }
    cat /etc/hosts >>"$base/etc/hosts" # a mirror may be known by it alone
    printf 'force-unsafe-io\n' >"$base/etc/dpkg/dpkg.cfg.d/quick"
    printf '%s\n' "$BASE_VERSION $codename" >"$base/stamp"
  fi
  apt_conf_for_root >"$base/etc/apt/apt.conf.d/90mirror"
  cp -L /etc/resolv.conf "$base/etc/resolv.conf" 2>/dev/null || true
  if [[ ! -f $base/updated || -n $(find "$base/updated" -mmin +1440) ]]; then
    chroot "$base" apt-get update >"$log" 2>&1 </dev/null || { tail -n 15 "$log" >&2; die "apt-get update in the bare root failed"; }
    touch "$base/updated"
  fi
  exec 8>&-
}

# new_root NAME → ROOT: a copy of the base with /proc, in which in_root works.
new_root() {
  ROOT=$WORK/$1
  cp -a --reflink=auto "$CACHE/base" "$ROOT"
  rm "$ROOT/stamp" "$ROOT/updated"
  mount_root
  mount --bind "$CACHE/archives" "$ROOT/var/cache/apt/archives"
}

# apt COMMAND ARGUMENT...: in $ROOT. What it said is told if it fails.
apt() {
  # The downloads are shared with whatever else runs here, and apt does not wait for them.
  take_lock "$CACHE/.archives" 7 "the downloaded packages"
  if in_root root DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends "$@" >"$WORK/apt.log" 2>&1 </dev/null; then
    exec 7>&-
    return
  fi
  tail -n 20 "$WORK/apt.log" >&2
  die "apt-get $1 failed"
}

# expect WHAT COMMAND...: says so and ends unless the command succeeds.
expect() {
  local what=$1
  shift
  "$@" || die "not so: $what"
  say "  $what"
}
not() { ! "$@"; }
quiet() { "$@" >/dev/null; }

# newer_package DEB → REPLY: the same with a higher version.
newer_package() {
  local tree=$WORK/newer.tree
  dpkg-deb --raw-extract "$1" "$tree"
  sed -i 's/^Version: .*/&+newer/' "$tree/DEBIAN/control"
  REPLY=$WORK/newer.deb
  dpkg-deb --root-owner-group --build "$tree" "$REPLY" >/dev/null
  rm -rf "$tree"
}
