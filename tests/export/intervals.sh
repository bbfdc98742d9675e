#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: csv json webpage
#
# --confidence: intervals of one run and of several are those that Python reckons by itself; rows whose intervals overlap
# are marked; no report and no export has a number that is none, whatever the profile; what is no level is refused.
# shellcheck disable=SC2016,SC2317 # what expect evaluates; functions that it calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
. "$srcdir/tests/lib/run.sh"

# make_runs SEED N: N runs of ten functions, most of them of a similar length; `ticks' has what each function has.
make_runs() {
	awk -v seed="$1" -v n="$2" 'BEGIN {
		srand(seed)
		print "text 0x401000 0x1000"
		for (f = 0; f < 10; f++) {
			print "sym f" f, 4198400 + 256 * f
			mean[f] = int(exp(10 * rand())) + 1
		}
		print "sym etext 4200960 notype"
		for (run = 0; run < n; run++) {
			print "profile\nhist 4198400 4202496 1024 100"
			long = 0.5 + rand()
			for (f = 0; f < 10; f++) {
				part = int(mean[f] * long * (0.8 + 0.4 * rand()) + rand())
				ticks[f] = ticks[f] " " part
				if (part)
					print "tick f" f, part
			}
		}
		for (f = 0; f < 10; f++)
			print "f" f ticks[f] >"ticks"
	}' >runs
	rm -f gmon.*
	make_profile <runs
	ls gmon.* >files
}

# reckoned LEVEL N: what Python has against the reports on N runs.
reckoned() {
	{
		cat ticks
		echo flat
		xargs "$GPROF" -b -p --confidence="$1" a.out <files
		echo csv
		xargs "$GPROF" --export=csv -o - --confidence="$1" a.out <files
	} | python3 "$srcdir/tests/export/intervals.py" "$1" 100 "$2" 2>&1
}

check_arithmetic() {
	if ! python3 -c 'from statistics import NormalDist' 2>/dev/null; then
		tap_skip 'arithmetic' 'no python3 (Debian package python3)'
		return
	fi
	seed=1
	for runs in 1 2 3 4 20; do
		for level in 50 95 99.9; do
			make_runs "$seed" "$runs"
			check "$runs runs, level $level" "$(reckoned "$level" "$runs")"
			seed=$((seed + 1))
		done
	done
}

# Reading by threads keeps apart what each file has.
check_threads() {
	make_runs 7 18
	xargs "$GPROF" -b -p --confidence a.out <files >threads
	expect 'files read by threads are as many runs' grep -q 'of 18 runs' threads
	# A pipe is read in order.
	# shellcheck disable=SC2046 # words
	"$GPROF" -b -p --confidence a.out - $(grep -v out files) <gmon.out >order 2>err
	same 'and have the same intervals as those read in order' threads order
}

check_page() {
	make_golden confidence
	"$GPROF" --confidence --export=json -o json 2>err
	"$GPROF" --confidence --export=webpage -o page 2>>err
	for end in low high; do
		sed -n 's/.*[,{]"'$end'":\([0-9]*\),"[hi].*/\1/p' json | paste -sd , >said
		sed -n 's/^"'$end'":\[\(.*\)\],*$/\1/p' page >page.$end
		same "the page has JSON's $end" page.$end said
	done
	expect 'which is something' [ -s said ]
}

# not_numbers: of all reports and exports on what is here.
not_numbers() {
	{
		"$GPROF" -z -p -q --confidence=99.9
		for format in json csv webpage; do
			"$GPROF" --confidence=99.9 --export=$format -o -
		done
	} 2>&1 | grep -aiE '(^|[^a-z])-?(nan|inf)([^a-z]|$)'
}

check_numbers() {
	for golden in "$srcdir"/tests/golden/*.profile; do
		make_golden "$(basename "$golden" .profile)"
		check "$(basename "$golden" .profile): numbers only" "$(not_numbers)"
	done
}

check_levels() {
	make_golden basic
	for level in 0 100 49.99 99.91 -95 text 95% 1e2 0x5f nan inf . ''; do
		run "$GPROF" -b -p --confidence="$level"
		expect "'$level' is no level" '[ "$status" = 1 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] &&
			grep -qF -- "not '"'\$level'"'" err'
	done
	for level in 50 68.27 99.9 95.; do
		run "$GPROF" -b -p --confidence="$level"
		expect "$level is one" '[ "$status" = 0 ] && [ ! -s err ] && grep -qF " ${level%.} % intervals" out'
	done
}

make_scratch
cd "$scratch" || exit 99
check_arithmetic
check_threads
check_page
check_numbers
check_levels
tap_done
