#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random profiles: our gprof and the system's must print the same bytes for the command lines of
# tests/differential/options. The kinds of machine take turns.
#
#   random.sh [SEED [COUNT]]   SEED, SEED+1, ... (default: $SEED or 1; $COUNT or 500, fewer if instrumented)
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/differential/lib.sh"

# The profiles of a program are one sum: some of them have no histogram.
lines() {
	command_lines options "$seed" "$share" | sed "s/\$/$(all_profiles "$1")/"
}

make_scratch
first_seed "${1:-${SEED:-1}}" "${2:-${COUNT:-$((500 / share))}}"
while next_seed; do
	lines "$dir" >"$scratch/lines"
	compare_lines "seed $seed, $machine" "$dir" <"$scratch/lines"
	end_seed $?
done
tap_done
