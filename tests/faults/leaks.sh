#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is left in memory when gprof ends does not grow with its input, by valgrind's count, for each way of reading
# and reporting: it is nothing, or as much with an eighth of the input. Errors that memcheck finds are failures, too.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

case $INSTRUMENTED in
'' | *coverage* | *valgrind*) ;;
*) tap_skip_all "the $INSTRUMENTED build has an allocator of its own" ;;
esac
[ -n "$VALGRIND" ] || tap_skip_all 'no valgrind: Debian package valgrind'

# in_use SIZE OPTION...: blocks and bytes in use at the end of each process of gprof on the program of that size.
# Valgrind's own status is 99 if it found an error.
in_use() {
	size=$1
	shift
	rm -f valgrind.*
	(cd "$size" && GPROF_SANDBOX=no "$VALGRIND" --error-exitcode=99 --log-file=../valgrind.%p "$builddir/gprof" "$@" >out 2>errors) ||
		echo "status $?"
	cat valgrind.* | sed -n 's/^.*in use at exit: //p' | sort
}

# check_left WHAT OPTION...
check_left() {
	what=$1
	shift
	in_use 800 "$@" >many
	if grep -q -v "^0 bytes in 0 blocks" many; then in_use 100 "$@" >few; else cp many few; fi
	cmp -s few many && grep -q bytes few && ! grep -q status few
	bad=$?
	tap_check $bad "$what: $(tail -n 1 few)"
	[ $bad -eq 0 ] || cat few many 100/errors valgrind.* | tap_note
}

make_scratch
cd "$scratch" || exit 99
for size in 100 800; do
	mkdir $size && "$TOOLS/mkworkload" uniform $size rows=2 dense=1 $size && cp $size/gmon.out $size/gmon.2 &&
		nm $size/a.out >$size/list || exit 99
done
check_left 'the default report'
check_left '-l' -l
check_left '-A' -A
check_left '-c' -c
check_left '-S' -S list
check_left '-s of two files' -s a.out gmon.out gmon.2
check_left '-r' -r
check_left '--explain' --explain
# shellcheck disable=SC2046 # one option a format
# Of one profile: these show differences.
check_left 'exports' $(sed -n '/(annotations,\|(sarif,/d; s/^FORMAT(\([a-z]*\),.*/--export=\1/p' "$srcdir/src/export/formats.def")
tap_done
