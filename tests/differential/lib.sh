# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced by the differential tests, after tests/lib.sh.

[ -n "$SYSTEM_GPROF" ] || tap_skip_all 'no GNU gprof: install Debian package binutils'

# An instrumented gprof is slow: it gets one case of $share, and more time for each.
case $INSTRUMENTED in
'') share=1 seconds=20 ;;
*valgrind*) share=6 seconds=200 ;;
*) share=2 seconds=60 ;;
esac

# command_lines FILE REST DIVISOR: every DIVISOR-th of those in tests/differential/FILE.
command_lines() {
	grep -v -e '^#' -e '^$' "$srcdir/tests/differential/$1" |
		awk -v rest="$2" -v divisor="$3" 'NR % divisor == rest % divisor'
}

# compare_lines WHAT DIR < LINES: one TAP line for all the command lines, run in DIR; those that differ are
# shown below it. Not to be used in a pipe, which would lose the count. Returns 1 if any differs.
compare_lines() {
	cat >"$scratch/cases"
	"$TOOLS/compare" -t $seconds "$GPROF" "$SYSTEM_GPROF" "$2" <"$scratch/cases" >"$scratch/tap"
	same=$(grep -c '^ok' "$scratch/tap")
	all=$(wc -l <"$scratch/cases")
	if [ "$same" -eq "$all" ] && [ "$all" -gt 0 ]; then
		tap_ok "$1: $all command lines"
		grep '^# note' "$scratch/tap"
		return 0
	fi
	tap_not_ok "$1: $((all - same)) of $all command lines"
	echo "# cd $2"
	awk '/^ok/ { show = 0 } /^not ok/ { show = 1; next } show' "$scratch/tap" | head -n 60
	return 1
}
