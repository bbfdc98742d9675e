#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# driver.sh OPTION... -- TEST: what 'make check' runs each test by: automake's driver for TAP. Of what that prints it
# shows the failures alone, and then one line: how many tests of TEST_LOGS have ended, and what this one found. A test
# that failed while a virtual machine stood still is run once more: the kernel takes that time for the program's, and
# nobody looks at it meanwhile. What failed is shown with AGAIN in front, as is in the .log file what the first run printed, and
# summary.sh counts it by the line :repeated: in the .trs file: a rare fault of ours needs such a moment, too. Of a long test,
# moments are no reason; and what takes ten minutes repeats its own tests.
# shellcheck disable=SC2012,SC2046,SC2086 # a list of names without blanks, by time
: "${srcdir:?}" "${TEST_LOGS:?}"

# stolen: for how many hundredths of a second since its start the host has kept our processors. Not every host tells proc(5) that as
# time stolen; but then there were no ticks, so it is the time that has passed for all processors without what they were counted for.
stolen() {
	awk 'FILENAME ~ /uptime/ { passed = $1 } /^cpu[0-9]/ { n++ } $1 == "cpu" { for (i = 2; i <= 8; i++) counted += $i }
		END { printf "%d\n", passed * n * 100 - counted }' /proc/stat /proc/uptime
}

failures() {
	printf '%s\n' "$results" | sed "s/$(printf '\033')\[[0-9;]*m//g" | grep -E '^(FAIL|ERROR): '
}

before=
for word; do
	case $before in
	--test-name) name=$word ;;
	--log-file) log=$word ;;
	--trs-file) trs=$word && break ;;
	esac
	before=$word
done

for try in first last; do
	lost=$(stolen) took=$(date +%s)
	results=$("${SHELL:-/bin/sh}" "$srcdir/build-aux/tap-driver.sh" "$@")
	status=$?
	lost=$(($(stolen) - lost)) took=$(($(date +%s) - took))
	if [ $try = last ] || [ $lost -lt $((took < 30 ? 10 : took)) ] || [ $took -ge 600 ] || ! failures >/dev/null; then
		break
	fi
	failures | sed "s/^/AGAIN, as the machine stood still for ${lost}0 ms: /"
	first=$(cat "$log")
done
if [ $try = last ]; then
	echo ':repeated: yes' >>"$trs"
	printf '%s\n' "$first" | sed 's/^/AGAIN: /' >>"$log"
fi
# The .trs file of a test is there when it has ended.
ended=$(ls -tr $(printf '%s\n' $TEST_LOGS | sed 's/log$/trs/') 2>/dev/null | sed -n "\|^$trs\$|=")
printf '%s\n' "$results" | awk -v ended="$ended" -v tests="$(echo $TEST_LOGS | wc -w)" -v name="$name" '
	{
		plain = $0
		gsub(/\033\[[0-9;]*m/, "", plain)
		kind = substr(plain, 1, index(plain, ":") - 1)
		n[kind]++
	}
	kind ~ /^(FAIL|XPASS|ERROR)$/ { failed++; print }
	END {
		printf "%3d of %d: %s: %d passed", ended, tests, name, n["PASS"]
		if (failed) printf ", %d failed", failed
		if (n["SKIP"]) printf ", %d skipped", n["SKIP"]
		print ""
	}'
exit $status
