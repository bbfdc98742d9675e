#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random profiles: our gprof and the system's must print the same bytes for the command lines of
# tests/differential/options. The kinds of machine take turns.
#
#   random.sh [SEED [COUNT]]   SEED, SEED+1, ... (default: $SEED or 1; $COUNT or 500, fewer if instrumented)
. "${srcdir:-$(dirname "$0")/../..}/tests/lib.sh"
. "$srcdir/tests/differential/lib.sh"

first=${1:-${SEED:-1}}
count=${2:-${COUNT:-$((500 / share))}}

# The profiles of a program are one sum: some of them have no histogram.
lines() {
	if [ -f gmon.2 ]; then
		command_lines options "$seed" "$share" | sed "s/\$/ a.out $(echo gmon.*)/"
	else
		command_lines options "$seed" "$share"
	fi
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
		(cd "$dir" && lines) >"$scratch/lines"
		compare_lines "seed $seed, $machine" "$dir" <"$scratch/lines"
	then
		rm -rf "$dir"
	else
		how_to_repeat
	fi
	seed=$((seed + 1))
done
tap_done
