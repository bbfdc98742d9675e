# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Measuring ours and the system's gprof in turn, and judging the figures. Sourced by bench.sh.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

# What GNU gprof is predicted to need more than this for is left out.
gnu_limit=20
rounds=5
time_limit=60
stack_kilobytes=8192
different=0

# say FORMAT [WORD]...: to the terminal and to the log.
say() {
	# shellcheck disable=SC2059 # the format is the caller's
	printf "$@" | tee -a "$log"
}

# calc EXPRESSION: its value, to four digits behind the point.
calc() {
	awk "BEGIN { printf \"%.4f\", $1 }"
}

# holds EXPRESSION
holds() {
	awk "BEGIN { exit !($1) }"
}

# time_run NAME PROGRAM [WORD]...: in the current directory; the output goes to NAME.out, a line of costs
# to NAME.costs.
time_run() {
	who=$1
	shift
	"$TOOLS/measure" -u -t $time_limit -s $stack_kilobytes report "$@" >"$who.out" 2>"$who.err"
	cat report >>"$who.costs"
	[ ! -f gmon.sum ] || mv gmon.sum "$who.sum"
}

# costs NAME: sets user, cpu (with the kernel's part), kilobytes and status, medians of what time_run wrote.
costs() {
	awk '
		function median(v, n,  i, j, t) {
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && v[j] < v[j - 1]; j--) {
					t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
				}
			return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
		}
		{ wall[NR] = $1; user[NR] = $2; cpu[NR] = $2 + $3; peak = $4 > peak ? $4 : peak; status = $5 $6 }
		END { print median(user, NR), median(cpu, NR), median(wall, NR), peak, status }' "$1.costs" >median
	read -r user cpu wall kilobytes status <median
}

# compare_runs [WORD]...: ours, and GNU gprof's if $gnu says so: once, and more often if that is cheap.
compare_runs() {
	rm -f ./*.costs
	round=0
	while [ $round -lt $rounds ]; do
		time_run ours "$GPROF" "$@"
		[ -z "$gnu" ] || time_run gnu "$SYSTEM_GPROF" "$@"
		costs ours
		ours=$user
		spent=$wall
		[ -z "$gnu" ] || { costs gnu && spent=$(calc "$spent + $wall"); }
		round=$((round + 1))
		# Five rounds of what is quick, three of what takes a second.
		holds "$spent * $round < 1 || ($spent * $round < 8 && $round < 3)" || break
	done
}

# outputs_same: after both have run. The sums of -s differ on purpose (sum-addresses in doc/differences.md). GNU
# gprof's has calls in another order, by which ties in reports and their numbers differ; no line may else.
outputs_same() {
	if [ -f gnu.sum ]; then
		for sum in ours gnu; do
			"$GPROF" -b a.out $sum.sum 2>/dev/null | sed 's/\[[0-9]*\]//g' | tr -s ' ' | sort >$sum.out
		done
	fi
	cmp -s ours.out gnu.out && [ -s ours.out ]
}

# measure_floor NAME: sets cpu and kilobytes.
measure_floor() {
	# shellcheck disable=SC2086 # names of files
	case $1 in
	walk) set -- "$1" $profiles ;;
	*) set -- "$1" a.out ;;
	esac
	rm -f floor.costs
	for _ in 1 2 3; do
		time_run floor "$TOOLS/floors" "$@"
	done
	costs floor
}

# judge BAR...: a clause for each bar that is not met, in $verdict; $checked counts those that were looked at.
judge() {
	verdict=
	for bar in "$@"; do
		limit=${bar#*=}
		case $bar in
		user=*) value=$ours_user unit=' s' ;;
		mem=*) value=$ours_mb unit=' MB' ;;
		memgrowth=*) value=$(calc "$ours_mb / $previous_mb") unit=" x memory" ;;
		bfd=*) value=$(calc "$ours_cpu / $floor_bfd") unit=' x bfd' ;;
		dw=*) value=$(calc "$ours_cpu / $floor_dw") unit=' x dw' ;;
		exp=*) value=${exponent:-0} unit='' ;;
		adds=*) value=$(calc "$ours_user - $base_user") unit=' s added' ;;
		ratio=*)
			[ -n "$ratio" ] && holds "$ratio < $limit" &&
				verdict="$verdict; ${ratio}x faster < ${limit}x"
			continue
			;;
		esac
		holds "$value <= $limit" ||
			verdict="$verdict; $(awk "BEGIN { printf \"%.4g\", $value }")$unit > $limit"
	done
	verdict=${verdict#; }
}
