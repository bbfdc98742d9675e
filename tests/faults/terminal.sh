#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Names with control characters: escaped on a terminal, as they are in a pipe; never in messages.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/faults/lib.sh"

# ESC ] 0 ; x BEL, which sets a window's title; C1 in UTF-8; a bare C1; a letter of two bytes.
evil=$(printf 'a\033]0;x\007b\302\233c\233d\303\244e')
shown='a\033]0;x\007b\302\233c\233d'$(printf '\303\244')e

# What turns the direction of text, and what ends a line: U+202E, U+2066, U+061C, U+2028.
turned=$(printf 'x\342\200\256y\342\201\246z\330\234u\342\200\250v')
straight='x\342\200\256y\342\201\246z\330\234u\342\200\250v'

# tame FILE: there are no control characters in it but newlines, tabs and page breaks.
tame() {
	[ -s "$1" ] && sed "s/$(printf '\303\244')//g" "$1" | tr -d '\011\012\014\040-\176' >rest && [ ! -s rest ]
}

# on_pty ARGUMENT...: runs gprof on a terminal; what it printed is in on-terminal.
on_pty() {
	run "$TOOLS/pty" "$GPROF" "$@"
	cp "$scratch/out" on-terminal
}

# check_evil WHAT OPTION...: in a pipe there are the bytes of the names, on a terminal none of them.
check_evil() {
	what=$1
	shift
	run_gprof "$@"
	cp "$scratch/out" plain
	expect "$what: the bytes of the name in a pipe" 'ended_well && grep -qF "$evil" plain'
	on_pty "$@"
	expect "$what: escaped on a terminal" 'ended_well && tame on-terminal && grep -qF "$shown" on-terminal'
}

# check_plain OPTION...: without such names all is the same, but for form feeds.
check_plain() {
	run_gprof "$@"
	tr -d '\f' <"$scratch/out" >plain
	on_pty "$@"
	same "plain names on a terminal and in a pipe: gprof $*" on-terminal plain
}

check_reports() {
	make_called "$evil"
	check_evil 'flat profile' -b -p
	check_evil 'call graph' -b -q
	check_evil 'execution counts' -b -C
	check_evil 'function order' -b -r
	check_evil 'traditional' -b -T
	cp gmon.out "$evil"
	check_evil 'names of data files' -b -i a.out "$evil"
	printf '%s:00401000 T main\n' "$evil" >map
	check_evil 'names of object files' -R map
}

check_direction() {
	make_called "$turned"
	run_gprof -b -p
	cp "$scratch/out" plain
	on_pty -b -p
	expect 'text that would be turned around: as it is in a pipe, escaped on a terminal' \
		'grep -qF "$turned" plain && tame on-terminal && grep -qF "$straight" on-terminal'
	for format in json csv folded dot webpage; do
		run_gprof --export=$format -o - -p
		expect "the same in $format" '[ -s "$scratch/out" ] && ! tail -n +30 "$scratch/out" | grep -qF "$(printf "\342\200\256")"'
	done
	run_gprof "$turned"
	expect 'and in messages' 'tame "$scratch/err" && grep -qF "x???y???z??u???v" "$scratch/err"'
}

# The unit is what the data file says.
check_unit() {
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym etext 0x401080 notype
		profile
		hist 0x401000 0x401060 48 100 $(printf 'e\033]0;y\007') $(printf '\033')
		tick main 30
		arc 0x401010 main 5
	END
	run_gprof -b
	cp "$scratch/out" plain
	on_pty -b
	expect 'the unit: its bytes in a pipe, and none on a terminal' \
		'grep -qF "$(printf "e\033]0;y\007")" plain && tame on-terminal && grep -qF "e?]0;y?" on-terminal'
}

check_source() {
	name=$(printf 'a\033]0;x\007b\302\233c\233d\303\244e')
	mkdir source && cd source || exit 99
	printf '%s\n' '#include <time.h>' \
		'int leaf(int i) { volatile int s = 0; for (int j = 0; j < i; j++) s += j; return s; }' \
		"/* $evil	with a tab */" 'int main(void) { while (clock() < CLOCKS_PER_SEC / 10) leaf(100000); return 0; }' >"$name.c"
	if "$CC" -g -O1 -pg "$name.c" -o a.out 2>/dev/null && ./a.out && [ -s gmon.out ]; then
		check_evil 'source text and its name' -b -A
		check_evil 'names of source files' -b -l -p
		check_evil 'names of source files of counts' -b -C
	else
		tap_skip 'source text' 'no profiled program can be built'
	fi
	cd .. || exit 99
}

# Also where stderr is no terminal.
check_messages() {
	for options in "$evil" "a.out $evil" "-S $evil" "-R $evil" "-p$evil" "-Ox$evil"; do
		# shellcheck disable=SC2086 # words
		run_gprof $options
		expect "messages: gprof $(printf '%s' "$options" | tr -c '[:alnum:]. \n-' '?')" \
			'tame "$scratch/err" && [ "$(wc -l <"$scratch/err")" = 1 ] && grep -q "a?]0;x?b??c?d" "$scratch/err"'
	done
	cp a.out "$evil.program"
	: >empty
	run_gprof "$evil.program" empty
	expect 'messages: a program' 'tame "$scratch/err"'
}

# Colours are not what this is about: tests/screen has them.
NO_COLOR=1
export NO_COLOR
enter_work
"$TOOLS/pty" true
[ $? != 77 ] || tap_skip_all 'there are no pseudo-terminals'
make_two_profiles
check_plain
check_plain -b -T -i -C
check_reports
check_direction
check_unit
check_source
rm -f "$evil"
check_messages
tap_done
