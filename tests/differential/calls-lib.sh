# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced, after tests/lib/tap.sh, by the tests that compare gprof -c with objdump. $image and gmon.out are in
# the current directory, $objdump is a program that knows the machine.

# arcs [OPTION...]: the call graph's.
arcs() {
	"$GPROF" -b -z -q --no-demangle "$@" "$image" gmon.out >graph &&
		awk -f "$srcdir/tests/differential/callgraph.awk" graph
}

# check_image WHAT LEAST OPTION...: the arcs of $image, at least LEAST of which were not recorded.
check_image() {
	what=$1
	least=$2
	shift 2
	if ! arcs "$@" >recorded || ! arcs -c "$@" >ours; then
		tap_not_ok "$what: gprof fails"
		return
	fi
	readelf -hsW "$image" >symbols
	# Else it passes over instructions behind a zero, with which abort() ends.
	case $objdump in
	*s390x*) set -- -M insnlength ;;
	*) set -- ;;
	esac
	"$objdump" -d --no-show-raw-insn "$@" "$image" >code
	awk -f "$srcdir/tests/differential/calls.awk" step=1 ours step=2 symbols step=3 code |
		sort -u >expected
	grep '^arc' recorded | sort -u >made
	grep '^arc' ours | sort -u >all
	comm -23 expected all | sed 's/^/missing: /' >wrong
	comm -23 all made | comm -23 - expected | sed 's/^/false: /' >>wrong
	comm -23 all made >static
	if [ ! -s wrong ] && [ "$(wc -l <static)" -ge "$least" ]; then
		tap_ok "$what: $(wc -l <static) calls in the code alone"
	else
		tap_not_ok "$what: $(wc -l <static) calls in the code alone"
		tap_note <wrong
	fi
}
