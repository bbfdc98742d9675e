#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --objects: a program and its libraries in one profile. Sums are the processor time that the program measures itself, without
# the loader's, which was used before samples could come, and so is the part of libm; calls what its code says, functions of stripped files those of nm and readelf.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
cd "$scratch" || exit 99

# show OPTION...: the flat profile as "SECONDS CALLS NAME", calls - where there are none; what gprof says in err.
show() {
	"$GPROF" -b -p "$@" 2>err | awk '$1 ~ /^[0-9.]+$/ && $3 ~ /^[0-9.]+$/ { print $3, (NF > 4 ? $4 : "-"), $NF }'
}

# add_up WHAT: the times in got are the $whole that the program has measured: but for two ticks or a fiftieth, of which nothing is
# said if nobody saw them (sample_unseen()), and for what a look may count ahead, see sampled_whole; and two ticks for what is used
# before and after.
add_up() {
	added=$(awk '{ sum += $1 } END { print sum }' got)
	expect "$1: $added of $whole" 'awk -v tick="$(kernel_tick)" "BEGIN {
		exit !($added >= 0.98 * $whole - 0.02 && $added <= $whole + 5 * tick + 0.03) }"'
}

# of NAME COLUMN: from what show wrote to got.
of() {
	awk -v name="$1" -v column="$2" '$3 == name { print $column }' got
}

cat >shape.c <<-'END'
	static volatile double sink;
	#define WORK(n) for (int i = 0; i < (n); i++) sink = sink * 0.5 + x
	__attribute__((noinline)) static double corner(double x) { WORK(600); return sink; }
	__attribute__((noinline)) static double edge(double x) { WORK(300); return corner(x) + corner(x + 1); }
	double area(double x) { return edge(x) * edge(x + 2); }
	#ifdef PLUGIN
	int another_file = 1;
	#endif
END
cat >main.c <<-'END'
	#include <dlfcn.h>
	#include <math.h>
	#include <stdio.h>
	#include <time.h>
	double area(double);
	static volatile double sink;
	static double now(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec / 1e9; }
	__attribute__((noinline)) static void draw(double x) { for (int i = 0; i < 4000; i++) sink = sink * 0.5 + x; sink = area(x); }
	__attribute__((noinline)) static void wave(double x) { for (int i = 0; i < 1000; i++) sink = sin(x + i * 1e5); }
	int main(void)
	{
		double in_libm = 0, start = now();
		double (*plugin)(double) = (double (*)(double))dlsym(dlopen("./plugin.so", RTLD_NOW), "area");
		for (int i = 0; i < 10000; i++) {
			double before;
			draw(i);
			if (i % 10 == 0) plugin(i);
			before = now();
			wave(i);
			in_libm += now() - before;
		}
		printf("%g %g\n", in_libm, now() - start);
		return 0;
	}
END
what='a program and libraries with -pg are built'
if ! "$CC" -O1 -g -pg -fPIC -shared -Wl,--build-id=sha1 -o libshape.so shape.c >log 2>&1 ||
	! "$CC" -O1 -g -pg -fPIC -shared -Wl,--build-id=sha1 -DPLUGIN -o plugin.so shape.c >>log 2>&1 ||
	! "$CC" -O1 -g -pg -fno-builtin-sin -o a.out main.c "$archive" ./libshape.so -lm -ldl -Wl,-rpath,. >>log 2>&1; then
	tap_skip_all "$what: $(head -n 1 log)"
fi
GMON=libs,verbose
run ./a.out
read -r in_libm whole <out
expect 'the runtime says its time' grep -q ', [0-9]* ms of CPU time' err

show --objects >got
add_up 'the rows add up to the processor time'
"$GPROF" -b --objects -P -Q >objects 2>/dev/null
# Five sigma of a share of so many samples, and 2 % for the loop around sin().
expect 'the part of libm is what the program has measured' 'awk -v in_libm="$in_libm" -v whole="$whole" "
	/libm/ { p = in_libm / whole; d = \$1 / 100 - p; found = 1; exit !(d * d <= (0.02 + 5 * sqrt(p * (1 - p) / (whole * 100))) ^ 2) }
	END { exit !found }" objects'
expect 'objects: calls in and out' 'awk "/ libshape.so/ { n += \$3 == 10000 && \$4 == 0 } / a.out/ { n += \$3 == 1 && \$4 == 11000 }
	/ plugin.so/ { n += \$3 == 1000 } END { exit n != 3 }" objects'
