#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GMON=clock=wall: how long threads wait, and where, as the programs themselves measure it; and that nothing else is as
# it would not be without it.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# dump PROFILE: into the file dump; an error is a line that begins with "unsound".
dump() {
	nm -n a.out >syms
	"$TOOLS/stackdump" "$1" syms >dump 2>&1 || echo "unsound: status $?" >>dump
}

# waited LOW HIGH PATTERN: milliseconds on the stacks, "QUALITY THREAD FUNCTION;...", of the last dump that it matches.
waited() {
	awk -v low="$1" -v high="$2" -v pattern="$3" '$1 == "wait" { n = $2; $1 = $2 = ""; if ($0 ~ pattern) sum += n / 1000 }
		END { if (sum < low || sum > high) { print "# waited " sum " ms"; exit 1 } }' dump
}

# waited_as NAME PATTERN [MS]: two thirds of what was asked for at least, and what the program has measured for first_wait or
# second_wait at most, with a look's hundredth of a second, or so many milliseconds.
waited_as() {
	waited 200 "$(awk -v name="$1" -v more="${3:-10}" '$1 == "TOOK" && $2 == name { sum += $3 / 1000 } END { print sum + more }' out)" "$2"
}

# as_measured SHARE ALL: the time of each function is what the program has measured, within SHARE, and that of all
# within ALL.
as_measured() {
	awk -v share="$1" -v all="$2" 'function off(seen, is) { return (seen > is ? seen - is : is - seen) / is }
		$1 == "wait" { for (n = split($5, f, ";"); n; n--) if (f[n] ~ /^way_/) seen[f[n]] += $2 }
		$1 == "WAIT" { ways++; sum += seen[$2]; is += $3
			if (off(seen[$2], $3) > share) { print "# " $2 ": " seen[$2] " us, measured " $3; bad = 1 } }
		END { if (off(sum, is) > all) { print "# all: " sum " us, measured " is; bad = 1 }
			exit bad || ways != 7 }' dump out
}

make_scratch
what=waits
must_build waits gcc -O2 -pg -pthread -I"$srcdir/include" "$programs/waits.c" "$archive" || tap_done
cd "$scratch/waits" || exit 99
chmod 777 .

# tries WHAT MODE CONDITION [TIMES [REASON]]: runs the program, which finds all as it should be, and looks at its profile; so many
# times at most, where what others do on the machine can be in the way. REASON: why it may not be permitted.
tries() {
	left=${4:-1}
	until [ "$left" = 0 ]; do
		left=$((left - 1))
		rm -f gmon.*
		GMON=clock=wall,verbose run ./a.out "$2" 300
		[ ! -f gmon.out ] || dump gmon.out
		[ "$left" = 0 ] || ! eval "$3" || left=0
	done
	if [ "$(cat status)" = 77 ]; then
		tap_skip "$1" "${5:-not permitted here}"
	else
		expect "$1" "[ \"\$(cat status)\" = 0 ] && grep -q '^as it should\$' out && $3"
	fi
}

test_setuid() {
	tries 'who gives up rights has no thread that keeps them' setuid 'waited_as second_wait ";second_wait;"'
}

first='only root may put another process before all others (SCHED_FIFO)'
only_part

# Sums are what the kernel counts, however busy the machine is; each wait may begin and end between two looks.
what=waiters
must_build waiters gcc -O2 -pg -pthread "$programs/waiters.c" "$archive" || tap_done
cd "$scratch/waiters" || exit 99
GMON=clock=wall run ./a.out 500
dump gmon.out
expect 'waits of seven kinds in eight threads: no call is interrupted' '[ "$(cat status)" = 0 ] && grep -q "^BROKEN 0$" out'
expect '... the times are those that the program measures' 'as_measured 0.15 0.03'
expect '... the file has two kinds of ticks' \
	'grep -q "^kind 0 100 seconds s cpu$" dump && grep -q "^kind 1 1000000 seconds s off-cpu$" dump && ! grep -q "^unsound" dump'
expect '... each stack is known to its end, and has the system call as its leaf' \
	'awk "
		\$1 == \"wait\" && /;way_/ {
			n++
			bad += !(\$3 ~ /complete|guessed/ && \$5 ~ /;live;wait_by;way_.*;0x[1-8][0-9a-f][0-9a-f][0-9a-f]\$/)
		}
		END { exit bad > 0 || n < 50 }" dump'
expect '... and the threads were watched all their life' '[ "$(grep -c "^watched" dump)" -ge 9 ]'
"$GPROF" -b --inclusive --clock=wall a.out >report 2>err
expect '... which gprof shows' 'awk "\$NF ~ /^way_/ && \$4 > 3 { n++ } END { exit n != 7 }" report'

