#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --text-section: functions of the sections that match, and each other section of code as one function; nothing is lost.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later, with functions
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"

# calls NAME: what the table in out says.
calls() {
	awk -v name="$1" '$NF == name { print (NF > 4 ? $4 : 0) }' out
}

check_chosen() {
	run "$GPROF" -b -p -z --text-section=.text a.out
	expect 'a section: ends well' '[ "$status" = 0 ] && [ ! -s err ]'
	expect 'a section: its functions' '[ "$(calls fold)" = 20000 ]'
	expect 'a section: the other is one function, with the calls from outside' '[ "$(calls "[.fast]")" = 20000 ]'
	expect 'a section: functions of others are not listed' '[ -z "$(calls mix)" ] && [ -z "$(calls mix_twice)" ]'
	awk '/^ time/ { table = 1; next } table { sum += $3 } END { printf "%.2f\n", sum }' out >got
	"$GPROF" -b -p -z a.out | awk '/^ time/ { table = 1; next } table { sum += $3 } END { printf "%.2f\n", sum }' >wanted
	same 'a section: all time is there' got wanted
	run "$GPROF" -b -p -z --text-section='.f*t' a.out
	expect 'a pattern' '[ "$(calls mix)" = 40000 ] && [ "$(calls mix_twice)" = 20000 ] && [ "$(calls "[.text]")" = 0 ]'
	"$GPROF" -b a.out >wanted
	run "$GPROF" -b --text-section='*' a.out
	same 'all sections: as without the option' out wanted
}

check_none() {
	run "$GPROF" -b -p --text-section=.flash a.out
	expect 'no such section: those that there are' \
		'[ "$status" = 1 ] && grep -q "no section with code is called .\.flash. (--text-section): there are .*\.text, .*\.fast" err'
	strip -o stripped a.out
	run "$GPROF" -b -p --text-section=.text stripped gmon.out
	expect 'no symbols' '[ "$status" = 1 ] && grep -q "stripped has no symbols" err'
}

# Sections of an object file all begin at 0.
check_overlaid() {
	"$CC" -pg -O1 -c -o fast.o fast.c 2>log
	run "$GPROF" -b -p -z --text-section=.fast fast.o gmon.out
	expect 'sections at one address: the one that is chosen' \
		'[ "$status" = 0 ] && grep -q " mix$" out && ! grep -q "\[.text\]\| fold$" out'
	run "$GPROF" -b -p -z --text-section=.text fast.o gmon.out
	expect 'sections at one address: the other' \
		'[ "$status" = 0 ] && grep -q " fold$" out && ! grep -q "\[.fast\]\| mix$" out'
}

make_scratch
cd "$scratch" || exit 99
evidence='out err'
. "$srcdir/tests/manual/sections.sh"
if ! "$CC" -pg -O1 -o a.out fast.c 2>log || ! ./a.out || [ ! -s gmon.out ]; then
	tap_note <log
	tap_skip_all "$CC cannot build a program with a section of its own"
fi
check_chosen
check_none
check_overlaid
cd "$builddir" || exit 99
tap_done
