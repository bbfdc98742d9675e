#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scale.sh [SHAPE]...: large call graphs within a small stack
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

here=$srcdir/tests/scale
seconds=60

# Sanitizers and valgrind multiply time and stack; then a hundredth of the size must do.
divisor=1
[ -z "$INSTRUMENTED" ] || divisor=100

# check_report_lines EXPECTED: the report on stdin has as many lines as that says, and those it shows.
check_report_lines() {
	awk -v checked="$([ $divisor = 1 ] && echo 1)" '
		NR == FNR && FNR == 1 { lines = $3; next }
		NR == FNR { wanted[$0]; missing++; next }
		$0 in wanted { delete wanted[$0]; missing-- }
		END {
			if (!checked)
				exit FNR < 100
			if (FNR != lines)
				print FNR " lines, not " lines
			for (line in wanted)
				print "missing: " line
			exit FNR != lines || missing > 0
		}' "$1" -
}

# run_large SHAPE N: the time and memory of `gprof -b` on it.
run_large() {
	dir=$scratch/$1
	mkdir "$dir"
	"$TOOLS/mkscale" "$1" "$2" "$dir" || exit 99
	(
		cd "$dir" || exit
		set -- report "$GPROF" -b
		[ $divisor != 1 ] || set -- -s 8192 "$@"
		"$TOOLS/measure" -t $seconds "$@" 2>stderr
	) | check_report_lines "$here/$1.expected" >"$dir/notes"
	lines_ok=$?
	read -r wall cpu kilobytes status <"$dir/report"
	[ $lines_ok -eq 0 ] && [ "$status" = 0 ]
	tap_check $? "$1 of $2"
	echo "# $1 of $2: $wall s, of the processor $cpu s, peak $kilobytes kB, status $status"
	[ -s "$dir/notes" ] && tap_note <"$dir/notes"
	[ -s "$dir/stderr" ] && tap_note <"$dir/stderr"
	rm -f "$dir/a.out" "$dir/gmon.out"
}

# The same shapes at a size that the system's gprof can do.
compare_small() {
	for small in 2 7 3000; do
		dir=$scratch/$1.$small
		mkdir "$dir"
		"$TOOLS/mkscale" "$1" $small "$dir" || exit 99
		printf '%s\n' -b '-b -z' | "$TOOLS/compare" -n "$tap_count" -p "$1 of $small: " \
			"$GPROF" "$SYSTEM_GPROF" "$dir" >"$dir/tap"
		tap_take "$dir/tap"
	done
}

# run_stacks N: inclusive times from N nodes of stacks in 64 threads, half of which have a sample each.
run_stacks() {
	dir=$scratch/stacks
	mkdir "$dir"
	"$TOOLS/mkscale" stacks "$1" "$dir" || exit 99
	(cd "$dir" && "$TOOLS/measure" -t $seconds report "$GPROF" -b --inclusive >out 2>stderr)
	read -r wall cpu kilobytes status <"$dir/report"
	set -- "$1" "$(awk -v n="$1" 'BEGIN { printf "100.0 %9.2f", int(n / 2) / 100 }')"
	[ "$status" = 0 ] && grep -q "^$2 .* main\$" "$dir/out"
	tap_check $? "stacks of $1 nodes"
	[ $divisor != 1 ] || [ "$kilobytes" -lt 200000 ]
	tap_check $? "stacks of $1 nodes: less than 200 MB"
	echo "# stacks of $1 nodes: $wall s, of the processor $cpu s, peak $kilobytes kB, status $status"
	[ -s "$dir/stderr" ] && tap_note <"$dir/stderr"
	rm -f "$dir/a.out" "$dir/gmon.out" "$dir/gmon.out.ext"
}

make_scratch
! chosen stacks "$@" || run_stacks $((1000000 / divisor))
for expected in "$here"/*.expected; do
	read -r shape n _ <"$expected"
	chosen "$shape" "$@" || continue
	if [ -n "$SYSTEM_GPROF" ]; then
		compare_small "$shape"
	else
		tap_skip "$shape: as the system's gprof" 'no gprof on this system'
	fi
	run_large "$shape" $((n / divisor))
done
tap_done
