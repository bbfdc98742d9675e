#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Inclusive times from call stacks against what a program's own clocks say: an interpreter whose collector runs from
# many places. GNU's arithmetic, from the same run, is wrong there.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# compare TRUTH REPORT: lines of functions whose share in REPORT, "SHARE NAME" a line, is off by more than five standard
# deviations of its samples and two samples, both as many times as signals were late.
compare() {
	awk -v samples="$samples" -v late="$late" '
		NR == FNR && $1 == "total" { total = $2 }
		NR == FNR && $1 == "inclusive" { truth[$2] = $3 }
		NR != FNR { share[$2] = $1 }
		END {
			for (name in truth) {
				p = truth[name] / total
				sigma = sqrt(late * samples * p * (p < 1 ? 1 - p : 0))
				off = (share[name] / 100 - p) * samples
				if (off > 5 * sigma + 2 * late || off < -5 * sigma - 2 * late)
					printf "%s: %.1f %%, not %.1f %%, of %d samples\n", name, share[name], 100 * p, samples
			}
		}' "$1" "$2"
}

# shares: "SHARE NAME" for each line of the inclusive profile on standard input.
shares() {
	awk '/ time .*name$/ { on = 1; next } /^$/ { on = 0 } on { print $1, $NF }'
}

make_scratch
cd "$scratch" || exit 99
what='inclusive times'
must_build here "$CC" -O1 -g -pg -fno-inline "$programs/inclusive.c" "$archive" -lm || {
	tap_done
	exit
}
GMON=stacks,verbose,rate=250 run_program here 250
cd here || exit 99
samples=$("$GPROF" -b --inclusive | sed -n 's/.*; \([0-9]*\) samples, .*/\1/p')
if [ ! -f gmon.out.ext ] || [ "${samples:-0}" -lt 50 ]; then
	tap_skip "$what" "no call stacks here, or ${samples:-no} samples"
	tap_done
	exit
fi
late=$(lateness gmon.out)
"$GPROF" -b --inclusive | shares >measured
check 'each function has the share that its own clock says' "$(compare out measured)"
"$GPROF" -b -q --estimated | sed -n 's/^\[[0-9]*\] *\([0-9.]*\) .* \([a-z_]*\) \[[0-9]*\]$/\1 \2/p' >estimated
expect "GNU's arithmetic has not" '[ -n "$(compare out estimated)" ]'
"$GPROF" -b -q >graph
expect 'the library of mathematics is below its caller' '
	awk "/^-----/ { inside = 0 } /^\\[.* op_maths / { inside = 1 } inside && /\\[libm/ { found = 1 }
		END { exit !found }" graph'
"$GPROF" -b -p >flat
expect 'the flat profile adds up to all samples' '
	awk -v samples="$samples" "/ time .*name/ { on = 1; next } on { sum += \$1; n++ }
		END { exit !(n > 3 && sum > 99.5 && sum < 100.5) }" flat'
"$GPROF" -b --call-tree=collect >tree
expect 'a tree that begins with the collector has all its time' '
	[ "$(awk "/^ *[0-9.]+ / && \$NF == \"collect\" { print \$1; exit }" tree)" = \
		"$(awk "\$2 == \"collect\" { print \$1 }" measured)" ]'
cd "$scratch" || exit 99
tap_done
