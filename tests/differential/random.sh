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

# lines DIR: with all of its profiles, which are one sum: some of them have no histogram.
lines() {
	operands=
	[ ! -f "$1/gmon.2" ] || operands=" a.out $(cd "$1" && echo gmon.*)"
	command_lines options "$seed" "$share" | sed "s/\$/$operands/"
}

make_scratch
compare_seeds "$first" "$count"
tap_done
