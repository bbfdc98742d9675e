#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Arguments of all kinds survive mcount and __fentry__, whichever way it counts: random calls, each
# checked by the function called.
#
#   registers.sh [SEED [NCALLS]]
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/runtime/registers-lib.sh"

test_compiler() {
	name=$1
	shift
	for level in -O0 -O2; do
		for entry in "" -mfentry; do
			# shellcheck disable=SC2086 # lists
			registers_test "$name $level $entry$vectors" "$scratch/$seed.c" \
				"$builddir/libgmon.a" "" \
				"$@" -pg $level $entry $vectors
		done
	done
}

[ -f "$builddir/libgmon.a" ] || tap_skip_all "no libgmon for this machine"
vectors=$(registers_vectors)
: "${CLANG=$(command -v clang)}"
make_scratch
cd "$scratch" || exit 99
for seed in ${1:-1 2}; do
	registers_make . "$seed" "${2:-150}"
	test_compiler "$CC, seed $seed" "$CC"
	[ -z "$CLANG" ] || test_compiler "$CLANG, seed $seed" "$CLANG"
done
tap_done
