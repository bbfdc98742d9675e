#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# driver.sh OPTION... -- TEST: what 'make check' runs each test by: automake's driver for TAP. Of what that prints it
# shows the failures alone, and then one line: how many tests of TEST_LOGS have ended, and what this one found.
: "${srcdir:?}" "${TEST_LOGS:?}"

results=$("${SHELL:-/bin/sh}" "$srcdir/build-aux/tap-driver.sh" "$@")
status=$?
before=
for word; do
	[ "$before" != --test-name ] || break
	before=$word
done
# The .trs file of a test is there when it has ended.
printf '%s\n' "$results" | awk -v name="$word" -v logs="$TEST_LOGS" '
	{
		plain = $0
		gsub(/\033\[[0-9;]*m/, "", plain)
		kind = substr(plain, 1, index(plain, ":") - 1)
		n[kind]++
	}
	kind ~ /^(FAIL|XPASS|ERROR)$/ { failed++; print }
	END {
		tests = split(logs, log_file, " ")
		for (i = 1; i <= tests; i++) {
			sub(/log$/, "trs", log_file[i])
			if ((getline line <log_file[i]) > 0) ended++
			close(log_file[i])
		}
		printf "%3d of %d: %s: %d passed", ended, tests, name, n["PASS"]
		if (failed) printf ", %d failed", failed
		if (n["SKIP"]) printf ", %d skipped", n["SKIP"]
		print ""
	}'
exit $status
