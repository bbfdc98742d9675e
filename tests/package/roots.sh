#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# roots.sh [RELEASE]...: in a bare root of each release of Debian (12 and 13, if none is named) ./bootstrap demo passes, and
# ./bootstrap check as root, as a user, and as root below /root, where nobody else may look. 'make check-roots'; hours,
# 7 GB. ROOT_STEPS=demo leaves the tests out; ROOT_STEPS='demo root' those of the others.
# shellcheck disable=SC2016 # for shells in the root
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/root.sh"

# step WHAT DIR COMMAND...: in that directory of the root; one TAP line.
step() {
	what="$release: $1" log=$scratch/$release.$((nsteps += 1)).log
	shift
	root_run "$root" "$@" >"$log" 2>&1 </dev/null
	tap_check $? "$what"
	tail -n 25 "$log" | tap_note
}

# With our package installed, GNU's is gprof.binutils.
check_reference() {
	step 'our package takes the place of gprof; the reference is gprof.binutils' /src sh -c '
		apt-get -y install --no-install-recommends dpkg-dev && make deb && dpkg -i gprof_*.deb &&
		gprof --version | grep -q "^gprof " && ./configure >log && grep "gprof: .*gprof.binutils" log'
}

# try_step NAME
try_step() {
	case $1 in
	demo) step './bootstrap demo' /src ./bootstrap demo ;;
	root) step './bootstrap check, as root' /src ./bootstrap check ;;
	user)
		root_fill "$root" /home/tester/src
		step './bootstrap check, as a user' /home/tester/src sh -c './bootstrap packages check
			id tester 2>/dev/null || useradd tester
			chown -R tester: .. && exec setpriv --reuid=tester --regid=tester --init-groups env HOME=/home/tester ./bootstrap check'
		;;
	private)
		root_fill "$root" /root/src
		step './bootstrap check, below /root' /root/src sh -c 'chmod 700 /root && exec ./bootstrap check'
		;;
	esac
}

# Of $release.
try_release() {
	root=$scratch/$release
	if ! root_make "$release" "$root"; then
		tap_not_ok "$release: debootstrap"
		tail -n 5 "$root.log" | tap_note
		return
	fi
	root_fill "$root" /src
	for name in $steps; do
		try_step "$name"
	done
	case " $steps " in
	*' demo '*) check_reference ;;
	esac
	root_space rm -rf "$root"
}

obstacle=$(root_obstacle)
[ -z "$obstacle" ] || tap_skip_all "$obstacle"
nsteps=0 steps=${ROOT_STEPS:-demo root user private}
make_scratch
chmod 755 "$scratch"
[ $# -gt 0 ] || set -- bookworm trixie
for release; do
	try_release
done
tap_done