expect 'calls of library functions are exact' '[ "$(of area@libshape.so 2) $(of edge@libshape.so 2) $(of corner@libshape.so 2)" = "10000 20000 40000" ]'
expect 'those of one that was loaded later, too' '[ "$(of area@plugin.so 2) $(of edge@plugin.so 2) $(of corner@plugin.so 2)" = "1000 2000 4000" ]'
expect 'functions of libraries have time' '[ "$(of corner@libshape.so 1)" != 0.00 ]'
"$GPROF" -b -q --objects >graph 2>/dev/null
expect 'arcs have the real caller and the real callee' 'grep -q " 10000/10000 *area@libshape.so" graph && grep -q " 1000/1000 *area@plugin.so" graph &&
	grep -q "20000/20000 *edge@libshape.so" graph && ! grep -qw -e _init -e "plt" graph'
"$GPROF" -b -p -q --objects --names=plain -parea@plugin* >plain 2>/dev/null
expect '--names=plain: a name of one library alone has no suffix' 'grep -q " sin$\| __sin" plain || ! grep -q libm plain'
expect '--names=plain: one of two has' 'grep -q "area@plugin.so$" plain && ! grep -q "^[^[]* area@libshape.so$" plain'
show '--objects=libshape*' >got
expect 'a pattern: others are one function' '[ -n "$(of edge@libshape.so 1)" ] && [ -z "$(of edge@plugin.so 1)" ] && [ "$(of "[plugin.so]" 2)" = 1000 ]'
"$GPROF" -b -l -p --objects >lines 2>/dev/null
expect '-l: lines of libraries' 'grep -q "corner@libshape.so (shape.c:3 @ $(nm libshape.so | awk "
	/ corner/ { sub(\"^0*\", \"\", \$1); print \$1 }"))" lines && grep -q "draw (main.c:8 @" lines'
"$GPROF" -b -A --objects 2>/dev/null >source
expect '-A: source of libraries' 'grep -q "44000 -> .*corner(double x)" source'

"$GPROF" -b >alone
mv gmon.out.ext kept.ext
"$GPROF" -b >without
same 'without the option no byte changes' alone without
"$GPROF" --objects >out 2>err
status=$?
expect 'without the file: one line' '[ "$status" = 1 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q "gmon.out.ext is missing: GMON=libs records libraries" err'
mv kept.ext gmon.out.ext
"$GPROF" -s a.out gmon.out gmon.out
"$GPROF" -b -p --objects a.out gmon.out gmon.out 2>/dev/null >twice
"$GPROF" -b -p --objects a.out gmon.sum 2>/dev/null >sum
same 'a sum is that of its parts' twice sum
show --objects a.out gmon.sum >got
expect 'it has twice the calls' '[ "$(of edge@libshape.so 2)" = 40000 ]'

for format in callgrind json pprof; do
	"$GPROF" --objects --export="$format" -o "$format" 2>/dev/null
done
expect 'callgrind: objects' 'grep -q "^c*ob=.*/libshape.so" callgrind && grep -q "^cob=" callgrind && grep -q "/shape.c" callgrind'
expect 'json: modules' 'grep -q "\"name\":\"area@libshape.so\".*\"module\":[0-9].*\"file\":" json && grep -q "\"path\":\".*libshape.so\"" json'

cp libshape.so full.so
nm full.so | awk '
	$3 == "edge" || $3 == "corner" { sub("^0*", "", $1); print "[libshape.so+0x" $1 "]" }
	$3 == "area" { print $3 "@libshape.so" }' | sort >wanted
strip libshape.so
show --objects >got
awk '/libshape/ { print $3 }' got | sort >names
same 'stripped: functions begin where nm says' names wanted
"$GPROF" -b --objects -P -Q 2>/dev/null >objects
expect 'the list says where names are from' 'grep -q "dynamic *libshape.so" objects && grep -q "full *a.out" objects'
cp full.so libshape.so
"$CC" -O2 -g -pg -fPIC -shared -Wl,--build-id=sha1 -o libshape.so shape.c
show --objects >got
expect 'another build: one function and a warning' 'grep -q "warning: .*/libshape.so: is not the file that was loaded" err &&
	[ -n "$(of "[libshape.so]" 1)" ] && [ "$(grep -c libshape got)" = 1 ]'
cp full.so libshape.so

GMON=libs,stacks,verbose
run ./a.out
read -r in_libm whole <out
show --objects >got
add_up 'with stacks: time is counted once'
expect 'with stacks: calls are those of all objects' '[ "$(of corner@libshape.so 2)" = 40000 ] && [ "$(of corner@plugin.so 2)" = 4000 ]'
"$GPROF" -b --entry='wave' --objects >graph 2>/dev/null
expect 'with stacks: libm is below its caller' 'awk "/^\\[/ { own = 1 } own && /sin.*@libm/ { found = 1 } END { exit !found }" graph'
cd "$builddir" || exit 99
tap_done
