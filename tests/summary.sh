#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# summary.sh begin TEST...: before the tests, how many there are, and about how long it takes.
# summary.sh LOG...: the results of the tests with these logs, in the current directory: what was skipped and why,
# the names of what failed with their reports, and one closing line. Status 1 when something failed or nothing passed.

# All 171 scripts take 13 to 19 minutes on two idle processors, by the machine; unit tests are moments.
if [ "${1-}" = begin ]; then
	shift
	scripts=$(printf '%s\n' "$@" | grep -c '\.sh$')
	echo "$# tests, $scripts of them scripts: about $((scripts / 10 + 1)) min on 2 idle processors, with make -j3"
	exit
fi

# The .trs files have the results, the .log files the names.
results=$(for log; do grep -H '^:test-result:' "${log%.log}.trs" 2>/dev/null || echo "${log%.log}.trs::test-result: ERROR"; done)
with() {
	printf '%s\n' "$results" | sed -nE "s/\.trs::test-result: ($1).*/.log/p" | sort -u
}
skips=$(with SKIP)
if [ -n "$skips" ]; then
	echo "Skipped:"
	# shellcheck disable=SC2086 # names of files
	grep -h '^SKIP:' $skips | sed 's/^SKIP: /  /; s/# SKIP /- /'
fi
failed='FAIL|XPASS|ERROR'
logs=$(with "$failed")
if [ -n "$logs" ]; then
	echo "Failed:"
	for log in $logs; do
		grep -E "^($failed):" "$log" 2>/dev/null || echo "ERROR: $log"
	done | sed 's/^/  /' | head -n 100
fi
# tell_failures: of the log of a test, what failed, with what the test noted before and after it.
tell_failures() {
	awk '
		/^# / && !on { notes = notes $0 "\n"; next }
		/^not ok/ { printf "%s", notes; on = 1 }
		/^ok/ { on = 0 }
		/^(not )?ok/ { notes = "" }
		on && !/^FAIL:/' | head -n 40
}
for log in $logs; do
	[ -f "$log" ] || continue
	echo "--- from $log"
	report=$(tell_failures <"$log")
	if [ -n "$report" ]; then
		printf '%s\n' "$report"
	else
		tail -n 40 "$log"
	fi
done
repeated=$(for log; do grep -l '^:repeated:' "${log%.log}.trs" 2>/dev/null; done)
# shellcheck disable=SC2046,SC2086 # names of files
[ -z "$repeated" ] || echo "Run again, as the machine stood still: $(printf '%s\n' $repeated | wc -l):" \
	$(printf '%s\n' $repeated | sed 's/\.trs$//')
for trs in $repeated; do
	echo "--- from the first run of ${trs%.trs}"
	sed -n 's/^AGAIN: //p' "${trs%.trs}.log" | tell_failures
done
printf '%s\n' "$results" | awk '
	/:test-result: PASS/ { passed++ }
	/:test-result: (FAIL|XPASS|ERROR)/ { failed++ }
	/:test-result: (SKIP|XFAIL)/ { skipped++ }
	END {
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0 || passed == 0
	}'
