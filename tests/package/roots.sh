#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# roots.sh [RELEASE]...: in a bare root of each release of Debian (12 and 13, but that of this machine, if none is named),
# ./bootstrap demo and check pass. 'make check-roots'; an hour on one core, 4 GB. ROOT_STEPS=demo leaves the tests out.
# Packages come from where this machine's apt gets its own.
# shellcheck disable=SC2016 # for apt-get, and for shells in the root
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

# in_root COMMAND...: in $root/src, with a name space whose mounts and processes end with it.
in_root() {
	unshare --mount --pid --fork sh -c '
		root=$1
		shift
		mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount -t tmpfs tmpfs "$root/dev/shm" &&
			exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
				sh -c "cd /src && exec \"\$@\"" sh "$@"' sh "$root" "$@"
}

# step WHAT COMMAND...: in the root; one TAP line.
step() {
	what="$release: $1"
	shift
	in_root "$@" >"$scratch/$release.log" 2>&1 </dev/null
	tap_check $? "$what"
	tail -n 25 "$scratch/$release.log" | tap_note
}

# make_root: false if it cannot.
make_root() {
	debootstrap --variant=minbase "$release" "$root" "$mirror" >"$scratch/$release.log" 2>&1 || return
	apt-config dump | grep -E '^Acquire::(https?|Retries|Check-)' >"$root/etc/apt/apt.conf.d/99machine"
	mkdir -p "$root/src/.git"
	(cd "$srcdir" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -c) | tar -x -C "$root/src"
}

# With our package installed, GNU's is gprof.binutils.
check_reference() {
	step 'our package takes the place of gprof; the reference is gprof.binutils' sh -c '
		apt-get -y install --no-install-recommends dpkg-dev && make deb && dpkg -i gprof_*.deb &&
		gprof --version | grep -q "^gprof " && ./configure >log && grep "gprof: .*gprof.binutils" log'
}

# Of $release.
try_release() {
	root=$scratch/$release
	if ! make_root; then
		tap_not_ok "$release: debootstrap"
		tail -n 5 "$scratch/$release.log" | tap_note
		return
	fi
	for name in ${ROOT_STEPS:-demo check}; do
		step "./bootstrap $name" ./bootstrap "$name"
	done
	check_reference
	rm -rf "$root"
}

[ "$(id -u)" = 0 ] || tap_skip_all 'only root can make a root'
command -v debootstrap >/dev/null || tap_skip_all 'no debootstrap (Debian package debootstrap)'
mirror=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 2>/dev/null | sed -n 's/^Debian Debian //p' | head -n 1)
[ -n "$mirror" ] || tap_skip_all "this machine's apt gets nothing from Debian"
make_scratch
chmod 755 "$scratch"
own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
[ $# -gt 0 ] || for release in bookworm trixie; do
	[ "$release" = "$own" ] || set -- "$@" "$release"
done
for release; do
	try_release
done
tap_done
