#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What reports cost, of large programs, beside the system's gprof and the least that the libraries
# need. Each row runs both in turn on the same files. Not a test: only outputs that differ make it fail.
#
# usage: srcdir=DIR builddir=DIR bench.sh [-q] [ROW]...      -q: only sizes that take a moment
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/bench/lib.sh"

log=$builddir/bench.log
quick=
[ "$1" != -q ] || { quick=1 && gnu_limit=2 && rounds=1 && shift; }
wanted=$*
missed=0
judged=0

# row NAME: whether it is to run. The words of a row are variables, for the fields of which see `measure_row'.
row() {
	# shellcheck disable=SC2086 # words
	chosen "$1" $wanted || return
	name=$1
	floors='' growth=2 options=-b profiles=gmon.out base='' maker=generate
	say '\n%s\n' "$2"
}

generate() {
	# shellcheck disable=SC2086 # words
	"$TOOLS/mkworkload" $1 .
}

# predict SIZE: whether GNU gprof is to run, in $gnu; what it is predicted to need, in $predicted.
predict() {
	gnu=$SYSTEM_GPROF
	predicted=
	[ -n "$gnu" ] && [ -n "$gnu_size" ] || return
	predicted=$(calc "$gnu_user * ($1 / $gnu_size) ^ $growth")
	holds "$predicted <= $gnu_limit" || gnu=
}

# tell SIZE: the line of what compare_runs measured.
tell() {
	n=$1
	costs ours
	previous_mb=${ours_mb:-0}
	ours_user=$user ours_cpu=$cpu ours_mb=$(calc "$kilobytes * 1.024 / 1000")
	ours_status=$status
	exponent='' ratio='' same=''
	[ -z "$last_size" ] ||
		exponent=$(awk "BEGIN { printf \"%.2f\", log($ours_cpu / $last_cpu) / log($n / $last_size) }")
	last_size=$n last_cpu=$ours_cpu
	theirs=-
	if [ -n "$gnu" ]; then
		costs gnu
		gnu_size=$n gnu_user=$user
		theirs=$(awk "BEGIN { printf \"%.3f\", $user }")
		if [ "$status" != 0 ]; then
			same="GNU: $status" ratio=''
		elif outputs_same; then
			same=same
		else
			same=DIFFERENT
			different=$((different + 1))
		fi
	elif [ -n "$predicted" ]; then
		theirs=$(awk "BEGIN { printf \"~%.0f\", $predicted }")
	fi
	case $theirs in
	-) ;;
	*) ratio=$(awk "BEGIN { printf \"%.4g\", ${theirs#\~} / ($ours_user > 0.0005 ? $ours_user : 0.0005) }") ;;
	esac
	[ "$ours_status" = 0 ] || { same="ours: status $ours_status" && different=$((different + 1)); }
	say '  %10s %9.3f %9.3f %9s %8s %6s %8.0f  %s\n' "$n" "$ours_user" "$ours_cpu" "$theirs" \
		"${ratio:--}" "${exponent:--}" "$ours_mb" "$same"
}

tell_floors() {
	for floor in $floors; do
		measure_floor "$floor"
		case $floor in bfd) floor_bfd=$cpu ;; dw) floor_dw=$cpu ;; esac
		say '  %10s %9.3f %9.3f %35.0f  floor\n' "$floor" "$user" "$cpu" \
			"$(calc "$kilobytes * 1.024 / 1000")"
	done
}

# Without the options that the bar is about.
measure_base() {
	gnu=
	# shellcheck disable=SC2086 # words
	compare_runs $base
	costs ours
	base_user=$user
	say '  %10s %9.3f %9.3f %35.0f  without the options\n' base "$user" "$cpu" \
		"$(calc "$kilobytes * 1.024 / 1000")"
}

