#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare.sh OLD NEW [ARGUMENT...]: runs two builds of a program in turn, RUNS (5) times each, and compares them. Writes
# comment.md; status 3 if a function became slower by more than 3 % of the whole.
old=$1
new=$2
shift 2
dir=$(mktemp -d) || exit
mkdir "$dir/old" "$dir/new"
run=0
while [ $run -lt "${RUNS:-5}" ]; do
	run=$((run + 1))
	GMON_OUT_PREFIX=$dir/old/run "$old" "$@" >"$dir/out" || exit
	GMON_OUT_PREFIX=$dir/new/run "$new" "$@" >"$dir/out" || exit
done
gprof -b --diff="$dir/old,program=$old,fail=3" --export=markdown -o comment.md "$new" "$dir/new"
status=$?
rm -r "$dir"
exit $status
