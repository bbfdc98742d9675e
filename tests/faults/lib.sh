# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the tests of faults in reading and writing.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib.sh"

old='an old file'

# In the current directory: a.out, gmon.out, gmon.2, of a small program.
make_profile() {
	"$TOOLS/mkprofile" - . <<-END || exit 99
		text 0x401000 0x80
		sym main 0x401000
		sym work 0x401020
		sym etext 0x401080 notype
		profile
		hist 0x401000 0x401060 48 100
		tick work 30
		arc main work 5
		profile
		hist 0x401000 0x401060 48 100
		tick work 3
		arc main work 7
	END
}

# can_interfere WHAT: whether system calls of gprof are its own; else WHAT is skipped.
can_interfere() {
	[ "$INSTRUMENTED" = valgrind ] || return 0
	tap_skip "$1" 'valgrind would be disturbed'
	false
}

# run ARGUMENT...: of gprof, leaves out, err and status in $scratch.
run() {
	timeout 60 "$GPROF" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	echo $? >"$scratch/status"
}

# says TEXT: the run ended with status 1 and one line on stderr, which is TEXT behind the program's name.
says() {
	[ "$(cat "$scratch/status")" = 1 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] &&
		sed 's/^[^:]*: //' "$scratch/err" | grep -qxF -- "$1"
}

# ended_well: status 0 and no message.
ended_well() {
	[ "$(cat "$scratch/status")" = 0 ] && [ ! -s "$scratch/err" ]
}

# expect WHAT CONDITION
expect() {
	if eval "$2"; then
		tap_ok "$1"
	else
		tap_not_ok "$1"
		{
			echo "status $(cat "$scratch/status") where $2; stderr:"
			cat "$scratch/err"
			ls -l
		} | tap_note
	fi
}

# has_old [FILE]: FILE, else $target, holds the old text, and no file in the making is left.
has_old() {
	[ "$(cat "${1:-$target}")" = "$old" ] && none_left
}

none_left() {
	[ -z "$(find . -name '*[0-9]-[0-9]*' -o -name '*.tmp')" ]
}

# can_be_somebody WHAT: whether gprof can be run without privileges; else WHAT is skipped.
can_be_somebody() {
	if [ "$(id -u)" != 0 ] || as_somebody env "$GPROF" --version >/dev/null 2>&1; then
		return
	fi
	tap_skip "$1" "nobody else can run $GPROF"
	false
}

# as_somebody COMMAND...: without privileges.
as_somebody() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# With the arguments of gprof behind it.
run_as_somebody() {
	as_somebody timeout 60 "$GPROF" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	echo $? >"$scratch/status"
}