# measure_row SIZE... : each size is made by `$maker "$make"', where $n in $make is the size; those
# behind a | are left out by -q. Bars, in $bars, are for the last size.
measure_row() {
	gnu_size='' last_size='' ours_mb=''
	for size in "$@"; do
		if [ "$size" = '|' ]; then
			[ -z "$quick" ] || break
			continue
		fi
		dir=$scratch/$name.$size
		mkdir "$dir" && cd "$dir" || exit 99
		n=$size
		eval "$maker \"$make\"" || exit 99
		predict "$size"
		# shellcheck disable=SC2046 # words, and names of files
		compare_runs $(eval "echo $options")
		tell "$size"
		tell_floors
		cd "$scratch" || exit 99
		[ -n "$base" ] || rm -rf "$dir"
	done
	[ -z "$base" ] || { cd "$dir" && measure_base && cd "$scratch" && rm -rf "$dir"; }
	[ -z "$quick" ] || return
	# shellcheck disable=SC2086 # words
	judge $bars
	judged=$((judged + 1))
	[ -z "$verdict" ] || missed=$((missed + 1))
	say '  bars: %s: %s\n' "$bars" "${verdict:-met}"
}

tiny_row() {
	dir=$scratch/tiny
	mkdir "$dir" && cd "$dir" && generate "tree 1000 rows=2" || exit 99
	[ -n "$SYSTEM_GPROF" ] || return
	"$TOOLS/pairs" 200 "$GPROF" "$SYSTEM_GPROF" -b >pairs.out || exit 99
	read -r ours theirs cpu_ratio wall_ours wall_theirs wall_ratio <pairs.out
	say '  CPU ms: %s, GNU %s, ratio %s; on the clock: %s, GNU %s, ratio %s\n' \
		"$ours" "$theirs" "$cpu_ratio" "$wall_ours" "$wall_theirs" "$wall_ratio"
	verdict=
	holds "$cpu_ratio <= 1 && $wall_ratio <= 1" || verdict='ratio > 1'
	judged=$((judged + 1))
	[ -z "$verdict" ] || missed=$((missed + 1))
	say '  bars: ratio=1.0: %s\n' "${verdict:-met}"
	cd "$scratch" || exit 99
}

# Writing must not be the bottleneck: beside cat of the same report through a pipe.
pipe_row() {
	size=1000000
	[ -z "$quick" ] || size=20000
	dir=$scratch/pipe
	mkdir "$dir" && cd "$dir" && generate "tree $size rows=2" || exit 99
	for what in "'$GPROF' -b" 'cat report.txt'; do
		run pipe sh -c "$what | cat >/dev/null"
		costs pipe
		say '  %-10s %8.3f s user, %.3f with the kernel, %.3f on the clock\n' \
			"$(expr "X$what" : 'Xcat' >/dev/null && echo cat || echo ours)" "$user" "$cpu" "$wall"
		[ -f report.txt ] || "$GPROF" -b >report.txt
		rm pipe.costs
	done
	say '  of %s bytes\n' "$(wc -c <report.txt)"
	cd "$scratch" && rm -rf "$dir"
}

make_scratch
: >"$log"
started=$(date +%s)
say 'ours: %s\nGNU: %s\n' "$GPROF" "$SYSTEM_GPROF"
say 'Seconds are medians of the processor time: of the program, and (cpu) with the part of the kernel; ratio is of the\n'
say 'former, GNU to ours; ~ is predicted from a smaller size; exponent is of cpu, from the size before.\n'
say '  %10s %9s %9s %9s %8s %6s %8s\n' size ours cpu GNU ratio exp 'peak MB'
# shellcheck source=rows.sh
. "$srcdir/tests/bench/rows.sh"
if [ -z "$quick" ]; then
	say '\n%d of %d rows meet their bars' "$((judged - missed))" "$judged"
else
	say '\nno bars for these sizes'
fi
say '; %d outputs differ or failed; %d s\n' "$different" "$(($(date +%s) - started))"
[ "$different" -eq 0 ]
