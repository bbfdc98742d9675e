#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs of musl, linked with libgmon statically and dynamically, and by gprof --run: counts are the program's own, also
# with threads, signals and forks at once; storms of libraries, forks, threads and signals change nothing; call stacks of
# --run are complete. take-over.sh and unwind.sh have programs of musl, too.
# shellcheck disable=SC2016,SC2034 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

command -v musl-gcc >/dev/null || tap_skip_all 'no musl-gcc: install Debian package musl-tools'
make_scratch

# The profile of the child of the last run of DIR that told its truth.
check_child() {
	mkdir -p "$scratch/child"
	cp "$scratch/$2/a.out" "$scratch/$2/err" "$scratch/$2/status" "$scratch/child/"
	cp "$scratch/$2/child" "$scratch/child/out"
	cp "$scratch/$2/gmon.out.$(cat "$scratch/$2/pid")" "$scratch/child/gmon.out"
	check_counts "$1" child
}

# exact_musl WHAT OPTION...: each program three times.
exact_musl() {
	kind=$1
	shift
	for program in together threads interrupted; do
		what="$program, $kind"
		must_build $program musl-gcc -O2 -pg -pthread "$@" "$programs/$program.c" "$archive" || continue
		case $program in
		threads) words=8 ;;
		interrupted) words=timer ;;
		*) words= ;;
		esac
		for time in 1 2 3; do
			run_program $program $words
			check_counts "$what: run $time" $program
			[ $program != together ] || check_child "$what: run $time: a child" $program
		done
	done
}

exact_musl dynamic
exact_musl static -static '-DOUTSIDE="*"'
mkdir "$scratch/shared"
ln -s "$builddir/libgmon.so" "$scratch/shared"
what='threads, libgmon.so'
if must_build by-so musl-gcc -O2 -pg -pthread "$programs/threads.c" -L"$scratch/shared" -Wl,-rpath,"$scratch/shared" -lgmon; then
	run_program by-so 8
	check_counts "$what" by-so
fi

# What the same source says under both C libraries.
counts() {
	"$GPROF" -b -z -q a.out gmon.out 2>said | awk -v counts=1 -f "$srcdir/tests/differential/callgraph.awk" |
		grep '^arc' | sort
}
for compiler in gcc musl-gcc; do
	what="arcs, $compiler"
	must_build arcs $compiler -O2 -pg "$programs/arcs.c" "$archive" || continue
	run_program arcs
	(cd "$scratch/arcs" && counts) >"$scratch/counts-$compiler"
done
# Callbacks of qsort() and bsearch() are as many as the C library makes.
for compiler in gcc musl-gcc; do
	grep -v compare "$scratch/counts-$compiler" >"$scratch/own-$compiler"
done
expect 'calls are those of the same program under the other C library' \
	'[ -s "$scratch/own-gcc" ] && cmp -s "$scratch/own-gcc" "$scratch/own-musl-gcc"'

# Storms, by --run and linked.
cd "$scratch" || exit 99
unset GMON
what='a program of storms'
must_build storms musl-gcc -O1 -D_GNU_SOURCE -pthread "$programs/guest-storms.c" || tap_done
must_build linked musl-gcc -O1 -pg -D_GNU_SOURCE -pthread "$programs/guest-storms.c" "$archive" || tap_done
must_build static musl-gcc -O1 -pg -static -D_GNU_SOURCE -pthread "$programs/guest-storms.c" "$archive" || tap_done
echo 'long storm_work(long n) { volatile long i = 0; while (i < n * 1000) i++; return n; }' >storm.c
musl-gcc -O1 -shared -fPIC -o storm.so storm.c || exit 99
program=$scratch/storms/a.out
run_limit=120
evidence='status out err alone'

# take_storm NAME ROUNDS.
take_storm() {
	"$program" "$1" "$2" >alone
	for keys in stacks clock=wall; do
		rm -f report
		run "$GPROF" -b -p -o report "--run=$keys" "$program" "$1" "$2"
		expect "--run, $1, $keys: counts and status are as alone" '[ "$status" = 3 ] && [ -s report ] && [ -s alone ] && cmp -s alone out'
	done
	for kind in linked static; do
		[ "$1$kind" != librariesstatic ] || continue
		rm -f gmon.out*
		# The storm of signals has a use for SIGPROF.
		run env GMON=stacks,signal=RTMIN+3 "$kind/a.out" "$1" "$2"
		"$GPROF" -b -p "$kind/a.out" gmon.out >flat 2>said
		expect "$kind, $1: counts and status are as alone" '[ "$status" = 3 ] && cmp -s alone out && grep -q " calculate$\| descend$\| rage$" flat'
	done
}
take_storm libraries 600
take_storm forks 100
take_storm threads 1000
take_storm signals 2000
take_storm overflows 500

# Stacks.
if must_build plain musl-gcc -g -O1 -fno-optimize-sibling-calls "$programs/plain.c"; then
	run "$GPROF" --run -b --inclusive -o - -- plain/a.out 400
	complete=$(complete_stacks out err | cut -d ' ' -f 2)
	expect "--run: $complete % of samples have complete stacks" 'awk -v n="$complete" "BEGIN { exit !(n >= 90) }" && grep -q " work$" out'
fi
tap_done
