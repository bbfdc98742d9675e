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

# check_colors OPTION...: colours add sequences to a report, and nothing else changes it.
check_colors() {
	"$GPROF" "$@" >plain 2>/dev/null
	colors "$@" >colored
	strip <colored >stripped
	expect "gprof $*: without their sequences, colours are not there" \
		'[ -s plain ] && has_styles colored && ! has_styles plain && as_shown <plain | cmp -s - stripped'
	"$GPROF" --color=always "$@" 2>/dev/null | as_shown >always
	expect "gprof $*: --color=always in a pipe" 'cmp -s colored always'
	expect "gprof $*: each line ends without a style" 'ends_plain colored'
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

# no_colors WHAT COMMAND...: as plain.
no_colors() {
	what=$1
	shift
	on_terminal -- "$@" >colored 2>err
	expect "$what: no colours" 'cmp -s plain colored'
}

check_choice() {
	"$GPROF" -b | as_shown >plain
	no_colors '--color=never' "$GPROF" -b --color=never
	no_colors 'NO_COLOR' env NO_COLOR=1 "$GPROF" -b
	no_colors 'TERM is dumb' env TERM=dumb "$GPROF" -b
	no_colors 'TERM is empty' env TERM= "$GPROF" -b
	no_colors 'no TERM' env -u TERM "$GPROF" -b
	no_colors 'the last --color counts' "$GPROF" --color=always -b --color=never
	on_terminal -- env NO_COLOR= "$GPROF" -b >colored
	expect 'an empty NO_COLOR says nothing' 'has_styles colored'
	env NO_COLOR=1 TERM=dumb "$GPROF" -b --color always >colored
	expect '--color=always against NO_COLOR and TERM' 'has_styles colored'
	on_terminal -2 -- sh -c '"$1" -b >colored' - "$GPROF" >said
	expect 'only stderr is a terminal: no colours' 'as_shown <colored | cmp -s - plain && ! has_styles said'
	for choice in --color=sometimes --color= --color; do
		"$GPROF" $choice >out 2>err
		status=$?
		expect "gprof $choice: $(cat err)" [ "$status $(wc -c <out) $(wc -l <err)" = "1 0 1" ]
	done
}

# has_line WHAT LINE: a line of the report with the styles it should have, its ESC as ^.
has_line() {
	what=$1
	LINE=$2
	expect "$what" 'tr "$escape" "^" <colored | grep -qxF -- "$LINE"'
}

check_styles() {
	colors -b >colored
	has_line 'a title' '^[1mFlat profile:^[0m'
	has_line 'headings of columns' '^[4m time   seconds   seconds    calls  ms/call  ms/call  name    ^[0m'
	has_line 'a hot row' '^[0;1;31m 45.00      0.45     0.45        7    64.29    64.29  busy^[0m'
	has_line 'at the limit' '^[0;1;31m 10.00      0.91     0.10                             main^[0m'
	has_line 'a row that is not hot' '  9.00      1.00     0.09        4    22.50    22.50  ping'
	has_line 'a hot entry' '^[0;1;31m[4]     45.0    0.45    0.00       7         busy [4]^[0m'
	has_line 'an entry' '^[0;1m[2]     90.0    0.00    0.90       1         start [2]^[0m'
	has_line 'a cycle' '^[0;1;35m[3]     45.0    0.45    0.00       1+7       <cycle 1 as a whole> [3]^[0m'
	has_line 'a member of a cycle' '^[0;1m[6]      9.0    0.09    0.00       4         ping^[0;1;35m <cycle 1> [6]^[0m'
	has_line 'a caller or callee' '                0.09    0.00       4             ping <cycle 1> [6]'
	has_line 'the title of the index' '^[1mIndex by function name^[0m'
	colors -b -T >colored
	has_line 'a hot row of BSD' '^[0;1;31m 45.0       0.45     0.45        7    64.29    64.29  busy [4]^[0m'
	colors -i >colored
	has_line 'a data file' "^[1mFile \`gmon.out' (version 1) contains:^[0m"
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
		check_colors -A leaf
		has_line 'a title of source text' "^[1m*** File $(pwd -P)/leaf.c:^[0m"
		has_line 'a hot line' '           ^[0;1;31m1 -> ^[0mvoid f(void) {}'
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
		'grep -qF "a\\033[31mb\\233c" colored && ! tr -d "\n\t\f -~" <stripped | grep -q .'
	"$GPROF" -b --color=never | cat >plain
	expect 'in a pipe they are what they are' 'grep -qF "$evil" plain'
}

enter_terminal
make_profile <<-END
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
check_colors
check_colors -z
check_colors -T
check_colors -i -p
check_colors -w 40 -q
check_choice
check_styles
check_names
make_golden cycles
check_colors a.out gmon.out gmon.2
check_data
tap_done
