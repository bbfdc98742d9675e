#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands of the manual page's COMMON QUESTIONS, in their order, with a program that is there: each does what
# its question asks for.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/style.sh
. "$srcdir/tests/lib/style.sh"
evidence='said'

# The lines in bold of the section, as typed.
commands() {
	sed -n '/^\.SH COMMON QUESTIONS/,/^\.PP/p' "$(built_page gprof.1)" | sed -n 's/^\.B //p' | sed 's/\\-/-/g'
}

# ask NUMBER: runs that command; what it says is in said.
ask() {
	command=$(commands | sed -n "${1}p")
	eval "$command" >said 2>&1
}

# answered PATTERN [FILE]
answered() {
	expect "$command" grep -q -e "$1" "${2:-said}"
}

make_scratch
cd "$scratch" || exit 99
[ -f "$builddir/libgmon.so" ] || tap_skip_all "libgmon is not built for this machine"
cat >work.h <<'END'
volatile unsigned spun;
void work(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		spun += i;
}
END
cat >prog.c <<'END'
#include <time.h>
#ifdef LIBRARY
void work(void);
#else
#include "work.h"
#endif
int main(void)
{
	while (clock() < 2 * CLOCKS_PER_SEC)
		work();
	return 0;
}
END
mkdir bin
ln -s "$GPROF" bin/gprof
PATH=$scratch/bin:$PATH LD_LIBRARY_PATH=$builddir:. LIBRARY_PATH=$builddir:.
export PATH LD_LIBRARY_PATH LIBRARY_PATH
unset GMON GMON_OUT_PREFIX
check 'twelve questions' "$(commands | wc -l | grep -vx 12)"
ask 8
expect "$command" ./prog
ask 1
answered '^ *[0-9.]* .* work  .* main$'
ask 2
answered '^ *[0-9.]* .* work$'
ask 3
answered '^\[.*\].* work \[[0-9]*\]'
ask 4
answered '^ *[0-9.]* .* spun += i;$'
if gprof --version | grep -q libopcodes; then
	ask 5
	answered '^ *[0-9][0-9.]* .* [0-9a-f]*  [a-z]'
else
	tap_skip "$(commands | sed -n 5p)" 'gprof was built without libopcodes'
fi
ask 6
answered '"name":\["work"\|"work"' gprof.html
ask 7
answered 'wrong\|remark:'
rm gmon.out
ask 9
sleep 0.3
expect "$command" [ -s gmon.out ]
expect "and it runs on" kill -0 $!
wait $!
mv gmon.out kept
ask 10
wait $! 2>/dev/null
gprof -bp prog >said 2>&1
answered '^ *[0-9.]* .* work$'
rm gmon.out.live
cp kept gmon.out
cp kept gmon.out.1234
gprof -bp -C prog gmon.out >one
ask 11
expect "$command" [ "$(grep -c ' work$' said)" = 1 ]
awk '$7 == "work" || $NF == "work" { print $3 }' one said | awk '{ t[NR] = $1 } END { exit t[2] < 1.9 * t[1] }'
tap_check $? "two runs are twice the time"
cp work.h work.c
cc -pg -g -fPIC -shared -o libwork.so work.c && cc -pg -g -DLIBRARY -o prog prog.c -lwork -lgmon
ask 12
answered '^ *[0-9.]* .* work$'
tap_done
