#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# again.sh MAKE [ARGUMENT...]: makes check again and again, RUNS (10) times, every other time beside two busy processes, which
# shows what hangs on chance. A line for each run, also in again.log in the current directory; where that has runs, it goes on
# after them. Status 1 if a test failed in any.
runs=${RUNS:-10}

busy() {
	sh -c 'while :; do :; done' &
	first=$!
	sh -c 'while :; do :; done' &
	trap 'kill $first $! 2>/dev/null' EXIT
	trap 'exit 1' INT TERM HUP
	"$@"
}

touch again.log || exit
run=$(grep -c '^run ' again.log)
while [ $((run += 1)) -le "$runs" ]; do
	beside=
	[ $((run % 2)) = 1 ] || beside=', beside two busy processes'
	echo "again: run $run of $runs$beside"
	begin=$(date +%s)
	if [ -n "$beside" ]; then
		(busy "$@" check) >again.run 2>&1
	else
		"$@" check >again.run 2>&1
	fi </dev/null
	result=$(tail -n 1 again.run)
	case $result in
	*' passed, '*' skipped') ;;
	*) result="no result: $result" ;;
	esac
	repeated=$(sed -n 's/^Run again, as the machine stood still: \([0-9]*\):.*/, \1 repeated/p' again.run)
	echo "run $run$beside: $result$repeated, $(($(date +%s) - begin)) s" | tee -a again.log
	case $result in
	*' 0 failed, '*) ;;
	*) cp again.run "again.failed.$run" && echo "  the output is in again.failed.$run" ;;
	esac
done
cat again.log
awk '/^run / && / 0 failed, / { good++ } /^run / { n++ } END { print good + 0 " of " n " runs without a failure"; exit good < n }' again.log
