#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reports that are longer than the terminal go through a pager, all of them and once; nothing else does. Whatever the
# pager does, gprof's status and messages are its own.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/screen/lib.sh"

unset PAGER GPROF_PAGER LESS
evidence="$evidence seen paged"

# typed KEYS AT ARGUMENT...: runs the command in the foreground of a terminal, for both outputs, with KEYS typed when AT
# has come; leaves seen and status.
typed() {
	keys=$1 at=$2
	shift 2
	timeout 60 "$TOOLS/pty" -12 -i "$at" -k "$keys" "$@" </dev/null >seen
	status=$?
	tr -d '\r' <seen >raw && mv raw seen
}

# in_front ARGUMENT...: the same with nothing typed.
in_front() {
	rm -f paged
	typed x 'never to be seen' "$@"
}

# pages WHAT ARGUMENT...: the pager, which is to leave `paged', gets what gprof writes to a terminal.
pages() {
	what=$1
	shift
	in_front "$@"
	expect "$what: a pager has all of it" '[ "$status" = 0 ] && cmp -s paged colored'
}

# pages_not WHAT ARGUMENT...: what is on the terminal is what gprof has written there.
pages_not() {
	what=$1
	shift
	in_front "$@"
	expect "$what: no pager" '[ "$status" = 0 ] && [ ! -e paged ] && cmp -s seen "$direct"'
}

keep='cat >paged'
enter_terminal
make_golden cycles
"$GPROF" --color=always | as_shown >colored
direct=colored
export GPROF_PAGER="$keep"
pages 'a long report' "$GPROF"
pages 'in the words of PAGER' env -u GPROF_PAGER PAGER="$keep" "$GPROF"
pages 'GPROF_PAGER comes first' env PAGER='touch wrong' "$GPROF"
pages 'words without a shell' env GPROF_PAGER='  tee   paged ' "$GPROF"
pages_not '--no-pager' "$GPROF" --no-pager
pages_not 'an empty GPROF_PAGER' env GPROF_PAGER= PAGER="$keep" "$GPROF"
pages_not 'cat' env GPROF_PAGER=cat "$GPROF"
pages_not 'a pager that is not there' env GPROF_PAGER='no-such-pager -x' "$GPROF"
pages_not 'one that cannot be run' env GPROF_PAGER=./gmon.out "$GPROF"
"$GPROF" --color=never >piped
as_shown <piped >plain
direct=plain
pages_not 'a dumb terminal' env TERM=dumb "$GPROF"
on_terminal -12 -- "$GPROF" --color=never >seen
status=$?
expect 'a terminal that is not ours: no pager' '[ "$status" = 0 ] && [ ! -e paged ] && cmp -s seen plain'
in_front sh -c '"$1" | cat' - "$GPROF"
expect 'a pipe: no pager' '[ ! -e paged ] && cmp -s seen piped'
in_front sh -c '"$1" >out' - "$GPROF"
expect 'a file: no pager' '[ ! -e paged ] && cmp -s out piped'
expect 'there pages begin with a form feed, which neither terminals nor pagers get' 'grep -q "^$(printf "\f")" out'
"$GPROF" -b -p --color=always >colored
direct=colored
pages_not 'a short report' "$GPROF" -b -p
timeout 60 "$TOOLS/pty" -r 12 -i never "$GPROF" -b -p </dev/null >seen
expect 'which is long on a terminal of 12 lines' 'cmp -s paged colored'
rm paged
timeout 60 "$TOOLS/pty" -r 18 -w 30 -i never "$GPROF" -b -p </dev/null >seen
expect 'or of 30 columns' 'cmp -s paged colored'

