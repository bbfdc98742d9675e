#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gprof --run and threads: those that a library has started before are sampled, the time of very short ones is in the
# samples or said to be unknown, and starting one takes few system calls.
# shellcheck disable=SC2016 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
cd "$scratch" || exit 99
unset GMON

# run_flat ARGUMENT...: under gprof --run=rate=250, with a flat profile.
run_flat() {
	run timeout 60 "$GPROF" -b -p -o - --run=rate=250 "$@"
}

what=early
if must_build lib "$CC" -O1 -shared -fPIC -pthread "$programs/early.c" &&
	must_build early "$CC" -O1 -pthread -DEARLY "$programs/guest-threads.c" "$scratch/lib/a.out"; then
	run_flat early/a.out
	expect 'a thread that a constructor of a library has started is sampled' '
		[ "$(cat status)" = 0 ] && awk "
			/\[a.out\]|early_work/ { s += \$3 } /\[unknown time\]/ { unknown = \$3 }
			END { print \"# \" s + 0, unknown + 0; exit !(s > 0.5 && s + unknown > 0.75 && s < 1.25) }" out'
fi

what=short
if must_build short "$CC" -O1 -pthread "$programs/guest-threads.c"; then
	run_flat short/a.out 6000 300
	# All samples, four times their error, and what may be missing without a word, a fiftieth.
	expect 'the samples of 6000 threads of 0.3 ms, and the time that is said to be unknown, are the CPU time' '
		awk "
			/^USED/ { used = \$2 }
			/^ *[0-9.]+ +[0-9.]+ +[0-9.]+ / { all += \$3 }
			END { off = all - used; error = 4 * sqrt(used / 250); printf \"# %.2f of %.2f s\n\", all, used
				exit !(off < error + 0.02 * used && -off < 0.03 * used + 0.02) }" out'
	if command -v strace >/dev/null; then
		# calls N COMMAND...: how many system calls a program with N threads makes.
		calls() {
			n=$1
			shift
			run strace -f -qq -c -o calls "$@" short/a.out "$n"
			awk '$NF == "total" { print $4 }' calls
		}
		# shellcheck disable=SC2034 # conditions are evaluated later
		ours=$(($(calls 1040 "$GPROF" -b -p --run) - $(calls 40 "$GPROF" -b -p --run)))
		# shellcheck disable=SC2034
		its=$(($(calls 1040) - $(calls 40)))
		expect 'a thread that starts and ends makes at most nine system calls more' '
			echo "# $ours, without $its"
			[ "$((ours - its))" -ge 3000 ] && [ "$((ours - its))" -le 9000 ]'
	else
		tap_skip 'system calls of a thread' 'no strace: install Debian package strace'
	fi
fi

# The threads of OpenBLAS, which waits actively, begin before the recording. One that yields its processor to a busy process
# has it again from a tick to before the next one: no tick may hit it all the time, so that is not known.
what=openblas
blas=$(ldconfig -p 2>/dev/null | sed -n 's/.*libopenblas\.so\.0 .*=> //p' | head -n 1)
if [ -z "$blas" ]; then
	tap_skip 'all threads of OpenBLAS are sampled' 'no libopenblas.so.0: install Debian package libopenblas0-pthread'
elif must_build openblas "$CC" -O1 "$programs/openblas.c" "$blas"; then
	OPENBLAS_NUM_THREADS=2 run_flat openblas/a.out
	# Without one of its two threads, half would be missing; of what no tick has hit, it is told that it is unknown.
	expect 'all threads of OpenBLAS are sampled' '
		awk "
			/^USED/ { used = \$2 }
			/^THREAD/ { hit += \$2 < \$3 ? \$2 : \$3 }
			/^ *[0-9.]+ +[0-9.]+ +[0-9.]+ / { if (/unknown/) unknown = \$3; else all += \$3 }
			END { off = all + unknown - used; error = 4 * sqrt(used / 250)
				printf \"# %.2f s and %.2f unknown of %.2f s, %.2f by the kernel'"'"'s ticks\n\", all, unknown, used, hit
				exit !(used > 0 && off < error + 0.02 * used && -off < error + 0.02 * used && all > 0.75 * hit) }" out'
fi
tap_done
