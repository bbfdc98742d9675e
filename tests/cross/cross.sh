#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Real programs of other machines (tests/cross/machines): what their profiles say, here, is what they
# printed; -c finds the calls that objdump shows, -l the lines that addr2line does, and the reports are
# those of GNU gprof for that machine.
#
#   cross.sh [MACHINE...]   only these
# shellcheck disable=SC2317 # for_machines calls test_machine
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
SYSTEM_GPROF=each # machine's own: see compare_reports
. "$srcdir/tests/differential/lib.sh"
. "$srcdir/tests/differential/calls-lib.sh"
. "$srcdir/tests/cross/lib.sh"

# spin_leads FLAT: most of the time of a flat profile is in the function that works.
spin_leads() {
	awk '$1 ~ /^[0-9]/ { exit !($3 > 0 && $NF == "spin") }' "$1"
}

# check_printed WHAT TRUTH... -- PROFILE...: the profiles say what is printed in the files TRUTH together.
check_printed() {
	what=$1
	shift
	: >truth
	while [ "$1" != -- ]; do
		cat "$1" >>truth
		shift
	done
	shift
	if ! "$GPROF" -b -q a.out "$@" >graph || ! "$GPROF" -b -p a.out "$@" >flat; then
		tap_not_ok "$what: gprof fails"
		return
	fi
	awk -f "$srcdir/tests/differential/callgraph.awk" counts=1 graph >calls
	awk -f "$srcdir/tests/cross/counts.awk" step=1 extern="$extern" truth | sort >expected
	awk -f "$srcdir/tests/cross/counts.awk" step=1 truth step=2 calls step=3 flat | sort >got
	if [ -s expected ] && cmp -s expected got && spin_leads flat; then
		tap_ok "$what: $(wc -l <expected) counts"
	else
		tap_not_ok "$what: $(wc -l <expected) counts"
		diff expected got | tap_note
		head -n 8 flat | tap_note
	fi
}

# Twice a file is twice its counts.
check_sum() {
	"$GPROF" -s a.out gmon.out gmon.out
	check_printed "$name, a sum" truth.1 truth.1 -- gmon.sum
}

# Rows of the flat profile by line are of lines that addr2line finds at their addresses.
check_lines() {
	"$GPROF" -b -l -p -z a.out gmon.out | sed -n 's/^.*[ /(]\(arcs\.c:[0-9]*\) @ \([0-9a-f]*\))$/\2 \1/p' >rows
	cut -d ' ' -f 1 rows | "$triple-addr2line" -e a.out | sed 's/.*\///; s/ (discriminator .*//' |
		paste -d ' ' rows - | awk '$2 != $3' >wrong
	if [ ! -s wrong ] && [ "$(wc -l <rows)" -ge 50 ]; then
		tap_ok "$name: $(wc -l <rows) lines"
	else
		tap_not_ok "$name: $(wc -l <rows) lines"
		tap_note <wrong
	fi
}

# Reports and sums are what GNU gprof for that machine says; names as in tests/differential/programs.sh.
compare_reports() {
	SYSTEM_GPROF=$(command -v "$triple-gprof") || {
		tap_skip "$name: reports" "no $triple-gprof"
		return
	}
	"$TOOLS/spacenames" a.out || exit 99
	{
		command_lines options "$number" "$share"
		command_lines options-more "$number" $((8 * share))
		command_lines options-lines "$number" $((2 * share))
		echo "-b a.out gmon.sum"
	} >"$scratch/lines"
	cd "$builddir" || exit 99
	compare_lines "$name: reports" "$scratch/$name" <"$scratch/lines"
}

# run_sampled ROUNDS: a busy machine may leave a short run without samples: then a longer one.
run_sampled() {
	for longer in 1 2 4 8 16 32; do
		cross_run ./a.out $(($1 * longer)) >printed || return
		"$GPROF" -b -p a.out gmon.out >flat && spin_leads flat && break
	done
	echo "$name, $1 rounds: $longer times longer" >&2
	cat printed
}

# Leaves a.out, gmon.out, gmon.2, gmon.3 and truth.1 to truth.3 of as many rounds.
make_profiles() {
	cross_compile a.out -g "$@" -falign-functions=16 -fno-optimize-sibling-calls \
		"$srcdir/tests/cross/arcs.c" || return
	for rounds in 3 2 1; do
		run_sampled "$rounds" >"truth.$rounds" || return
		[ "$rounds" -eq 1 ] || mv gmon.out "gmon.$rounds" || return
	done
}

# test_link NAME LEAST OPTION...: a program linked that way, with LEAST calls that it does not make.
test_link() {
	name=$1
	least=$2
	shift 2
	number=$((number + 1))
	mkdir "$scratch/$name" && cd "$scratch/$name" || exit 99
	if make_profiles "$@" >log 2>&1; then
		check_printed "$name" truth.1 -- gmon.out
		check_printed "$name, three profiles" truth.1 truth.2 truth.3 -- gmon.out gmon.2 gmon.3
		check_sum
		image=a.out
		check_image "$name, -c" "$least"
		check_lines
		compare_reports
	else
		tap_not_ok "$name is built and run"
		tap_note <log
	fi
	cd "$builddir" || exit 99
}

# The C library's calls are recorded where it is part of the program. -O1 keeps functions from being cloned.
test_machine() {
	objdump=$triple-objdump
	extern=1
	test_link "$machine-static" 1000 -static -O1
	extern=
	test_link "$machine-pie" 1 -fPIE -pie -O2
}

make_scratch
number=0
for_machines test_machine "$@"
tap_done
