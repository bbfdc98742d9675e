#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: csv json
#
# Functions that GNU gprof counts with a neighbour: exports and --explain have them in rows of their own, unless
# --gnu-symbols declines them; text reports keep GNU's rows beside them, and a note says what is in these of others.
# The truth is the profile that mkprofile made, and for real programs nm's table.
# shellcheck disable=SC2317 # functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

# exported OPTION...: "NAME SAMPLES CALLS" of each function, in `said'.
exported() {
	"$GPROF" --export=csv -o csv "$@" >text 2>err && sed '1d; s/"//g' csv |
		awk -F , '{ print $1, $4, $6 + $7 }' | sort >said
}

# note: the only line on standard error, without its head.
note() {
	sed -n 's/^[^ ]*gprof: note: //p' err
	[ "$(wc -l <err)" -le 1 ] || echo "and more"
}

own_rows() {
	cat >expected <<-END
		choose 7 0
		inner\$2 6 4
		main 1 0
		main.cold 2 1
		object 9 0
		work 3 0
		work.isra.0.cold 5 0
		work.part.0 4 3
	END
	# What stands in .Llabel's place is no function: its ticks are those of the one before.
	sed 's/^choose 7/choose 15/' expected | cmp -s - said
}

gnu_rows() {
	printf '%s\n' 'main 3 1' 'object 9 0' 'work 33 7' >expected
	cmp -s expected said
}

check_rows() {
	make_golden all-symbols
	exported
	expect 'all functions are in an export' own_rows
	expect 'nothing is said of it' [ ! -s err ]
	exported --gnu-symbols
	expect '--gnu-symbols: the rows of GNU gprof' gnu_rows
	exported --all-symbols
	expect '--all-symbols changes nothing in an export' own_rows
	printf '%s\n' '0000000000401000 T main' '0000000000401020 T work' >list
	exported -S list
	expect '-S: the functions of the list' [ "$(sed 's/ .*//' said | tr '\n' ' ')" = 'main work ' ]
	"$GPROF" --all-symbols --gnu-symbols --export=csv -o - >text 2>err
	expect 'one or the other' [ $?:"$(sed 's/.*gprof: //' err)" = '1:--all-symbols and --gnu-symbols cannot be combined' ]
}

# A text report and exports in one run: each as it is when made alone.
check_both() {
	make_golden all-symbols
	for options in -b '-b -T' '-b -l' '-b -a'; do
		# shellcheck disable=SC2086 # words
		"$GPROF" $options -p -q >alone 2>err
		# shellcheck disable=SC2086
		"$GPROF" $options -p -q --export=json -o both.json >beside 2>err
		# shellcheck disable=SC2086
		"$GPROF" $options --export=json -o alone.json >text 2>err
		expect "$options: the export is the same" cmp -s both.json alone.json
		expect "$options: the report is the same" cmp -s alone beside
	done
	"$GPROF" -b -p --export=csv -o csv >beside 2>err
	if [ -n "$SYSTEM_GPROF" ]; then
		"$SYSTEM_GPROF" -b -p >system
		expect "the system's gprof prints it, too" cmp -s system beside
	else
		tap_skip "the system's gprof prints it, too" 'no gprof on this system'
	fi
	"$GPROF" -b -p -k nothing/main --export=csv -o csv >beside 2>err
	expect 'a warning comes once' [ "$(grep -c warning err)" = 1 ]
}

# How much is in rows of others: of the ticks all but those of main, work, .Llabel and object.
check_note() {
	make_golden all-symbols
	"$GPROF" -b -p >text 2>err
	expect 'the note' [ "$(note)" = \
		'as in GNU gprof, 8 calls and 32 of 45 samples of choose and 4 others are counted with the functions before them in memory; --all-symbols shows them' ]
	"$GPROF" -b -p --all-symbols >text 2>err
	expect '--all-symbols: no note' [ ! -s err ]
	"$GPROF" -i >text 2>err
	expect 'a report without functions: no note' [ ! -s err ]
	printf '%s\n' 'text 0x401000 0x80' 'sym main 0x401000' 'sym f.part.0 0x401020 local' 'sym f 0x401040' \
		'sym alias.isra.0 0x401040 local' 'sym etext 0x401080 notype' profile 'hist 0x401000 0x401080 32 100' \
		'tick f 2' 'arc main f.part.0 1' 'arc main f 5' >profile
	make_profile profile
	"$GPROF" -b >text 2>err
	expect 'calls alone, and no alias' [ "$(note)" = \
		'as in GNU gprof, 1 call of f.part.0 is counted with the functions before them in memory; --all-symbols shows them' ]
	make_golden cycles
	"$GPROF" -b >text 2>err
	expect 'nothing is dropped: no note' [ ! -s err ]
}

# The caller of the piece is the function that it is a piece of.
check_explain() {
	make_golden all-symbols
	"$GPROF" --explain >said 2>err
	expect '--explain names what text reports lack' grep -q 'in functions that gprof counts with the function before' said
	# In GNU's rows, main and work call each other.
	expect '--explain sees no false cycle' [ "$(grep -c '^one-cycle' said)" = 0 ]
	"$GPROF" --explain --gnu-symbols >said 2>err
	expect '--gnu-symbols: it does' [ "$(grep -c 'one cycle\|^neighbour' said)" -ge 1 ]
}

# A compiler's own pieces: each that nm lists and that was called is in the export, at its address.
check_compiled() {
	if ! "$CC" -O2 -pg -o a.out "$srcdir/tests/explain/programs/piece.c" 2>log || ! ./a.out >log ||
		! nm a.out | grep -q '\.part\.0$'; then
		tap_skip 'pieces that a compiler made' "$CC cuts nothing off its functions"
		return
	fi
	"$GPROF" --export=csv,table=arcs -o arcs 2>err
	address=$(nm a.out | sed -n 's/^0*\([0-9a-f]*\) t visit\.part\.0$/0x\1/p')
	expect 'calls of a piece are calls of its address' grep -q "\"visit.part.0\",.*,$address\$" arcs
}

make_scratch
cd "$scratch" || exit 99
check_rows
check_both
check_note
check_explain
check_compiled
tap_done
