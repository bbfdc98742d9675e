#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --source=NAME,asm beside perf annotate: one run of a program, which both sample, and in each of three functions the share
# of each instruction.
# shellcheck disable=SC2016,SC2034 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# our_times FUNCTION: "ADDRESS SECONDS" of its instructions with time.
our_times() {
	"$GPROF" -b --source="$1,asm" a.out kept.gmon 2>>err | awk '
		/^[^ 0-9]/ { at = 0 }
		/^ time/ { at = index($0, "address"); next }
		at && substr($0, at, 7) ~ /^ *[0-9a-f]+$/ && substr($0, 6, 8) ~ /[0-9]/ {
			pc = substr($0, at, 7); sub(/^ */, "", pc); print pc, substr($0, 6, 8) + 0 }'
}

# their_samples FUNCTION: "ADDRESS SAMPLES".
their_samples() {
	perf annotate -i perf.data --stdio -n -s "$1" 2>>err | awk '
		$1 ~ /^[0-9]+$/ && $2 == ":" && $3 ~ /^[0-9a-f]+:$/ { sub(/:/, "", $3); if ($1 > 0) print $3, $1 }'
}

# beside FUNCTION: a line "FUNCTION SAMPLES SAMPLES INSTRUCTIONS SIGMA": how far the two are apart at most, in standard
# deviations of the difference of two shares. Where the host takes the processor away for a tenth of a second, one of our
# samples stands for the ticks of all that time, and perf has one of a tick: what of $late is more than a tick may all be in
# this function. An instruction of less than five samples of ours is left out, as a normal distribution says nothing of it.
beside() {
	our_times "$1" >ours
	their_samples "$1" >theirs
	awk -v rate="$rate" -v seconds="$seconds" -v late="$late" -v name="$1" '
		NR == FNR { ours[$1] = $2 * rate; n += $2 * rate; all[$1]; next }
		{ theirs[$1] = $2; m += $2; all[$1] }
		END {
			ticks = n ? 1 + (late - 1) * seconds * rate / n : 1
			for (pc in all) {
				p = n ? ours[pc] / n : 0; q = m ? theirs[pc] / m : 0
				both = (ours[pc] + theirs[pc]) / (n + m)
				if (both * n / ticks < 5)
					continue
				k++
				sigma = (p > q ? p - q : q - p) / sqrt(both * (1 - both) * (ticks / n + 1 / m))
				if (sigma > most) most = sigma
			}
			printf "%s %.0f %.0f %d %.2f\n", name, n, m, k, most
		}' ours theirs
}

record() {
	perf record -q -e cpu-clock:u -F 1000 -o perf.data "$GPROF" --run=keep=kept.gmon ./a.out "$seconds" >said 2>err
	rate=$("$GPROF" -b --source=sums,asm a.out kept.gmon 2>>err | awk '/^Each sample counts as/ { print 1 / $5; exit }')
	late=$(lateness kept.gmon)
}

# is_alike NAME SAMPLES SAMPLES INSTRUCTIONS SIGMA: five standard deviations, as one instruction in a million and a half is
# farther away by chance.
is_alike() {
	awk "BEGIN { exit !($2 > 50 && $3 > 200 && $4 > 1 && $5 < 5) }"
}

# are_alike: all three. On a busy machine, samples that stand for many ticks can leave too few; so once more, and longer.
are_alike() {
	for function in sums chase divisions; do
		# shellcheck disable=SC2046 # words
		is_alike $(beside $function) || return
	done
}

check_function() {
	evidence='ours theirs err'
	beside "$1" >said
	read -r name n m k sigma <said
	expect "$name: $k instructions, $n and $m samples, at most $sigma standard deviations apart" 'is_alike $name $n $m $k $sigma'
}

"$GPROF" --version | grep -q libopcodes || tap_skip_all 'gprof was built without libopcodes'
case $(uname -m) in
x86_64) ;;
*) tap_skip_all 'perf annotate writes instructions in another way' ;;
esac
make_scratch
cd "$scratch" || exit 99
perf record -q -e cpu-clock:u -o perf.data true >said 2>&1 ||
	tap_skip_all 'perf does not sample here (Debian package linux-perf)'
build . gcc -O1 -g -fno-pie -no-pie "$programs/three.c" || tap_skip_all 'no gcc'
unset GMON
seconds=2
[ -z "$SLOW" ] || seconds=30
record
if ! are_alike; then
	seconds=$((seconds * 4))
	record
fi
for function in sums chase divisions; do
	check_function $function
done
tap_done