cd "$scratch/waits" || exit 99
# The program measures less: the thread begins before that, and the helper is asked afterwards, which takes a second at most.
tries 'a thread that is blocked when the program exits has waited until then' exit 'waited_as first_wait ";blocked;.*;0x[1-8]" 1000'
tries 'when the first thread ends, the last one ends the program' last 'waited_as first_wait ";last;first_wait;"'
tries 'the program has the descriptors that it would have' descriptors 'waited_as first_wait ";first_wait;"'
tries 'gmon_reset() forgets what was waited' reset 'waited_as second_wait ";second_wait;" && waited 0 0 ";first_wait;"'
by_root test_setuid 'who gives up rights has no thread that keeps them'
tries 'a filter of system calls kills nobody' sandbox 'waited_as first_wait ";first_wait;"'
tries 'the child of a fork has a helper of its own' fork \
	'waited_as first_wait ";first_wait;" && waited 0 0 ";second_wait;" && dump gmon.out.[0-9]*[0-9] && waited_as second_wait ";second_wait;" && waited 0 0 ";first_wait;"'
tries 'time in which a thread was runnable is no waiting' line 'waited 10 80 ";stand_in_line;"' 3 "$first"
tries 'a thread that has ended has waited until then, not until somebody sees it' unseen 'waited 280 350 ";wait_and_end;first_wait;"' 3 "$first"
tries 'of threads that compute until they end, the time in the queue is known' compete \
	'awk "
		\$1 == \"QUEUED\" { is = \$2 }
		\$1 == \"watched\" { seen += \$4 / 1000 }
		END { print \"# \" seen, is; exit seen < is * 0.8 || seen > is * 1.05 }" out dump' 3
tries 'exec() is as without' exec true
rm -f gmon.*
GMON=clock=wall run ./a.out dump 300
dump gmon.out
expect 'gmon_dump() has what was waited until then' 'waited_as first_wait ";first_wait;"'
rm -f gmon.*
GMON=clock=wall,crash run ./a.out kill 600
"$TOOLS/stackdump" -l gmon.out.live syms >dump 2>/dev/null
expect 'and GMON=crash most of it' 'waited 200 800 ";first_wait;"'

# What is not attributed when the program ends, up to a fifth of a second, must not be missing. The program waits when it
# is watched, and measures that; from then on all waiting together is what the kernel counts.
what='a wait that is watched'
if must_build watched "$CC" -O1 "$programs/wait-watched.c"; then
	run "$GPROF" --run=clock=wall --export=folded -o folded "$scratch/watched/a.out"
	expect 'gprof --run has all that was waited until the end' '[ "$status" = 0 ] &&
		awk "\$1 == \"last_wait\" { is = \$2 } /waiting: / { sum += \$NF }
			END { print \"# \" sum, is; exit is < 250000000 || sum < is - 5000000 }" out folded'
fi

# The error that is shown for waiting, against what many short runs are off: the sum of the squares of both. With 48
# runs, less those that a busy machine kept from looking twice, and errors that are right to 1.5, their ratio is between 0.24 and 3.1 but for once in 50,000 times.
what=shares
must_build shares gcc -O2 -pg "$programs/wait-shares.c" "$archive" || tap_done
cd "$scratch/shares" || exit 99

# share_of SEED: "OFF ERROR" of the time in wait_a of one run, in seconds. All waiting together is exact.
share_of() {
	mkdir "$1" && cd "$1" || return
	GMON=clock=wall ../a.out 250 "$((1000 + $1 % 3 * 12000))" "$1" >out 2>err &&
		"$GPROF" --export=csv -o csv ../a.out 2>>err
	awk -F '[, ]' 'NR == FNR { is[$1] = $2; next }
		/^"wait_[ab]"/ { name = substr($1, 2, 6); seen[name] = $(NF - 1); if (name == "wait_a") error = $NF }
		END { all = seen["wait_a"] + seen["wait_b"]; print seen["wait_a"] - all * is["wait_a"] / (is["wait_a"] + is["wait_b"]), error }' out csv
}

run_seeds() {
	for seed in $(seq "$1" 4 48); do
		(share_of "$seed") >"off$seed"
	done
}

for first in 1 2 3 4; do
	run_seeds "$first" &
done
wait
cat off* >offs
expect 'the error of waiting is what runs are off' 'awk "
	NF == 2 && \$2 > 0 { n++; off += \$1 ^ 2; error += \$2 ^ 2 }
	END {
		print \"# \" n \" runs, off \" sqrt(off / n) \", said \" sqrt(error / n)
		exit !(n > 40 && off > 0.24 * error && off < 3.1 * error)
	}" offs'
tap_done