# What a program wrote stays on the terminal.
if [ -f "$builddir/libgmon.so" ]; then
	rm -f paged
	timeout 60 "$TOOLS/pty" -12 -r 3 -i never env LIBGMON="$builddir/libgmon.so" "$GPROF" -b -p --run sh -c 'echo its own' </dev/null >seen
	expect 'the report of --run goes through a pager, what the program wrote does not' \
		'grep -q "^its own" seen && ! grep -q "its own" paged && grep -q "^.*Flat profile" paged && ! grep -q Flat seen'
fi

# What pagers find.
in_front env GPROF_PAGER='echo "$LESS $LV" >paged; cat >/dev/null' "$GPROF"
expect 'less is told to be short, to show colours and to leave the screen' '[ "$(cat paged)" = "FRX -c" ]'
in_front env LESS=-i GPROF_PAGER='echo "$LESS" >paged; cat >/dev/null' "$GPROF"
expect 'unless the user tells it something' '[ "$(cat paged)" = -i ]'
in_front env GPROF_PAGER='cat >/dev/null; trap >paged; kill -INT $$; echo alive >>paged' "$GPROF"
expect 'signals are as ever for the pager' '! grep -q alive paged'

# Its end is not ours.
make_profile <<-END
	$(awk 'BEGIN {
		print "text 0x401000 0x100000"
		for (i = 0; i < 4000; i++) printf "sym function_number_%d 0x%x\n", i, 4198400 + 64 * i
		print "profile\nhist 0x401000 0x501000 262144 100"
		for (i = 0; i < 4000; i++) printf "tick 0x%x 1\n", 4198400 + 64 * i
	}')
END
"$GPROF" --color=always | as_shown >colored
pages 'a report of many writes' "$GPROF"
in_front env GPROF_PAGER='head -n 1 >paged' "$GPROF"
expect 'a pager that ends early is no failure, and nothing is said' '[ "$status" = 0 ] && [ "$(wc -l <paged)" = 1 ] && ! grep -v ": note: " seen'
in_front env GPROF_PAGER='exit 1;' "$GPROF"
expect 'nor is one that fails' '[ "$status" = 0 ] && ! grep -v ": note: " seen'
in_front env GPROF_PAGER='(no-such-pager)' "$GPROF"
expect 'one that a shell does not find is said' '[ "$status" = 0 ] && grep -q "warning: the pager .* status 127; see --no-pager" seen'
in_front env GPROF_PAGER='cat >paged; kill -KILL $PPID; sleep 0.3; echo END' "$GPROF"
expect 'if gprof dies, that is said when the pager has ended' '[ "$status" = 1 ] && cmp -s paged colored && [ "$(sed -n 1p seen)" = END ] && grep -q "killed" seen'
typed "$(printf '\003\034')" begun env GPROF_PAGER='trap "" INT QUIT; echo begun; sleep 0.5; cat >paged; echo END' "$GPROF"
expect 'keys that end programs are for the pager' '[ "$status" = 0 ] && cmp -s paged colored && grep -q END seen'
in_front sh -c '"$1" -b -p a.out gmon.out nothing; echo $?' - "$GPROF"
expect 'an error before any report is said, without a pager' '[ ! -e paged ] && grep -q nothing seen && grep -qx 1 seen'

# Messages.
make_golden all-symbols
in_front env GPROF_PAGER='cat >paged; echo END' "$GPROF" -p -q
expect 'a note comes when the pager has ended' '[ "$(sed -n "1p;2s/: note:.*/: note:/p" seen | sed "s|.*/||")" = "$(printf "END\ngprof: note:")" ]'

what='less shows a screen, and ends at a key'
if command -v less >/dev/null; then
	unset GPROF_PAGER
	make_golden cycles
	typed q ':' "$GPROF"
	expect "$what" '[ "$status" = 0 ] && grep -q "Flat profile" seen && ! grep -q "Index by" seen'
	in_front "$GPROF" -b -p
	expect 'a short report is there as without it' 'cmp -s seen colored || grep -q "Flat profile" seen'
else
	tap_skip "$what" 'no less (Debian package less)'
fi
tap_done
