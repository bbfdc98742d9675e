#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gprof PROGRAM KEPT, where the run of KEPT was of several programs: any of them leads to the run.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

[ -f "$builddir/libgmon.so" ] || tap_skip_all 'no libgmon.so here'
make_scratch
unset GMON
mkdir "$scratch/programs" "$scratch/elsewhere" || exit 99
cd "$scratch/programs" || exit 99
cat >driver.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	if (fork() == 0)
		execl("./worker", "worker", (char *)0);
	wait(0);
	if (fork() == 0)
		execl("./lesser", "lesser", "less", (char *)0);
	return wait(0) < 0;
}
END
cat >worker.c <<'END'
__attribute__((noinline)) static int leaf(int n)
{
	volatile int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}
int main(int argc, char **argv)
{
	return leaf(argc > 1 ? 200000000 : 600000000) == 1;
}
END
cp worker.c lesser.c
for name in driver worker lesser; do
	"$CC" -O1 -g -o $name $name.c || tap_skip_all 'it cannot be built'
done
ln -s driver link
"$GPROF" -b -o log --run=rate=250,keep=kept ./link >said 2>&1
[ -s kept.ext ] || tap_skip_all "nothing can be kept: $(cat said)"
evidence='out err'

# leads WHAT NAME: whether gprof NAME shows the worker.
leads() {
	run "$GPROF" --top "$2" "$kept"
	expect "$1: shown is what has the samples" '[ "$status" = 0 ] && grep -q " leaf " out && grep -q "^.*/worker, written" out'
}

kept=kept
noted='grep -q "note: $kept is of a run of several programs: shown is the one with most samples, .*/worker" err'
run "$GPROF" --top kept
expect 'without a program' '[ "$status" = 0 ] && grep -q " leaf " out && [ ! -s err ]'
leads 'the program that started the other' ./driver
expect '... and a note says which one' "$noted"
leads 'one with fewer samples' ./lesser
expect '... and the note says what shows it' \
	'grep -q "note: kept is of .*: shown is the one with most samples, .*/worker; --run=keep=DIR/ keeps a profile of each process$" err'
leads 'by a link' ./link
kept=../programs/kept
cd ../elsewhere || exit 99
leads 'by its mere name' driver
expect '... which is told, too' "$noted"
leads 'by the name of the link' link
leads 'the one with the samples, by its mere name' worker
expect '... without a note' '[ ! -s err ]'
run "$GPROF" -b driver "$kept"
expect 'in other reports, too' '[ "$status" = 0 ] && grep -q " leaf$" out'
run "$GPROF" --top drivers "$kept"
expect 'a name of none: no such file' '[ "$status" = 1 ] && grep -q "^.*drivers: No such file" err'
run "$GPROF" --top /bin/sh "$kept"
expect 'another program is not replaced' '! grep -q "/worker, written" out'
tap_done
