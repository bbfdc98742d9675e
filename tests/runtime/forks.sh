#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# moncontrol(), monstartup() and _mcleanup() in the child of a fork while its parent is recorded, and the other way round:
# each process has the calls that it made while it was recorded itself, and no other's. A child that fork()'s handlers
# do not know of, by _Fork(), is recorded nowhere, whatever it asks for.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# child_is_true: the child's own file says what the child does.
child_is_true() {
	mkdir -p "$scratch/child"
	for file in a.out err status; do
		cp "$scratch/forks/$file" "$scratch/child/"
	done
	cp "$scratch/forks/child" "$scratch/child/out"
	cp "$scratch/forks/gmon.out.$(cat "$scratch/forks/pid")" "$scratch/child/gmon.out"
	check_counts "$1" child
}

# check_ways SUFFIX ARGUMENT...
check_ways() {
	suffix=$1
	shift
	run_program forks pause "$@"
	check_counts "moncontrol() in the child: the parent is counted meanwhile$suffix" forks
	child_is_true "... and the child but when it is paused$suffix"
	expect_in "... nor is it sampled then$suffix" forks 'sampled_burnt gmon.out.$(cat pid) child'
	run_program forks start "$@"
	check_counts "_mcleanup() and monstartup() in the child: the parent is counted meanwhile$suffix" forks
	child_is_true "... and the child from zero$suffix"
	run_program forks resume "$@"
	check_counts "a fork between moncontrol(0) and (1): the parent is counted from (1) on$suffix" forks
	child_is_true "... and the child from its own on$suffix"
}

# own_most: the seconds that the only process of err can have samples of; see sampled_whole.
own_most() {
	awk -v tick="$(kernel_tick)" '/ ticks in the program and / { print ($(NF - 4) + 1) / 1000 + 5 * tick + 1 / $13 }' err
}

# check_plain SUFFIX ARGUMENT...
check_plain() {
	suffix=$1
	shift
	run_program forks plain "$@"
	if [ "$(cat "$scratch/forks/status")" = 77 ]; then
		tap_skip "_Fork()$suffix" "this C library has none"
		return
	fi
	check_counts "_Fork(): the parent's counts are its own$suffix" forks
	expect_in "_Fork(): one profile, without the child's time$suffix" forks \
		'[ "$(count_files gmon.out*)" = 1 ] && sampled gmon.out 0 "$(own_most)"'
}

make_scratch
what=forks
must_build forks gcc -O1 -pg -pthread -I"$srcdir/include" "$programs/forks.c" "$archive" || tap_done
for GMON in verbose verbose,crash; do
	check_ways ", GMON=$GMON"
	check_plain ", GMON=$GMON"
done
GMON=verbose
check_ways ", by a thread" thread
check_plain ", by a thread" thread
tap_done
