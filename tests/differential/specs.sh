#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random options with random specifications, on random profiles: our gprof and the system's must print
# the same bytes. The kinds of machine take turns.
#
#   specs.sh [SEED [COUNT]]   SEED, SEED+1, ... (default: $SEED or 1; $COUNT or 300, fewer if instrumented)
. "${srcdir:-$(dirname "$0")/../..}/tests/lib.sh"
. "$srcdir/tests/differential/lib.sh"

first=${1:-${SEED:-1}}
count=${2:-${COUNT:-$((300 / share))}}

# lines DIR: command lines for the program there. The last symbol is never named: GNU gprof gives it no
# samples, and no end if it lies behind .text.
lines() {
	operands=
	behind_text=
	[ ! -f "$1/gmon.2" ] || operands=" a.out $(cd "$1" && echo gmon.*)"
	! grep -q '^section \.\(custom\|data\|fini\) ' "$1/random.profile" || behind_text=-n
	awk '$1 == "sym" && $2 !~ /^(""|_fini|_?etext|data_start)$/ { print $2 }' "$1/random.profile" |
		"$TOOLS/randoptions" $behind_text "$seed" 12 | sed "s/\$/$operands/"
}

make_scratch
echo "# seeds $first to $((first + count - 1)): SEED=$first COUNT=$count"
seed=$first
while [ "$seed" -lt $((first + count)) ]; do
	machine=$(machine_of "$seed")
	dir=$scratch/$seed
	if ! make_random "$dir"; then
		tap_not_ok "seed $seed, $machine is made"
	elif
		lines "$dir" >"$scratch/lines"
		compare_lines "seed $seed, $machine" "$dir" <"$scratch/lines"
	then
		rm -rf "$dir"
	else
		how_to_repeat
	fi
	seed=$((seed + 1))
done
tap_done
