#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Basic blocks by the hooks of gcc and clang: lines are counted as the program itself counts them.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
[ -f "$builddir/libgmon.a" ] || tap_skip_all 'libgmon is not for this machine'

# block_counts GPROF: "LINE COUNT" of every basic block, sorted.
block_counts() {
	"$1" -b -l -C a.out gmon.out 2>>log | sed -n 's/^.*blocks\.c:\([0-9]*\): .* \([0-9]*\) executions$/\1 \2/p' | sort
}

# shown_counts GPROF: "LINE COUNT" of every count beside the source.
shown_counts() {
	"$1" -l -A -x a.out gmon.out 2>>log | awk '
		/^\*\*\* File/ { line = 0; next }
		/^Top/ { exit }
		{ line++ }
		$2 == "->" { n = split($1, count, ","); for (i = 1; i <= n; i++) print line, count[i] }' | sort
}

# check_block_lines WHAT GPROF: every line that the program told of.
check_block_lines() {
	block_counts "$2" | awk 'NR == FNR { true_count[$1] = $2; next }
		$1 in true_count { seen[$1]++; if ($2 != true_count[$1]) print "line " $1 ": " $2 " not " true_count[$1] }
		END { for (l in true_count) if (seen[l] != 1) print "line " l ": " seen[l] + 0 " times" }' truth - >wrong
	[ -s truth ] && [ ! -s wrong ]
	tap_check $? "$1: -l -C"
	tap_note <wrong
	shown_counts "$2" >shown
	sort truth | comm -23 - shown >wrong
	[ ! -s wrong ]
	tap_check $? "$1: -l -A -x"
	tap_note <wrong
}

# check_compiler COMPILER OPTION...
check_compiler() {
	what="$*"
	compiler=$1
	shift
	if ! command -v "$compiler" >/dev/null; then
		tap_skip "$what" "no $compiler"
		return
	fi
	if ! "$compiler" -g -pg "$@" -o a.out "$srcdir/tests/runtime/programs/blocks.c" "$builddir/libgmon.a" >log 2>&1 ||
		! ./a.out >truth; then
		tap_not_ok "$what: is built and runs"
		tap_note <log
		return
	fi
	check_block_lines "$what" "$GPROF"
	[ -z "$SYSTEM_GPROF" ] || check_block_lines "$what, GNU gprof" "$SYSTEM_GPROF"
	"$GPROF" -i a.out gmon.out | grep -q '^	1 basic-block count record$'
	tap_check $? "$what: all blocks are one record"
	(GMON=crash && export GMON && exec ./a.out killed) >out 2>>log
	mv gmon.out.live gmon.out && block_counts "$GPROF" >killed && [ -z "$(sort truth | comm -23 - killed)" ]
	tap_check $? "$what: also killed, with GMON=crash"
}

make_scratch
cd "$scratch" || exit 99
unset GMON GMON_OUT_PREFIX
check_compiler gcc -O0 -fsanitize-coverage=trace-pc
check_compiler gcc -O0 -no-pie -fsanitize-coverage=trace-pc
check_compiler clang -O0 -fsanitize-coverage=trace-pc-guard,no-prune
check_compiler clang -O0 -fsanitize-coverage=trace-pc,no-prune
cd "$builddir" || exit 99
tap_done
