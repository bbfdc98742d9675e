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
	'[ "$(cat status)" = 137 ] && awk "
		\$NF == \"sort\" && \$2 > 0.03 { n++ }
		\$NF == \"spin\" && \$2 > 0.1 { n++ }
		END { exit n != 2 }" report'
"$GPROF" -i a.out gmon.out.live >report 2>>err
expect 'which -i tells of' 'grep -q "^	[0-9]* sample records" report && ! grep -q "live.ext" report'

# A program that waits until it is killed, once the file tells of it: what a long wait has is there several times a second.
must_build waiting gcc -O1 -pg -I"$srcdir/include" "$programs/endless-wait.c" "$archive" || tap_done
cd "$scratch/waiting" || exit 99
waited() {
	"$GPROF" -b --inclusive --clock=off a.out gmon.out.live 2>>err |
		awk '$NF == "wait_for_input" && $2 > 0.3 { n++ } /\[waiting: [a-z]* *read\]$/ && $2 > 0.3 { n++ } END { exit n != 2 }'
}
GMON=stacks,crash,clock=wall ./a.out >out 2>>err &
waits=$!
tries=0
while [ ! -e gmon.out.live ] || ! waited; do
	tries=$((tries + 1))
	[ $tries -lt 300 ] || break
	sleep 0.1
done
kill -KILL $waits
wait $waits 2>/dev/null
expect 'waiting of a program that was killed, by function and system call' waited
"$GPROF" -b --inclusive a.out gmon.out.live >report 2>>err
expect '... beside its CPU time' 'grep -q "waiting" report && grep -q "^On the CPU .*, waiting .* seconds by the clock" report'
tap_done
