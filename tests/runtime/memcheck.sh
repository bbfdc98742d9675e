#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Memcheck finds nothing wrong with walks along stacks: in all kinds of code, with damaged call-frame information, and
# where the handler of samples makes them. What the kernel may be asked is in valgrind.supp.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

case $INSTRUMENTED in
'' | *coverage* | *valgrind*) ;;
*) tap_skip_all "the $INSTRUMENTED build has an allocator of its own" ;;
esac
[ -n "${VALGRIND=$(command -v valgrind)}" ] || tap_skip_all 'no valgrind: install Debian package valgrind'

# check_memory WHAT COMMAND...: it ends well, without a finding.
check_memory() {
	what=$1
	shift
	run "$VALGRIND" --error-exitcode=99 --log-file=log --suppressions="$srcdir/tests/valgrind.supp" "$@"
	[ "$(cat status)" = 0 ] && grep -q 'ERROR SUMMARY: 0 errors' log
	bad=$?
	tap_check $bad "$what: nothing found"
	[ $bad -eq 0 ] || grep -v 'sigprocmask: unknown\|set handler address' log | tap_note
}

make_scratch
cd "$scratch" || exit 99
what='kinds of code'
must_build walk gcc -O2 -g "$programs/unwind.c" -I"$srcdir" "$builddir/runtime/libparts.a" -lm -pthread &&
	check_memory "$what" walk/a.out 20
check_memory 'damaged information' "$builddir/tests/unit/runtime_unwind"
what='samples'
must_build snapshot gcc -O1 -pg -pthread -I"$srcdir/include" "$programs/snapshot.c" "$archive" &&
	# A guess, which is rare, may look at any word of a stack, and nobody tells of that here.
	GMON=stacks,crash check_memory "$what" --undef-value-errors=no snapshot/a.out
expect '... which were taken' '[ "$("$TOOLS/extdump" gmon.out.ext | grep -c " cpu complete ")" -gt 3 ]'
tap_done
