#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The runtime's C part under load, with sanitizers: no finding, and no call lost.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -f "$builddir/libgmon.a" ] || tap_skip_all "libgmon is not built for this machine"
case $($CC -dumpmachine) in
x86_64*) arch=x86_64 ;;
*) tap_skip_all "the sanitized build is made for x86-64 only" ;;
esac
make_scratch
cd "${scratch:?}" || exit 99

# All of the archive: nothing of MPI, and of preload/ not what only the shared library has.
sources=$(find "$srcdir/runtime" -name '*.c' ! -path '*/mpi/*' ! -path '*/embedded/*' ! -name actions.c ! -name exec.c ! -name interpose.c)
# The stubs name the hook of calls=entries.
sources="$sources $srcdir/runtime/calls/enter.S"

for sanitizer in thread address,undefined; do
	what="stress.c with -fsanitize=$sanitizer"
	echo 'int main(void) { return 0; }' >empty.c
	if ! $CC -fsanitize=$sanitizer -o empty empty.c 2>/dev/null || ! ./empty 2>/dev/null; then
		tap_skip "$what" "$CC cannot make such programs here"
		continue
	fi
	# shellcheck disable=SC2086 # several files
	$CC -std=gnu11 -g -O1 -fsanitize=$sanitizer -pthread -D_GNU_SOURCE \
		-I"$srcdir/tests/runtime/sanitized" -I"$srcdir/runtime/arch/$arch" \
		-I"$srcdir/runtime" -I"$srcdir/include" \
		-o stress $sources "$srcdir/tests/runtime/stress.c" 2>messages &&
		TSAN_OPTIONS='' ./stress >>messages 2>&1
	tap_check $? "$what"
	tap_note <messages
done
tap_done
