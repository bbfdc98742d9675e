# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by every test script: TAP lines, the words that make them, and a scratch directory. A script ends with
# tap_done. run.sh and build.sh, beside this, have the words for running and building programs.
#
# Words that make one TAP line, WHAT, and say below it why it failed:
#   expect WHAT COMMAND...       the command succeeds; a lone word is a shell condition: expect 'a report' '[ -s out ]'
#   same WHAT GOT WANTED         two files are equal
#   check WHAT COMPLAINTS        there are none
#   tap_check STATUS WHAT        for a status that is known already
#
# 'make check' sets the environment; a script run by hand from the build directory finds the same
# programs unless told otherwise.

: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}" "${builddir:=$(pwd)}"
: "${GPROF:=$builddir/gprof}" "${TOOLS:=$builddir/tests/tools}" "${CC:=cc}"
: "${SYSTEM_GPROF=$(command -v gprof.binutils || command -v gprof)}" "${INSTRUMENTED=}"
case $GPROF in /*) ;; */*) GPROF=$(pwd)/$GPROF ;; esac
export srcdir builddir GPROF TOOLS CC SYSTEM_GPROF INSTRUMENTED
LC_ALL=C
export LC_ALL
# The shell of whoever runs a test may have told it how wide the terminal is.
unset COLUMNS LINES

tap_count=0
tap_failed=0
scratch=
# Files of the current directory, or paths, that `expect' shows when it fails.
evidence='status err'

# tap_ok WHAT
tap_ok() {
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s\n' "$tap_count" "$1"
}

# tap_not_ok WHAT
tap_not_ok() {
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	printf 'not ok %d - %s\n' "$tap_count" "$1"
}

# tap_skip WHAT REASON
tap_skip() {
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# tap_check STATUS WHAT: ok if STATUS is 0.
tap_check() {
	if [ "$1" -eq 0 ]; then tap_ok "$2"; else tap_not_ok "$2"; fi
}

# Prints its input as diagnostics, at most 30 lines.
tap_note() {
	sed -n -e '1,30s/^/# /p' -e '31s/.*/# .../p'
}

# tap_take FILE: prints TAP lines that a program wrote (it numbered them from $tap_count + 1).
tap_take() {
	cat "$1"
	tap_count=$((tap_count + $(grep -c '^ok\|^not ok' "$1")))
	tap_failed=$((tap_failed + $(grep -c '^not ok' "$1")))
}

# The whole script is skipped.
tap_skip_all() {
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

# The last act of a script.
tap_done() {
	printf '1..%d\n' "$tap_count"
	exit 0
}

# expect WHAT COMMAND...: ok if the command, in the current directory and in this shell, succeeds. A lone word is
# evaluated by the shell. A failure shows the command, the directory, and the files in $evidence.
expect() {
	tap_what=$1
	shift
	if if [ $# -eq 1 ]; then eval "$1"; else "$@"; fi; then
		tap_ok "$tap_what"
		return
	fi
	tap_not_ok "$tap_what"
	echo "# false in $(pwd):"
	printf '%s\n' "$*" | tap_note
	for tap_file in $evidence; do
		[ -f "$tap_file" ] || continue
		echo "# $tap_file:"
		cat -v "$tap_file" | cut -c 1-200 | tap_note
	done
}

# same WHAT GOT WANTED: ok if the two files are equal, and else their difference is shown.
same() {
	if cmp -s "$2" "$3"; then
		tap_ok "$1"
	else
		tap_not_ok "$1"
		diff "$2" "$3" 2>&1 | tap_note
	fi
}

# check WHAT COMPLAINTS: ok when there are none, and else they are shown.
check() {
	if [ -z "$2" ]; then
		tap_ok "$1"
	else
		tap_not_ok "$1"
		printf '%s\n' "$2" | tap_note
	fi
}

# Messages without notes on what is odd about the data: a pipe has no age, a sum is newer than the program.
without_notes() {
	grep -v '^[^ ]*gprof: note: '
}

# fails COMMAND...: true if it does, whatever its status.
fails() {
	! "$@"
}

# chosen NAME [ARGUMENT...]: is NAME among a script's arguments, or are there none?
chosen() {
	case $#:" $* " in 1:*) return 0 ;; esac
	tap_name=$1
	shift
	case " $* " in *" $tap_name "*) ;; *) false ;; esac
}

# Makes $scratch, an empty directory that is removed at the end unless something failed.
make_scratch() {
	mkdir -p "$builddir/tests/tmp" &&
		scratch=$(mktemp -d "$builddir/tests/tmp/$(basename "$0" .sh).XXXXXX") || exit 99
	trap scratch_end EXIT
	trap 'exit 99' HUP INT TERM
}

# What make_scratch leaves to do when the script ends.
scratch_end() {
	if [ $? -eq 0 ] && [ "$tap_failed" -eq 0 ]; then
		rm -rf "$scratch"
	else
		echo "# kept for inspection: $scratch"
	fi
}
