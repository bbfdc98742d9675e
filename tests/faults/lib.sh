# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the tests of faults in reading and writing.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"
. "$srcdir/tests/lib/build.sh"

old='an old file'

# In the current directory: a.out, gmon.out, gmon.2, of a small program.
make_two_profiles() {
	make_profile <<-END
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

# enter_work: into an empty directory, $scratch/work; what is run and shown is beside it.
enter_work() {
	make_scratch
	mkdir "$scratch/work" && cd "$scratch/work" || exit 99
	run_results=$scratch
	evidence="$scratch/status $scratch/err"
}

# run_gprof ARGUMENT...: see run; what it leaves is in $scratch.
run_gprof() {
	run "$GPROF" "$@"
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

# has_old [FILE]: FILE, else $target, holds the old text, and no file in the making is left.
has_old() {
	[ "$(cat "${1:-$target}")" = "$old" ] && none_left
}

none_left() {
	[ -z "$(find . -name '*[0-9]-[0-9]*' -o -name '*.tmp')" ]
}
