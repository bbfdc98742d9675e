#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random profiles: the orders of -r and -R must be those of the system's gprof, but for the names
# that it repeats and the one that it may lose, and what -S reads must be read alike.
#
#   order.sh [SEED [COUNT]]   profiles SEED, SEED+1, ... (default: $SEED or 1; $COUNT or 100)
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/differential/lib.sh"

# once FILE: each of its lines once.
once() { awk '!seen[$0]++' "$1"; }

# same_orders OPTION...: both print the same, repeats and one line of ours aside.
same_orders() {
	timeout 60 "$GPROF" "$@" >ours 2>messages </dev/null
	ours=$?
	timeout 60 "$SYSTEM_GPROF" "$@" >theirs 2>>messages </dev/null
	[ $ours -eq $? ] || return 1
	cmp -s ours theirs && return
	once ours >ours.once
	once theirs >theirs.once
	diff theirs.once ours.once >difference
	! grep -q '^<' difference && [ "$(grep -c '^>' difference)" -le 1 ]
}

make_scratch
first_seed "${1:-${SEED:-1}}" "${2:-${COUNT:-100}}"
while next_seed; do
	cd "$dir" && make_lists a.out || exit
	failed=
	for options in '-r' '-r -a' '-r -S symbols' '-R map' '-R map -S symbols' '-b -C -z -S symbols'; do
		# shellcheck disable=SC2086 # several options
		same_orders $options || failed="$failed, $options"
	done
	cd "$builddir" || exit
	[ -z "$failed" ]
	tap_check $? "seed $seed, $machine: orders and lists${failed:+$failed}"
	end_seed ${#failed}
done
tap_done
