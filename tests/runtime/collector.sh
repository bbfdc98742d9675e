#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Inclusive times from call stacks against instructions that callgrind counts, of an interpreter with more than twenty
# functions, two recursions and a collector that runs from many places. GNU's arithmetic, from the same run, is wrong
# there. With LONG set, of more samples, and the table is printed.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later; functions that expect calls
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

what='inclusive times are those of callgrind'
command -v callgrind_annotate >/dev/null || tap_skip_all 'no callgrind: install Debian package valgrind'
rounds=6000
[ -z "${LONG-}" ] || rounds=50000
make_scratch
flags='-O1 -g -fno-inline -fno-optimize-sibling-calls'
# shellcheck disable=SC2086 # words
must_build plain "$CC" $flags "$programs/collector.c" || tap_done
# shellcheck disable=SC2086 # words
must_build here "$CC" $flags -pg "$programs/collector.c" "$archive" || tap_done
GMON=stacks,verbose run_program here $rounds
cd "$scratch/here" || exit 99
"$GPROF" -b --inclusive >report 2>err
samples=$(sed -n 's/.*; \([0-9]*\) samples, .*/\1/p' report)
if [ ! -f gmon.out.ext ] || [ "${samples:-0}" -lt 100 ]; then
	tap_skip_all "no call stacks here, or ${samples:-no} samples"
fi

# Without --separate-recs, a call within a call of the same function is counted twice; a function's first level, whose
# name has no number behind it, has all its time.
valgrind -q --tool=callgrind --separate-recs=32 --callgrind-out-file=counted ../plain/a.out 20 >/dev/null 2>err ||
	tap_skip_all "callgrind fails: $(head -n 1 err)"
callgrind_annotate --auto=no --inclusive=yes --threshold=100 counted |
	sed -n 's/^ *\([0-9,]*\) (.*collector\.c:\([a-z_]*\) .*/\1 \2/p' | tr -d , >instructions
awk '/ time .*name$/ { on = 1; next } /^$/ { on = 0 } on { print $1, $NF }' report >measured
"$GPROF" -b -q --estimated |
	sed -n 's/^\[[0-9]*\] *\([0-9.]*\) .* \([a-z_]*\)\( <cycle [0-9]*>\)\{0,1\} \[[0-9]*\]$/\1 \2/p' >estimated

# Lines "NAME ESTIMATED MEASURED CALLGRIND DEVIATIONS", the first three in per cent of main's, of the twenty functions
# with most instructions. A deviation is that of the number of samples; half a sample is rounded away.
# Samples that came late deviate together.
sort -rn instructions | awk -v samples="$samples" -v late="$(lateness gmon.out)" '
	FILENAME == "estimated" { estimated[$2] = $1 }
	FILENAME == "measured" { measured[$2] = $1 }
	FILENAME == "-" && !all { all = $1; next }
	FILENAME == "-" && ++n <= 20 {
		p = $1 / all
		off = (measured[$2] / 100 - p) * samples
		off = off > 0.5 ? off - 0.5 : off < -0.5 ? off + 0.5 : 0
		printf "%-15s %5.1f %5.1f %5.1f %5.1f\n", $2, estimated[$2], measured[$2], 100 * p, off / sqrt(late * samples * p * (1 - p))
	}' estimated measured - >table
expect 'twenty functions are compared' '[ "$(wc -l <table)" = 20 ]'
check "$what: within five deviations of $samples samples" "$(awk '$5 > 5 || $5 < -5' table)"
# half_within COLUMN: the eleventh largest deviation of twenty is at most four. The functions call one another, so deviations come
# together, and nothing can be said of how many are small.
half_within() {
	awk -v column="$1" '{ print ($column < 0 ? -$column : $column) }' table | sort -rn | awk 'NR == 11 { print "# " $1; exit $1 > 4 }'
}
expect 'half of them within four' half_within 5
expect "GNU's arithmetic gives the function that runs last twice its time" '
	awk "\$1 == \"close_state\" { wrong = \$2 > 1.8 * \$4 } END { exit !wrong }" table'
[ -z "${LONG-}" ] || tap_note <table

# The same program without -pg, by --run.
"$GPROF" -b --inclusive -o - --run=keep=gmon.plain ../plain/a.out $rounds >report 2>err </dev/null
samples=$(sed -n 's/^Each sample.*; \([0-9]*\) samples, .*/\1/p' report)
awk '/ time .*name$/ { on = 1; next } /^$/ { on = 0 } on { print $1, $NF }' report >measured
sort -rn instructions | awk -v samples="$samples" -v late="$(lateness gmon.plain)" '
	FILENAME == "measured" { measured[$2] = $1 }
	FILENAME == "-" && !all { all = $1; next }
	FILENAME == "-" && ++n <= 20 {
		p = $1 / all
		off = (measured[$2] / 100 - p) * samples
		off = off > 0.5 ? off - 0.5 : off < -0.5 ? off + 0.5 : 0
		printf "%-15s %5.1f %5.1f %5.1f\n", $2, measured[$2], 100 * p, off / sqrt(late * samples * p * (1 - p))
	}' measured - >table
check "without -pg, too: within five deviations of $samples samples" "$(awk 'END { if (NR != 20) print NR } $4 > 5 || $4 < -5' table)"
expect 'and half of them within four' half_within 4
[ -z "${LONG-}" ] || tap_note <table
cd "$scratch" || exit 99
tap_done
