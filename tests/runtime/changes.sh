#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What --diff marks: of PAIRS (200) pairs of runs of an unchanged program with 20 functions, and of its runs three by
# three, at most 5 %; of SLOWER (100) pairs of which one function takes 20 % more, with 1000 samples a side, this one in
# most and hardly ever another. Takes PAIRS times two and SLOWER times 16 seconds of processor time, on an idle machine or
# a busy one. make check-sampling.
# shellcheck disable=SC2016,SC2317 # what expect evaluates and calls
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

pairs=${PAIRS:-200}
slow=${SLOWER:-100}

# record FILE ARGUMENT...
record() {
	file=$1
	shift
	GMON=rate=250,file=$scratch/shares/$file ./a.out "$@" || exit 99
}

# marks N PER: of how many of N pairs, of so many runs a side, any function is marked; in $marked.
marks() {
	marked=0
	next=0
	pair=0
	while [ $pair -lt "$1" ]; do
		rm -rf base test
		for side in base test; do
			mkdir $side
			run=0
			while [ $run -lt "$2" ]; do
				ln same/$next $side/$run
				next=$((next + 1))
				run=$((run + 1))
			done
		done
		"$GPROF" -b --diff=base a.out test >out 2>err || exit 99
		! grep -q '^[+-] ' out || marked=$((marked + 1))
		pair=$((pair + 1))
	done
}

# bounded MARKED PAIRS: at most 5 %, or three standard deviations more.
bounded() {
	awk -v x="$1" -v n="$2" 'BEGIN { exit !(x <= 0.05 * n + 3 * (0.05 * 0.95 * n) ^ 0.5) }'
}

check_same() {
	mkdir same
	i=0
	while [ $i -lt $((2 * pairs)) ]; do
		record same/$i many 130000
		i=$((i + 1))
	done
	marks "$pairs" 1
	echo "# one run a side: $marked of $pairs pairs with a mark"
	expect 'an unchanged program, one run a side' bounded "$marked" "$pairs"
	marks $((pairs / 3)) 3
	echo "# three runs a side: $marked of $((pairs / 3)) pairs with a mark"
	expect 'an unchanged program, three runs a side' bounded "$marked" $((pairs / 3))
}

check_slower() {
	found=0
	others=0
	i=0
	while [ $i -lt "$slow" ]; do
		record base.1 few 1900000
		record test.1 few 1900000 20
		"$GPROF" -b --diff=base.1 a.out test.1 >out 2>err || exit 99
		! grep -q '^+ .* a5$' out || found=$((found + 1))
		! grep '^[+-] ' out | grep -qv ' a5$' || others=$((others + 1))
		i=$((i + 1))
	done
	echo "# 20 % more, 1000 samples: found in $found of $slow, others marked in $others"
	expect '20 % more is found in 9 of 10' [ $((10 * found)) -ge $((9 * slow)) ]
	expect 'and others are not' bounded "$others" "$slow"
}

make_scratch
what=shares
must_build shares gcc -O1 -pg "$programs/shares.c" "$archive" || tap_done
cd "$scratch/shares" || exit 99
check_same
[ "$slow" = 0 ] || check_slower
tap_done
