# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced by the tests of libgmon: building profiled programs, running them, and comparing what they did
# with what gprof says.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"
. "$srcdir/tests/lib/build.sh"

# The makefile has decided for which machines there is a libgmon.
[ -f "$builddir/libgmon.a" ] || tap_skip_all 'libgmon is not for this machine'

programs=$srcdir/tests/runtime/programs
archive=$builddir/libgmon.a
# For the tests that only an idle machine or much time allows: make check-slow sets it.
: "${SLOW=}"

# Nothing of the caller's, and a line at the end that says that it was libgmon who counted.
unset GMON_OUT_PREFIX
GMON=verbose
export GMON
wanted_status=

# has_compiler COMPILER WHAT: false, and WHAT skipped, if there is none.
has_compiler() {
	command -v "$1" >/dev/null && return
	tap_skip "$2" "no $1: install Debian package $(package_of "$1")"
	false
}

# must_build DIR COMPILER ARGUMENT...: build; if it cannot, the test named $what fails.
must_build() {
	build "$@" && return
	shift
	tap_not_ok "${what:-$*}: is built"
	{
		echo "$*"
		cat "$build_dir/log"
	} | tap_note
	false
}

# run_program DIR ARGUMENT...: runs DIR/a.out there, with no profile of an earlier run; see run. A test that wants
# another environment sets it in front.
run_program() (
	cd "$scratch/$1" || exit 99
	shift
	rm -f gmon.out gmon.out.*
	run ./a.out "$@"
)

# compare_truth GPROF DIR PROFILE DIFFERENCES: appends how GPROF's reports differ from what DIR/out says.
compare_truth() {
	(
		cd "$2" || exit 99
		if "$1" -b -z -q a.out "$3" >graph 2>complaints && "$1" -b -p a.out "$3" >flat 2>>complaints &&
			! grep -qv 'gprof: note: ' complaints; then
			awk -v counts=1 -f "$srcdir/tests/differential/callgraph.awk" graph >arcs
			awk -f "$srcdir/tests/runtime/compare.awk" step=1 out step=2 arcs step=3 flat |
				head -n 30
		else
			echo "$1 fails"
			cat complaints
		fi
	) >>"$4"
}

# differences DIR [PROFILE]: of what ours and the system's gprof report from the truth, in DIR/differences;
# true if there are none. The last run must have ended with status $wanted_status, or
# 0, and have been recorded by libgmon.
differences() {
	dir=$scratch/$1
	: >"$dir/differences"
	[ "$(cat "$dir/status")" = "${wanted_status:-0}" ] || echo "exit status $(cat "$dir/status")" >>"$dir/differences"
	case $GMON in
	*verbose*)
		grep -q '^libgmon: [0-9]* calls' "$dir/err" ||
			echo 'not recorded by libgmon' >>"$dir/differences"
		;;
	esac
	if [ -f "$dir/${2:-gmon.out}" ]; then
		compare_truth "$GPROF" "$dir" "${2:-gmon.out}" "$dir/differences"
		[ -z "$SYSTEM_GPROF" ] ||
			compare_truth "$SYSTEM_GPROF" "$dir" "${2:-gmon.out}" "$dir/differences"
	else
		echo "no ${2:-gmon.out}" >>"$dir/differences"
	fi
	[ ! -s "$dir/differences" ]
}

# check_counts WHAT DIR [PROFILE]: the last run in DIR was recorded truly.
check_counts() {
	if differences "$2" "${3-}"; then
		tap_ok "$1"
	else
		tap_not_ok "$1"
		cat "$scratch/$2/differences" "$scratch/$2/err" | tap_note
	fi
}

# expect_in WHAT DIR COMMAND...: expect, in DIR.
expect_in() {
	expect_what=$1 expect_from=$(pwd)
	cd "$scratch/$2" || exit 99
	shift 2
	expect "$expect_what" "$@"
	cd "$expect_from" || exit 99
}

# count_files FILE...: how many of them exist; for a pattern.
count_files() {
	if [ -e "$1" ]; then echo $#; else echo 0; fi
}

# no_profile: in this directory.
no_profile() {
	[ "$(count_files gmon.out*)" = 0 ]
}

# seconds_in PROFILE: sampled, by our gprof.
seconds_in() {
	"$GPROF" -b -p a.out "$1" | awk '/^ *[0-9.]+ +[0-9.]+ +[0-9.]+ / { sum += $3 } END { print sum + 0 }'
}

# sampled PROFILE LOW HIGH: seconds.
sampled() {
	seconds_in "$1" | awk -v low="$2" -v high="$3" '$1 < low || $1 > high { print "# " $1 " s"; exit 1 }'
}

