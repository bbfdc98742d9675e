#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A thousand threads that live at once: the memory that each takes beside what it takes without libgmon, by the
# kernel's account; and a fork, after which the child's work is the same as with ten threads, by strace's.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# grows_by DIR MOST: the run in DIR took at most so many kB for a thread more than the one in `without`.
grows_by() {
	expect_in "a thread takes $2 kB at most: ${3:-by default}" "$1" \
		'[ "$(cat status)" = 0 ] && awk -v most='"$2"' "
			FNR == NR { without = \$1; next }
			{ print \"# \" \$1 - without \" kB\"; exit !(\$1 - without > 0 && \$1 - without <= most) }" ../without/out out'
}

test_memory() {
	build without gcc -O1 -pthread "$programs/crowd.c" || return
	run_program without 1000
	GMON='' run_program crowd 1000
	grows_by crowd 6
	GMON=crash run_program crowd 1000
	grows_by crowd 10 GMON=crash
	run_program without 1000 forty
	GMON='' run_program crowd 1000 forty
	grows_by crowd 12 'forty pairs of call site and callee'
}

# calls_of_child N: how many system calls the child of a program with N threads makes, but for those of a sample.
calls_of_child() {
	(
		cd "$scratch/crowd" && rm -rf gmon.out* calls && mkdir calls &&
			run strace -ff -e trace=all -o calls/of ./a.out "$1" fork
		awk '/^---/ { sampled = 1 } !sampled { n++ } /^rt_sigreturn/ { sampled = 0 } END { print n }' "calls/of.$(sed -n 2p out)"
	)
}

test_fork() {
	what="a fork with 200 threads: the child makes as many system calls as one of a program with 10"
	if ! command -v strace >/dev/null; then
		tap_skip "$what" "no strace: install Debian package strace"
		return
	fi
	for GMON in '' crash; do
		few=$(calls_of_child 10)
		many=$(calls_of_child 200)
		expect_in "$what, GMON=$GMON" crowd '
			echo "# $few $many"; [ "$(cat status)" = 0 ] && [ "${few:-0}" -gt 2 ] && [ "$few" = "$many" ]'
	done
}

make_scratch
export GMON
what=crowd
if must_build crowd gcc -O1 -pg -pthread "$programs/crowd.c" "$archive"; then
	test_memory
	test_fork
fi
tap_done
