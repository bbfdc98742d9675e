#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random options with random specifications, on random profiles: our gprof and the system's must print
# the same bytes. The kinds of machine take turns.
#
#   specs.sh [SEED [COUNT]]   SEED, SEED+1, ... (default: $SEED or 1; $COUNT or 300, fewer if instrumented)
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/differential/lib.sh"

# lines DIR COUNT [OPTION...]: command lines for the program there; the OPTIONs are for randoptions. The last
# symbol is never named: GNU gprof gives it no samples, and no end if it lies behind .text. With -l and -s it
# does not know the last one at all, which is no loss if that is data.
lines() {
	profile=$1/random.profile
	operands=$(all_profiles "$1")
	lines=$2
	shift 2
	! grep -q '^section \.\(custom\|data\|fini\) ' "$profile" || set -- "$@" -n
	grep -q '^section \.data ' "$profile" || set -- "$@" -x ls
	awk '$1 == "sym" && $2 !~ /^(""|_fini|_?etext|data_start)$/ { print $2 }' "$profile" |
		"$TOOLS/randoptions" "$@" "$seed" "$lines" | sed "s/\$/$operands/"
}

make_scratch
first_seed "${1:-${SEED:-1}}" "${2:-${COUNT:-$((300 / share))}}"
while next_seed; do
	(cd "$dir" && make_lists a.out) || exit
	lines "$dir" 12 >"$scratch/lines"
	# With -q, GNU gprof lists others for -r if it finds functions that are much shared (order-names-once).
	no_graph=
	[ "$(grep -c '^sym' "$dir/random.profile")" -lt 80 ] || no_graph='-x qQB'
	# shellcheck disable=SC2086 # two words
	lines "$dir" 3 -o $no_graph >"$scratch/orders"
	compare_lines "seed $seed, $machine" "$dir" <"$scratch/lines"
	bad=$?
	compare_lines "seed $seed, $machine, orders" "$dir" -u <"$scratch/orders" || bad=1
	end_seed $bad
done
tap_done
