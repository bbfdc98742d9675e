#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# summary.sh BUILDDIR: the result of the last 'make check' as one closing line, after the names and
# the logs of what failed. Status 1 when something failed or nothing passed.
cd "$1" || exit 1

results=$(find tests -name '*.trs' -exec grep -H '^:test-result:' {} +)
bad=$(printf '%s\n' "$results" | grep -E ':test-result: (FAIL|XPASS|ERROR)')
if [ -n "$bad" ]; then
	echo "Failed:"
	printf '%s\n' "$bad" | sed 's/\.trs::test-result: [A-Z]*/:/; s/^/  /' | head -n 100
	printf '%s\n' "$bad" | sed 's/\.trs::test-result.*/.log/' | sort -u | head -n 10 |
	while read -r log; do
		echo "--- the end of $log"
		tail -n 30 "$log"
	done
fi
printf '%s\n' "$results" | awk '
	/:test-result: PASS/ { passed++ }
	/:test-result: (FAIL|XPASS|ERROR)/ { failed++ }
	/:test-result: (SKIP|XFAIL)/ { skipped++ }
	END {
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0 || passed == 0
	}'
