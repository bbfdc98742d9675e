#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: callgrind
#
# What valgrind's callgrind_annotate reads in --export=callgrind equals our call graph: own time, time with callees,
# calls and time of each arc. For the golden profiles, their rates lowered so that two decimals are many digits, and
# for some real programs.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"

# annotated WHAT UNIT: a.out and gmon.out here.
annotated() {
	"$GPROF" -b -q --all-symbols >ours 2>/dev/null || return 1
	"$GPROF" --export=callgrind 2>log
	status=$?
	grep -v 'gprof: warning: ' log >err
	callgrind_annotate --threshold=100 --auto=no --inclusive=yes --tree=both callgrind.out.gprof >with 2>>err
	callgrind_annotate --threshold=100 --auto=no callgrind.out.gprof >alone 2>>err
	awk -v unit="$2" -f "$srcdir/tests/export/callgrind.awk" ours with=1 with with=0 alone >said
	last=$(tail -n 1 said)
	if [ $status = 0 ] && [ ! -s err ] && [ "$(wc -l <said)" = 1 ] && ! grep -q 'calls=0 ' callgrind.out.gprof &&
		[ "${last%% *}" = compared ]; then
		tap_ok "$1: ${last#compared } functions and arcs"
	else
		tap_not_ok "$1"
		head -n 5 err | tap_note
		head -n 10 said | cut -c 1-200 | tap_note
	fi
}

check_golden() {
	for profile in "$srcdir"/tests/golden/*.profile; do
		name=$(basename "$profile" .profile)
		# In lines of others, our report has functions of the profiler, which are in no list of their own.
		# load-alias does not fit without its option.
		case $name in counts | profiler | load-alias) continue ;; esac
		grep -q '^profile b\|^stack' "$profile" && continue # measured.sh has these
		grep -q '^arc' "$profile" || continue
		grep -q '^tick' "$profile" || continue
		sed 's/^\(hist  *[^ ]*  *[^ ]*  *[^ ]*\)  *[0-9]*.*$/\1 1/' "$profile" >changed
		make_profile changed
		annotated "$name" 1000000000
	done
}

# annotate_program NAME COMPILER FLAGS SOURCE...
annotate_program() {
	name=$1
	shift
	if ! "$@" -pg -o a.out 2>log || ! ./a.out >/dev/null 2>>log; then
		tap_skip "$name" "$1 cannot build it"
		return
	fi
	annotated "$name" 1000000000
}

command -v callgrind_annotate >/dev/null || tap_skip_all "no callgrind_annotate (Debian package valgrind)"
make_scratch
cd "$scratch" || exit 99
programs=$srcdir/tests/programs
check_golden
annotate_program calculator "$CC" -O0 -g "$programs/calculator.c"
annotate_program recursion "$CC" -O0 "$programs/recursion.c"
annotate_program codec "$CC" -O0 -g "$programs"/codec/*.c
annotate_program codec-bare "$CC" -O0 "$programs"/codec/*.c
annotate_program templates "${CXX:-c++}" -O0 -g -std=c++17 "$programs/templates.cc"
annotate_program inventory "${CXX:-c++}" -O1 "$programs/inventory.cc"
tap_done
