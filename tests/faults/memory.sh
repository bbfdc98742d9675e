#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# No memory: each allocation of gprof, and of the libraries in it, fails in turn, alone and with all behind it. One
# line on stderr and status 1, or nothing at all is different; no file is half written, none is left.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

case $INSTRUMENTED in
'' | *coverage*) ;;
*) tap_skip_all "the $INSTRUMENTED build has an allocator of its own" ;;
esac

! ldd "$GPROF" | grep -q 'libbfd\|libdw' || tap_skip_all "libdw is shared here, as on Debian 13, whose libdw.a is not whole, and has no message for this"

# exhaust WHAT ARGUMENT...: of gprof; $written is the file it writes, if any.
exhaust() {
	what=$1
	shift
	"$TOOLS/exhaust" ${written:+-f "$written"} "$scratch/failing.so" "$what" "$GPROF" "$@" >result 2>&1
	sed -n 's/^ok - //p' result >points
	if [ -s points ]; then
		tap_ok "$(cat points)"
	else
		tap_not_ok "$what"
		grep -v '^not ok' result | sed 's/^# //' | tap_note
	fi
}

make_scratch
cd "$scratch" || exit 99
if ! "$CC" -O1 -fPIC -shared "$srcdir/tests/faults/failing.c" -o failing.so -ldl 2>log; then
	tap_skip_all "the C library's allocator cannot be replaced"
fi
mkdir work && cd work || exit 99
cat >program.c <<'END'
int leaf(int i) __asm__("_ZN3Map4findEi");
int leaf(int i) { volatile int s = 0; for (int j = 0; j < 20000; j++) s += j * i; return s; }
static int twice(int n) { return n > 0 ? twice(n - 1) + leaf(n) : 0; }
int main(void) { int s = 0; for (int i = 0; i < 1000; i++) s += leaf(i); return s + twice(100) == 0; }
END
if ! "$CC" -g -O1 -pg program.c 2>log || ! ./a.out || ! [ -s gmon.out ]; then
	tap_skip_all "no profiled program can be built"
fi
nm a.out | sed 's/^/program.o:/' >map
nm a.out >list
mkdir many
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	cp gmon.out many/gmon.$i
done
: >points

exhaust 'the default report'
exhaust '-l' -l
exhaust '-A' -A
exhaust '-A -x of lines, and all other reports' -p -q -C -i -A -x -l -z
exhaust '-c' -c
exhaust '-r' -r
exhaust '-R' -R map
exhaust '-S' -S list
exhaust 'files in a directory, by threads' a.out many
exhaust '--ranks=outliers, files by threads' --ranks=outliers a.out many
exhaust 'selections' -b -p_ZN3Map4findEi -qmain -kprogram.c:main/twice
exhaust '--all-symbols -T' --all-symbols -T
# By two threads, of which one goes on alone.
mkdir big && "$TOOLS/mkworkload" chain 17000 big || exit 99
exhaust 'the flat profile of many functions' -b -p -z big/a.out big/gmon.out
exhaust 'the call graph of many functions' -b -q big/a.out big/gmon.out
written=gmon.sum
exhaust '-s' -s
mkdir stacks && "$TOOLS/mkprofile" "$srcdir/tests/golden/stacks-files.profile" stacks
"$GPROF" -s stacks/a.out stacks/gmon.out # so that both files are there in each run
exhaust '-s with call stacks' -s stacks/a.out stacks/gmon.out stacks/gmon.2
written=gmon.sum.ext
exhaust 'which are whole, too' -s stacks/a.out stacks/gmon.out stacks/gmon.2
rm gmon.sum.ext
written=gmon.sum
exhaust '-s with reports, of two files' -s -p -q a.out gmon.out gmon.out
sed -n 's/^FORMAT(\([a-z]*\), "\([^"]*\)".*/\1 \2/p' "$srcdir/src/export/formats.def" >formats
while read -r format written; do
	# Some show a difference only.
	case $format in
	annotations | sarif) exhaust "--export=$format" "--export=$format" --diff=many/gmon.1 a.out gmon.out ;;
	*) exhaust "--export=$format" "--export=$format" ;;
	esac
done <formats
written=gprof.dot
exhaust '--export=dot,root' --export=dot,root=main,node=0
written=program.c-ann
exhaust '-y' -A -y
tap_done
