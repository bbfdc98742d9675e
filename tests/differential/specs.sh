#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random options with random specifications, on random profiles: our gprof and the system's must print
# the same bytes. The kinds of machine take turns.
#
#   specs.sh [SEED [COUNT]]   SEED, SEED+1, ... (default: $SEED or 1; $COUNT or 300, fewer if instrumented)
. "${srcdir:-$(dirname "$0")/../..}/tests/lib.sh"
. "$srcdir/tests/differential/lib.sh"

# lines DIR: command lines for the program there. The last symbol is never named: GNU gprof gives it no
# samples, and no end if it lies behind .text.
lines() {
	behind_text=
	! grep -q '^section \.\(custom\|data\|fini\) ' "$1/random.profile" || behind_text=-n
	awk '$1 == "sym" && $2 !~ /^(""|_fini|_?etext|data_start)$/ { print $2 }' "$1/random.profile" |
		"$TOOLS/randoptions" $behind_text "$seed" 12 | sed "s/\$/$(all_profiles "$1")/"
}

make_scratch
first_seed "${1:-${SEED:-1}}" "${2:-${COUNT:-$((300 / share))}}"
while next_seed; do
	lines "$dir" >"$scratch/lines"
	compare_lines "seed $seed, $machine" "$dir" <"$scratch/lines"
	end_seed $?
done
tap_done
