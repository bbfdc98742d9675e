#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every call is counted, once, with its true caller: 20 runs of each program, in every one of which gprof
# must print the program's own counts. The system's gprof reads the first.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# exact WHAT RUNS DIR ARGUMENT...: of DIR/a.out.
exact() {
	what=$1
	runs=$2
	shift 2
	left=$runs
	while [ "$left" -gt 0 ]; do
		run_program "$@"
		if ! (
			unset LD_PRELOAD
			[ "$left" -eq "$runs" ] || SYSTEM_GPROF=
			differences "$1"
		); then
			tap_not_ok "$what: run $((runs - left + 1)) of $runs"
			cat "$scratch/$1/differences" "$scratch/$1/err" | tap_note
			return
		fi
		left=$((left - 1))
	done
	tap_ok "$what: $runs runs"
}

# exact_program WHAT RUNS DIR COMPILER ARGUMENT...: the same with a program that is built first.
exact_program() {
	what=$1
	runs=$2
	shift 2
	if has_compiler "$2" "$what" && must_build "$@"; then
		exact "$what" "$runs" "$1"
	fi
}

make_scratch
what=threads
if must_build threads gcc -O2 -pg -pthread "$programs/threads.c" "$archive"; then
	for n in 1 2 4 8 64; do
		exact "$n threads" 20 threads $n
	done
fi
what='threads, preloaded'
if must_build preloaded gcc -O2 -pg -pthread "$programs/threads.c"; then
	LD_PRELOAD=$builddir/libgmon.so exact "8 threads, preloaded" 20 preloaded 8
fi
what='threads, -mfentry, static'
if must_build static gcc -O2 -pg -mfentry -static -pthread '-DOUTSIDE="*"' "$programs/threads.c" "$archive"; then
	exact "8 threads, -mfentry, static" 20 static 8
fi
for entry in -mno-fentry -mfentry; do
	what="interrupted, $entry"
	if must_build interrupted gcc -O2 -pg $entry -pthread "$programs/interrupted.c" "$archive"; then
		exact "handlers interrupt mcount at 5 kHz, by a timer, $entry" 20 interrupted timer
		exact "handlers interrupt mcount at 5 kHz, by a thread, $entry" 20 interrupted thread
	fi
	exact_program "small callers, calls that do not return, gcc -Os $entry" 20 small \
		gcc -Os -pg $entry -fno-pie -no-pie "$programs/small.c" "$archive"
done
exact_program "small callers, calls that do not return, clang -Os" 20 small \
	clang -Os -pg "$programs/small.c" "$archive"
exact_program "recursion, longjmp, handlers on the smallest stack, callbacks" 20 jumps \
	gcc -O2 -pg -pthread "$programs/jumps.c" "$archive"
exact_program "50000 arcs" 20 many gcc -O1 -pg "$programs/many.c" "$archive"
what='short threads'
if must_build brief gcc -O2 -pg -pthread "$programs/short-threads.c" "$archive"; then
	exact "100000 short threads, in memory that does not grow" 1 brief 100000
fi
if [ -n "$SLOW" ]; then # it takes half a minute
	exact_program "2^32 + 1000 calls of one arc" 1 huge gcc -O2 -pg "$programs/huge.c" "$archive"
fi
tap_done
