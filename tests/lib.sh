# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the test scripts: TAP lines and a scratch directory. A script ends with tap_done.
#
# 'make check' sets the environment; a script run by hand from the build directory finds the same
# programs unless told otherwise.

: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}" "${builddir:=$(pwd)}"
: "${GPROF:=$builddir/gprof}" "${TOOLS:=$builddir/tests/tools}" "${CC:=cc}"
: "${SYSTEM_GPROF=$(command -v gprof)}" "${INSTRUMENTED=}"
case $GPROF in /*) ;; */*) GPROF=$(pwd)/$GPROF ;; esac
export srcdir builddir GPROF TOOLS CC SYSTEM_GPROF INSTRUMENTED
LC_ALL=C
export LC_ALL

tap_count=0
tap_failed=0
scratch=

tap_ok() {
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s\n' "$tap_count" "$1"
}

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

# compiler_32 COMPILER: the words of a command that compiles for 32-bit x86: COMPILER -m32 or, if its programs
# do not run, Debian's cross compiler, whose libraries are in a place of their own. Nothing if neither works.
compiler_32() {
	libraries=/usr/i686-linux-gnu/lib
	for words in "$1 -m32" \
		"i686-linux-gnu-gcc -Wl,--dynamic-linker=$libraries/ld-linux.so.2 -Wl,-rpath=$libraries"; do
		# shellcheck disable=SC2086 # words
		if echo 'int main(void) { return 0; }' | $words -xc - -o "$scratch/probe" 2>/dev/null &&
			"$scratch/probe" 2>/dev/null; then
			echo "$words"
			return
		fi
	done
}

# make_called NAME: in the current directory, a.out in which main calls the function NAME, and gmon.out.
make_called() {
	"$TOOLS/mkprofile" - . <<-END || exit 99
		text 0x401000 0x80
		sym main 0x401000
		sym $1 0x401020
		sym etext 0x401080 notype
		profile
		hist 0x401000 0x401060 48 100
		tick 0x401020 30
		arc main 0x401020 5
	END
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

# Makes $scratch, an empty directory that is removed at the end unless something failed.
make_scratch() {
	mkdir -p "$builddir/tests/tmp" &&
		scratch=$(mktemp -d "$builddir/tests/tmp/$(basename "$0" .sh).XXXXXX") || exit 99
	trap scratch_end EXIT
	trap 'exit 99' HUP INT TERM
}

scratch_end() {
	if [ $? -eq 0 ] && [ "$tap_failed" -eq 0 ]; then
		rm -rf "$scratch"
	else
		echo "# kept for inspection: $scratch"
	fi
}
