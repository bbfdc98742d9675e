# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced, after tests/lib/tap.sh, by tests that see whether arguments survive the runtime's entry code.

# Flags for what this processor has: more registers.
registers_vectors() {
	for feature in avx avx512f; do
		! grep -q "^flags.* $feature " /proc/cpuinfo 2>/dev/null || printf ' -m%s' "$feature"
	done
}

# registers_make DIRECTORY SEED NCALLS: the program's source, SEED.c.
registers_make() {
	"$TOOLS/randcalls" "$2" "$3" >"$1/$2.c" || exit 99
}

# registers_test NAME SOURCE LIBRARY RUN COMPILER...: built by the command with libgmon.a, and run by the
# command RUN, every argument arrives.
registers_test() {
	what="$1: registers"
	source=$2
	archive=$3
	run=$4
	shift 4
	if ! "$@" -w -I "$srcdir/tests/runtime" -I "$srcdir/include" -o a.out "$source" "$archive" >log 2>&1; then
		tap_not_ok "$what, built"
		tap_note <log
		return
	fi
	if $run ./a.out >out 2>log; then
		tap_ok "$what, $(cat out)"
	else
		tap_not_ok "$what, $(cat out)"
		tap_note <log
	fi
}
