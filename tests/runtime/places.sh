#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Samples come at random places: a program in step with them is shown as it is, and so are threads that live for
# less than the time between two. Chance has a part in each figure here; none fails for it once in 10^5 runs, however busy the
# machine is: a look that comes late counts several ticks, which deviate together (lateness). That it is
# not so with GMON=jitter=no is shown by intervals.sh, on an idle machine.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# shares FILE: of the last run in DIR of the functions, "NAME TICKS TRUE-SHARE", by what it told and the flat profile.
shares() {
	"$GPROF" -b -p --estimated a.out gmon.out >flat 2>complaints
	awk 'FILENAME == "out" { true[$2] = $3; sum += $3 }
		FILENAME == "flat" && /Each sample counts as/ { tick = $5 }
		FILENAME == "flat" && /^ *[0-9.]+ +[0-9.]+ +[0-9.]+ / && $NF in true { n[$NF] = $3 / tick }
		END { for (name in true) printf "%s %.0f %.4f\n", name, n[name], true[name] / sum }' out flat | sort
}

# near NAME SIGMAS: the share of NAME is the true one, give or take so many standard errors.
near() {
	shares | tee shares | awk -v name="$1" -v sigmas="$2" -v late="$(lateness gmon.out)" '
		{ all += $2 }
		$1 == name { n = $2; p = $3 }
		END {
			if (!all) exit 1
			error = sqrt(late * p * (1 - p) / all)
			printf "# %s: %.1f %% of %d samples, truly %.1f +- %.1f\n", name, 100 * n / all, all, 100 * p, 100 * error
			off = n / all - p
			exit off > sigmas * error || -off > sigmas * error
		}'
}

# uniform MOST: chi-square of the samples in functions of equal time is at most so much.
uniform() {
	shares | tee shares | awk -v most="$1" -v late="$(lateness gmon.out)" '
		{ n[NR] = $2; p[NR] = $3; all += $2 }
		END {
			for (i = 1; i <= NR; i++)
				if (p[i] > 0)
					sum += (n[i] - all * p[i]) ^ 2 / (all * p[i] * late)
			printf "# chi-square %.1f of %d samples\n", sum, all
			exit !all || sum > most
		}'
}

test_periodic() {
	must_build periodic gcc -O1 -pg "$programs/periodic.c" "$archive" || return
	GMON=stacks,verbose,rate=100 run_program periodic 10000000 2 40
	expect_in "40 percent in step with the samples are 40 percent" periodic 'near part0 4.5'
	expect_in "the ticks are the CPU time" periodic balance
	GMON=stacks,verbose,rate=97 run_program periodic 10309278 2 10 10 10 10 10 10 10 10 10 10
	expect_in "each tenth of the time between samples has as many of them" periodic 'uniform 39.3'
}

# balance [TICKS]: in err, the ticks of all three kinds, and how far their sum is from the CPU time that the program told:
# so many at most. Else what libgmon promises: two ticks, or less than a fiftieth, may be missing without a word
# (sample_unseen()), and a look may count four of the kernel's ticks and one before the first look ahead
# (clock_end_by_ticks(), clock_begin()); and one tick for what is used before main() and after it.
balance() {
	awk -v most="${1-}" -v tick="$(kernel_tick)" 'FILENAME == "out" { due += 100 * $3 }
		/ ticks in the program/ { n += $4 + $10 }
		/ ticks more belong to no function/ { unknown = $2 }
		END {
			off = n + unknown - due
			printf "# %d ticks, %d unknown, of %.1f\n", n, unknown, due
			missing = most == "" ? 1 + (due > 100 ? due / 50 : 2) : most
			ahead = most == "" ? 2 + 500 * tick : most
			exit off > ahead || -off > missing
		}' out err
}

test_brief() {
	must_build brief gcc -O1 -pg -pthread "$programs/brief-work.c" "$archive" || return
	GMON=stacks,verbose run_program brief 700 3000000
	# 4.5 times the square root of 210; what is missed by more than 3 times that is unknown.
	expect_in "threads of 3 ms: the ticks are the CPU time, but for chance" brief 'balance 65'
	expect_in "... and each part of them has its share" brief 'near first 4.5'
}

test_blocked() {
	must_build blocked gcc -O1 -pg "$srcdir/tests/explain/programs/blocked.c" "$archive" || return
	run_program blocked
	echo 'CPU all 0.63' >"$scratch/blocked/out"
	expect_in "time while the program blocks the signal is unknown" blocked 'balance &&
		awk "/ ticks more belong to no function/ { n = \$2 } END { exit n < 57 }" err && sampled gmon.out 0 0.06'
	must_build clocks gcc -O1 -pg "$programs/clocks.c" "$archive" || return
	run_program clocks block
	echo 'CPU all 0.5' >"$scratch/clocks/out"
	expect_in "... also if there was no sample at all" clocks 'balance && sampled gmon.out 0 0'
}

make_scratch
what=places
test_periodic
test_brief
test_blocked
tap_done