# kernel_tick: its length in seconds.
kernel_tick() {
	[ -x "$scratch/kernel-tick" ] || "$CC" "$programs/kernel-tick.c" -o "$scratch/kernel-tick" || return
	"$scratch/kernel-tick"
}

# complete_stacks FILE...: of a report from stacks in these files: "SAMPLES SHARE", SHARE the part, in percent, of the samples
# outside of time that nobody saw that have complete stacks.
complete_stacks() {
	cat "$@" | awk '/^Each sample/ {
		sub(/.*; /, "")
		for (i = 2; i < NF; i++)
			if ($i == "%")
				share[$(i + 2)] = $(i - 1)
		if (share["unknown"] < 100)
			printf "%d %.2f\n", $1 * (1 - share["unknown"] / 100) + 0.5, share["complete"] / (1 - share["unknown"] / 100)
		exit
	}'
}

# sampled_whole PROFILE FILE N: the Nth process that GMON=verbose tells of in err has in PROFILE, outside of the program and in
# time that nobody saw what it says itself in FILE that it has used at least, but for a fiftieth (sample_unseen()) and two periods
# that have begun; and no more than the kernel says that it has used, but for what looks may count ahead, four of the kernel's
# ticks and a period, and for a tick before the first look (clock_end_by_ticks(), clock_begin()); after a pause, as many times
# that as threads want each processor: the first look then stands for time of the pause. Half of it has samples, unless
# more than two processes for each processor have wanted to run in the last minute: then the kernel may look at a thread of half
# a second at its start only.
sampled_whole() {
	seconds_in "$1" | awk -v n="$3" -v tick="$(kernel_tick)" -v processors="$(nproc)" -v wanting="$(cut -d' ' -f1 /proc/loadavg)" '
		FILENAME == "-" { seen = $1 }
		FILENAME == "err" && / ticks in the program and / && ++process == n {
			seen_outside = $10 / $13; rate = $13; most = ($(NF - 4) + 1) / 1000
		}
		FILENAME == "err" && process == n && / ticks more belong to no function/ { unseen = $2 / rate }
		FILENAME != "err" && $1 ~ /^(BURNT|OWN|used|USED)$/ { used = $2 }
		FILENAME != "err" && $1 == "PAUSED" { paused = $2 }
		END {
			all = seen + seen_outside + unseen
			late = paused && wanting > processors ? wanting / processors : 1
			print "# " seen " s, outside " seen_outside ", unseen " unseen ", of " used " s used, " paused + 0 " paused, " most " in all"
			exit !(used && rate && all >= used * 0.98 - 2 / rate && all <= most - paused + 5 * tick * late + 1 / rate &&
				(seen + seen_outside >= used / 2 || wanting > 2 * processors))
		}' "$2" err -
}

# sampled_burnt PROFILE FILE [N]: the first process, or the Nth; see sampled_whole.
sampled_burnt() {
	sampled_whole "$1" "$2" "${3:-1}"
}

# sampled_all PROFILE: as the program says in out; see sampled_whole. It may use far more than it meant to: where a virtual
# machine stands still, the time counts.
sampled_all() {
	sampled_whole "$1" out 1
}

# has_time NAME LEAST [MOST]: by the flat profile in out, NAME has time, with that which nobody saw LEAST seconds or more, and
# without it less than MOST. On a busy machine the end of a thread may be unseen, which is told (sample_unseen()).
has_time() {
	awk -v name="$1" -v least="$2" -v most="${3-}" '$NF == name { self = $3 } /\[unknown time\]$/ { unknown = $3 }
		END { print "# " name ": " self + 0 " s, unseen " unknown + 0; exit !(self > 0 && self + unknown > least && (most == "" || self < most)) }' out
}

# reads_count PROFILE NAME COUNT: how often our gprof says that NAME was called.
reads_count() {
	"$GPROF" -b -p a.out "$1" | awk -v name="$2" -v n="$3" '$NF == name && $4 == n { found = 1 }
		END { exit !found }'
}

# lateness PROFILE: how many ticks the signal of a sample stood for, in the mean of the ticks of PROFILE.ext: 1 on an idle
# machine, more where the kernel looks at a thread late. So many times the variance have figures that are made of ticks.
lateness() {
	"$TOOLS/extdump" "$1.ext" 2>/dev/null | awk '
		$1 == "thread" && $(NF - 1) == "squares" { squares += $NF }
		$2 == "cpu" && !($3 == "broken" && NF == 4) { ticks += $1 }
		END { print(ticks && squares / ticks > 1 ? squares / ticks : 1) }'
}

# has_used PROCESS HUNDREDTHS: waits until it has used so much CPU time, 100 seconds at most. On a busy machine it gets
# little of the time that passes.
has_used() {
	tries=0
	until [ $tries -eq 1000 ] || [ "$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat")" -ge "$2" ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
}
