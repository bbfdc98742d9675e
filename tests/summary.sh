#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# summary.sh BUILDDIR: the result of the last 'make check' as one closing line, after the names of
# what failed and the reports of the failures. Status 1 when something failed or nothing passed.
cd "$1" || exit 1

# The .trs files have the results, the .log files the names.
results=$(find tests -name '*.trs' -exec grep -H '^:test-result:' {} +)
failed='FAIL|XPASS|ERROR'
logs=$(printf '%s\n' "$results" | sed -nE "s/\.trs::test-result: ($failed).*/.log/p" | sort -u)
if [ -n "$logs" ]; then
	echo "Failed:"
	for log in $logs; do
		grep -E "^($failed):" "$log" || echo "ERROR: $log"
	done | sed 's/^/  /' | head -n 100
fi
for log in $logs; do
	echo "--- from $log"
	report=$(awk '/^not ok/ { on = 1 } /^ok/ { on = 0 } on && !/^FAIL:/' "$log" | head -n 40)
	if [ -n "$report" ]; then
		printf '%s\n' "$report"
	else
		tail -n 40 "$log"
	fi
done
printf '%s\n' "$results" | awk '
	/:test-result: PASS/ { passed++ }
	/:test-result: (FAIL|XPASS|ERROR)/ { failed++ }
	/:test-result: (SKIP|XFAIL)/ { skipped++ }
	END {
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0 || passed == 0
	}'
