#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Call stacks in gmon.out.live: gprof finds there what libgmon writes to gmon.out.ext when the program ends, and what a
# program that was killed had recorded.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# stacks FILE: the samples of all threads. Of time that nobody saw, of which there is no stack, the last is known when
# the program ends.
stacks() {
	"$TOOLS/extdump" -s "$1" | awk 'NF > 4'
}

make_scratch
what=snapshot
must_build snapshot gcc -O1 -pg -pthread -I"$srcdir/include" "$programs/snapshot.c" "$archive" || tap_done
cd "$scratch/snapshot" || exit 99
export GMON=stacks,crash,rate=250
run ./a.out
stacks gmon.out.ext >ended
"$GPROF" -s a.out copy 2>>err && stacks gmon.sum.ext >copied
expect 'as many ticks as three threads have used' '[ "$(awk "{ n += \$1 } END { print n }" ended)" -gt 50 ]'
looks='$1 == "thread" { print $2, $(NF - 3), $(NF - 2), $(NF - 1), $NF }'
"$TOOLS/extdump" gmon.out.ext | awk "$looks" | grep ' looks [1-9]' | sort >looks.ended
"$TOOLS/extdump" gmon.sum.ext | awk "$looks" | grep ' looks [1-9]' | sort >looks.copied
expect 'looks at threads are known' '[ -s looks.ended ]'
same '... and are in the live file, too' looks.copied looks.ended
same 'the stacks of the live file are those that are written at the end' copied ended
expect 'the C library is a module of its own, and the program one' \
	'grep -q "0x.*;.*0x.*;.*0x" ended && [ "$("$TOOLS/extdump" gmon.sum.ext | grep -c "^module .*\(a.out\|libc\.\)")" = 2 ]'
rm -f gmon.*
run ./a.out kill
"$GPROF" -b --inclusive a.out gmon.out.live >report 2>>err
expect 'of a program that was killed, too' \
	'[ "$(cat status)" = 137 ] && awk "\$NF == \"sort\" && \$2 > 0.03 { n++ } \$NF == \"spin\" && \$2 > 0.1 { n++ } END { exit n != 2 }" report'
"$GPROF" -i a.out gmon.out.live >report 2>>err
expect 'which -i tells of' 'grep -q "^	[0-9]* sample records" report && ! grep -q "live.ext" report'
tap_done
