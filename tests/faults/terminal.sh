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

# tame FILE: there are no control characters in it but newlines, tabs and page breaks.
tame() {
	[ -s "$1" ] && sed "s/$(printf '\303\244')//g" "$1" | tr -d '\011\012\014\040-\176' >rest && [ ! -s rest ]
}

# on_terminal WHAT OPTION...: in a pipe there are the bytes of the names, on a terminal none of them.
on_terminal() {
	what=$1
	shift
	run "$@"
	cp "$scratch/out" plain
	expect "$what: the bytes of the name in a pipe" 'ended_well && grep -qF "$evil" plain'
	timeout 60 "$TOOLS/pty" "$GPROF" "$@" >on-terminal 2>"$scratch/err" </dev/null
	echo $? >"$scratch/status"
	expect "$what: escaped on a terminal" 'ended_well && tame on-terminal && grep -qF "$shown" on-terminal'
}

# same OPTION...: without such names all is the same.
same() {
	run "$@"
	timeout 60 "$TOOLS/pty" "$GPROF" "$@" >on-terminal 2>/dev/null </dev/null
	cmp -s "$scratch/out" on-terminal
	tap_check $? "plain names on a terminal and in a pipe: gprof $*"
}

check_reports() {
	make_called "$evil"
	on_terminal 'flat profile' -b -p
	on_terminal 'call graph' -b -q
	on_terminal 'execution counts' -b -C
	on_terminal 'function order' -b -r
	on_terminal 'traditional' -b -T
	cp gmon.out "$evil"
	on_terminal 'names of data files' -b -i a.out "$evil"
	printf '%s:00401000 T main\n' "$evil" >map
	on_terminal 'names of object files' -R map
}

# The unit is what the data file says.
check_unit() {
	"$TOOLS/mkprofile" - . <<-END || exit 99
		text 0x401000 0x80
		sym main 0x401000
		sym etext 0x401080 notype
		profile
		hist 0x401000 0x401060 48 100 $(printf 'e\033]0;y\007') $(printf '\033')
		tick main 30
		arc 0x401010 main 5
	END
	run -b
	timeout 60 "$TOOLS/pty" "$GPROF" -b >on-terminal 2>"$scratch/err" </dev/null
	expect 'the unit: its bytes in a pipe, and none on a terminal' \
		'grep -qF "$(printf "e\033]0;y\007")" "$scratch/out" && tame on-terminal && grep -qF "e?]0;y?" on-terminal'
}

check_source() {
	name=$(printf 'a\033]0;x\007b\302\233c\233d\303\244e')
	mkdir source && cd source || exit 99
	printf '%s\n' '#include <time.h>' \
		'int leaf(int i) { volatile int s = 0; for (int j = 0; j < i; j++) s += j; return s; }' \
		"/* $evil	with a tab */" 'int main(void) { while (clock() < CLOCKS_PER_SEC / 10) leaf(100000); return 0; }' >"$name.c"
	if "$CC" -g -O1 -pg "$name.c" -o a.out 2>/dev/null && ./a.out && [ -s gmon.out ]; then
		on_terminal 'source text and its name' -b -A
		on_terminal 'names of source files' -b -l -p
		on_terminal 'names of source files of counts' -b -C
	else
		tap_skip 'source text' 'no profiled program can be built'
	fi
	cd .. || exit 99
}

# Also where stderr is no terminal.
check_messages() {
	for options in "$evil" "a.out $evil" "-S $evil" "-R $evil" "-p$evil" "-Ox$evil"; do
		# shellcheck disable=SC2086 # words
		run $options
		expect "messages: gprof $(printf '%s' "$options" | tr -c '[:alnum:]. \n-' '?')" \
			'tame "$scratch/err" && [ "$(wc -l <"$scratch/err")" = 1 ] && grep -q "a?]0;x?b??c?d" "$scratch/err"'
	done
	cp a.out "$evil.program"
	: >empty
	run "$evil.program" empty
	expect 'messages: a program' 'tame "$scratch/err"'
}

# Colours are not what this is about: tests/screen has them.
NO_COLOR=1
export NO_COLOR
make_scratch
mkdir "$scratch/work" && cd "$scratch/work" || exit 99
"$TOOLS/pty" true
[ $? != 77 ] || tap_skip_all 'there are no pseudo-terminals'
make_profile
same
same -b -T -i -C
check_reports
check_unit
check_source
rm -f "$evil"
check_messages
tap_done
