#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Colours: when there are any, that they change no text, and what they are for.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/screen/lib.sh"

# colors OPTION...: what gprof prints on a terminal.
colors() {
	on_terminal -- "$GPROF" "$@" 2>err
}

has_styles() {
	grep -q "$escape\[" "$1"
}

# same OPTION...: colours add sequences to a report, and nothing else changes it.
same() {
	"$GPROF" "$@" >plain 2>/dev/null
	colors "$@" >colored
	strip <colored >stripped
	expect "gprof $*: without their sequences, colours are not there" \
		'[ -s plain ] && has_styles colored && ! has_styles plain && cmp -s plain stripped'
	"$GPROF" --color=always "$@" >always 2>/dev/null
	expect "gprof $*: --color=always in a pipe" 'cmp -s colored always'
	expect "gprof $*: each line ends without a style" 'ends_plain colored' colored
	[ -n "$SYSTEM_GPROF" ] || return 0
	"$SYSTEM_GPROF" -b "$@" >theirs 2>/dev/null
	"$GPROF" -b "$@" 2>/dev/null | cat >ours
	expect "gprof -b $*: in a pipe it is the system's" 'cmp -s ours theirs'
}

# The last sequence of a line, if there is any, ends its style.
ends_plain() {
	! awk -v escape="$escape" '
		{ n = split($0, part, escape); if (n > 1 && part[n] !~ /^\[0m/) print }' "$1" | grep -q .
}

# never WHAT COMMAND...: as plain.
never() {
	what=$1
	shift
	on_terminal -- "$@" >colored 2>err
	expect "$what: no colours" 'cmp -s plain colored' colored err
}

check_choice() {
	"$GPROF" -b >plain
	never '--color=never' "$GPROF" -b --color=never
	never 'NO_COLOR' env NO_COLOR=1 "$GPROF" -b
	never 'TERM is dumb' env TERM=dumb "$GPROF" -b
	never 'TERM is empty' env TERM= "$GPROF" -b
	never 'no TERM' env -u TERM "$GPROF" -b
	never 'the last --color counts' "$GPROF" --color=always -b --color=never
	on_terminal -- env NO_COLOR= "$GPROF" -b >colored
	expect 'an empty NO_COLOR says nothing' 'has_styles colored'
	env NO_COLOR=1 TERM=dumb "$GPROF" -b --color always >colored
	expect '--color=always against NO_COLOR and TERM' 'has_styles colored'
	on_terminal -2 -- sh -c '"$1" -b >colored' - "$GPROF" >said
	expect 'only stderr is a terminal: no colours' 'cmp -s plain colored && ! has_styles said'
	for choice in --color=sometimes --color= --color; do
		"$GPROF" $choice >out 2>err
		[ $? = 1 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ]
		tap_check $? "gprof $choice: $(cat err)"
	done
}

# stands WHAT LINE: a line of the report with the styles it should have, its ESC as ^.
stands() {
	what=$1
	LINE=$2
	expect "$what" 'tr "$escape" "^" <colored | grep -qxF -- "$LINE"' colored
}

check_styles() {
	colors -b >colored
	stands 'a title' '^[1mFlat profile:^[0m'
	stands 'headings of columns' '^[4m time   seconds   seconds    calls  ms/call  ms/call  name    ^[0m'
	stands 'a hot row' '^[0;1;31m 45.00      0.45     0.45        7    64.29    64.29  busy^[0m'
	stands 'at the limit' '^[0;1;31m 10.00      0.91     0.10                             main^[0m'
	stands 'a row that is not hot' '  9.00      1.00     0.09        4    22.50    22.50  ping'
	stands 'a hot entry' '^[0;1;31m[4]     45.0    0.45    0.00       7         busy [4]^[0m'
	stands 'an entry' '^[0;1m[2]     90.0    0.00    0.90       1         start [2]^[0m'
	stands 'a cycle' '^[0;1;35m[3]     45.0    0.45    0.00       1+7       <cycle 1 as a whole> [3]^[0m'
	stands 'a member of a cycle' '^[0;1m[6]      9.0    0.09    0.00       4         ping^[0;1;35m <cycle 1> [6]^[0m'
	stands 'a caller or callee' '                0.09    0.00       4             ping <cycle 1> [6]'
	stands 'the title of the index' '^[1mIndex by function name^[0m'
	colors -b -T >colored
	stands 'a hot row of BSD' '^[0;1;31m 45.0       0.45     0.45        7    64.29    64.29  busy [4]^[0m'
	colors -i >colored
	stands 'a data file' "^[1mFile \`gmon.out' (version 1) contains:^[0m"
}

# What programs read has none.
check_data() {
	"$GPROF" -r >plain
	"$GPROF" -r --color=always >colored
	expect 'an order for the linker has no colours' '[ -s plain ] && cmp -s plain colored'
	"$GPROF" -s && mv gmon.sum plain && "$GPROF" -s --color=always
	expect 'a sum has no colours' 'cmp -s plain gmon.sum'
	printf 'void f(void) {}\n\nint main(void)\n{\n\tf();\n\treturn 0;\n}\n' >leaf.c
	if "$CC" -g -pg leaf.c -o leaf 2>/dev/null && ./leaf && [ -s gmon.out ]; then
		same -A leaf
		stands 'a title of source text' "^[1m*** File $(pwd -P)/leaf.c:^[0m"
		stands 'a hot line' '           ^[0;1;31m1 -> ^[0mvoid f(void) {}'
		"$GPROF" -A -y leaf && mv leaf.c-ann plain && "$GPROF" -A -y --color=always leaf
		expect 'annotated source in files has no colours' '[ -s plain ] && ! has_styles plain && cmp -s plain leaf.c-ann'
	else
		tap_skip 'annotated source' 'no profiled program can be built'
	fi
}

# Of what is foreign, nothing comes out as a sequence.
check_names() {
	evil=$(printf 'a\033[31mb\233c')
	make_called "$evil"
	colors -b >colored
	strip <colored >stripped
	expect 'sequences in names are shown, not obeyed' \
		'grep -qF "a\\033[31mb\\233c" colored && ! tr -d "\n\t\f -~" <stripped | grep -q .' colored
	"$GPROF" -b --color=never | cat >plain
	expect 'in a pipe they are what they are' 'grep -qF "$evil" plain'
}

enter
"$TOOLS/mkprofile" - . <<-END || exit 99
	text 0x401000 0x100
	sym main 0x401000
	sym start 0x401020
	sym busy 0x401040
	sym ping 0x401060
	sym pong 0x401080
	sym idle 0x4010a0
	sym etext 0x401100 notype
	profile
	hist 0x401000 0x401100 64 100
	tick main+4 10
	tick busy+4 45
	tick ping+4 9
	tick pong+4 36
	arc main start 1
	arc start busy 7
	arc start ping 1
	arc ping pong 4
	arc pong ping 3
END
same
same -z
same -T
same -i -p
same -w 40 -q
check_choice
check_styles
check_names
"$TOOLS/mkprofile" "$srcdir/tests/golden/cycles.profile" . || exit 99
same a.out gmon.out gmon.2
check_data
tap_done
