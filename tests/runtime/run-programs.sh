#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gprof --run on programs as they are in Debian's packages: their output and exit status are what they are without, and
# nearly all stacks are complete; so they are where containers refuse what other profilers need. With SLOW, of so many
# samples that it counts for each program.
# shellcheck disable=SC2016,SC2034,SC2086 # commands for other shells; words that expect reads; words
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"
let_nobody_in "$@"

make_scratch
cd "$scratch" || exit 99
unset GMON
size=1
rate=100
[ -z "$SLOW" ] || {
	size=8
	rate=250
}

# What may be a script on some machines.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)

total=0 incomplete=0
# same_with STATUS NAME COMMAND...: alone, and by gprof --run, with the same bytes on standard output.
same_with() {
	wanted=$1 name=$2
	shift 2
	if ! command -v "${1:-python3}" >/dev/null; then
		tap_skip "$name" "no $1: install Debian package $(package_of "${1:-python3}")"
		return
	fi
	timeout 300 "$@" >alone 2>alone.err </dev/null
	echo $? >alone.status
	timeout 300 "$GPROF" -b --inclusive -o - --run=rate=$rate,keep=kept "$@" >both 2>both.err </dev/null
	status=$?
	expect "$name: its exit status is kept" '[ "$status" = "$wanted" ] && [ "$(cat alone.status)" = "$wanted" ]'
	head -c "$(wc -c <alone)" both >its
	same "$name: its output is as it was" its alone
	tail -c "+$(($(wc -c <alone) + 1))" both >report
	complete_stacks report >share
	read -r samples complete <share || return
	expect "$name: it has samples" '[ "${samples:-0}" -gt 0 ]'
	total=$((total + samples))
	incomplete=$((incomplete + $(awk -v n="$samples" -v c="$complete" 'BEGIN { printf "%d", n * (100 - c) / 100 + 0.5 }')))
	[ -z "$SLOW" ] || {
		echo "$name: $samples samples, $complete % of complete stacks" | tap_note
		expect "$name: 99.5 % of the stacks are complete" 'awk -v c="$complete" "BEGIN { exit !(c >= 99.5) }"'
	}
	rm -f kept kept.*
}

i=0
while [ $i -lt $size ]; do
	head -c 700000 "$GPROF"
	i=$((i + 1))
done >bytes
awk -v n=$((size * 100000)) 'BEGIN { srand(7); for (i = 0; i < n; i++) printf "%d line %d\n", rand() * 1e9, i }' >lines
sed 's/7/8/' lines >changed
same_with 0 xz xz -9 -c bytes
same_with 0 python3 "$python" -c "
import hashlib
d = {}
for i in range($size * 400000):
    d[i % 1000] = d.get(i % 1000, 0) + i
print(hashlib.sha256(repr(sorted(d.items())).encode()).hexdigest())"
same_with 3 'python3 that exits' "$python" -c "
for i in range($size * 1500000): pass
raise SystemExit(3)"
same_with 139 'python3 that crashes' "$python" -c "
import os
for i in range($size * 1500000): pass
os.kill(os.getpid(), 11)"
same_with 3 perl perl -e 'my %h; for (1 .. '$size' * 900000) { $h{$_ % 997} .= chr(65 + $_ % 26); } print length(join "", values %h), "\n"; exit 3;'
same_with 1 git git diff --no-index --patience --stat lines changed
same_with 0 sort sort -k3 -n lines
same_with 3 sqlite3 sqlite3 :memory: "with recursive c(x) as (select 1 union all select x + 1 from c where x < $size * 400000) select sum(x * x % 7) from c;" '.exit 3'
if compiler=$(${CXX:-c++} -print-prog-name=cc1plus 2>/dev/null) && [ -x "$compiler" ]; then
	printf '#include <algorithm>\n#include <map>\n#include <string>\n%s\nint main() { std::map<std::string, int> m; return (int)m.size(); }\n' \
		"$([ -z "$SLOW" ] || printf '#include <regex>\n#include <random>\n#include <iostream>\nbool f(const std::string &s) { return std::regex_search(s, std::regex("a*b")); }\n')" >x.cc
	$CXX -E x.cc >x.ii
	same_with 0 cc1plus "$compiler" -quiet -fpreprocessed -O2 x.ii -o -
fi
echo "$total samples, of which $incomplete are of incomplete stacks" | tap_note
expect 'nearly all stacks are complete' '[ $total -gt 50 ] && [ $((incomplete * 200)) -le $((total + 200)) ]'

# As in a container.
mkdir refuse plain
if gcc -O1 "$programs/refuse.c" -o refuse/refuse 2>/dev/null && build plain "$CC" -O2 -pthread "$programs/plain.c"; then
	refused='perf_event_open ptrace process_vm_readv process_vm_writev'
	refuse/refuse $refused -- /bin/true
	if [ $? = 77 ]; then
		tap_skip 'without rights' 'no filter of system calls can be had'
	else
		run refuse/refuse $refused -- "$GPROF" -b -p -o - --run plain/a.out 200
		expect 'where the system calls of other profilers are refused' '[ "$status" = 0 ] && [ "$(grep -c . err)" -le 1 ] && has_time work 0.3'
		run refuse/refuse $refused -- "$GPROF" -b -p -o - --run sh -c 'plain/a.out 100; exit 3'
		expect 'with children, too' '[ "$status" = 3 ] && grep -q " work$" out'
		if [ "$(id -u)" = 0 ] && can_be_nobody 'as an ordinary user'; then
			mkdir -m 1777 anybody
			chmod -R a+rX .
			run env TMPDIR="$scratch/anybody" $as_nobody refuse/refuse $refused -- "$GPROF" -b -p -o - --run plain/a.out 200
			expect 'as an ordinary user' '[ "$status" = 0 ] && has_time work 0.3'
		fi
	fi
fi

# Threads of a program that knows nothing of us.
mkdir workers maths
if build workers "$CC" -O1 -pthread "$programs/workers.c"; then
	# A thread has samples of what it had used at its last one, as the kernel says, give or take what a look may count ahead or
	# behind: see sampling.sh. What it used after that nobody saw; all that nobody saw is a row, if it is a fiftieth.
	run "$GPROF" -b --thread-view -o - --run=rate=200,keep=kept workers/a.out 8 $((size * 100))
	"$TOOLS/extdump" kept.ext >dump
	awk -v late="$(kernel_tick | awk '{ print 5 * $1 + 1 / 200 }')" '
		FILENAME == "dump" && $1 == "thread" { known[$3] = $4 / 1e9; next }
		/^w[0-9]+ / { truth[$1] = $2; sum += $2; next }
		$NF in truth { seen[$NF] = $2; all += $2 }
		NF == 4 && $4 == 0 { unknown = $2 } # the thread without a number
		END {
			for (w in truth)
				if (seen[w] > truth[w] + late || seen[w] < known[w] - late || known[w] > truth[w] + 0.01)
					print w, seen[w], "of", truth[w], "and", known[w], "at its last sample"
			if (all + unknown < 0.98 * sum - 0.02) print "all:", all, "and", unknown, "of", sum
		}' dump out >off
	expect 'eight threads are there' '[ "$(grep -c "^w" out)" = 8 ]'
	check 'each has its CPU time' "$(cat off)"
fi

# Libraries.
if build maths "$CC" -O1 -g "$programs/maths.c" -lm; then
	run "$GPROF" -b -p -q -o - --run=rate=200 maths/a.out $((size * 1000))
	read -r share all <out
	awk -v share="$share" -v all="$all" '
		/^Flat profile/ { flat = 1 } /Call graph/ { flat = 0 }
		flat && $NF ~ /@libm\.so/ { libm += $3 }
		flat && $1 ~ /^[0-9.]+$/ && NF > 3 { total += $3 }
		END {
			n = total * 200; sigma = sqrt(n * share * (1 - share)) / n
			off = libm / total - share
			# What calls, and looks at the clock, is outside.
			if (total < all * 0.97 - 0.02 || total > all * 1.03 + 0.02) print "total", total, "of", all
			if (off > 5 * sigma || off < -5 * sigma - 0.12) print "libm", libm / total, "of", share
		}' out >off
	check 'the time in libm is there, and all adds up to the CPU time' "$(cat off)"
	awk '
		/^-----/ { callers = ""; next }
		/^\[/ {
			if ($0 ~ /@libm\.so/ && callers !~ / mathematics/ && callers !~ /@libm/)
				print
			next
		}
		{ callers = callers $0 }' out >lost
	check 'below its caller' "$(cat lost)"
fi

# Ctrl-C.
# types NAME STATUS CONDITION SCRIPT: what comes of Ctrl-C, typed when the script says that it is ready.
types() {
	run "$TOOLS/pty" -1 -i ready "$GPROF" -b -p --run sh -c "$4"
	if [ "$status" = 77 ]; then
		tap_skip "$1" 'no terminals to be had'
	else
		expect "$1" "[ \"\$status\" = $2 ] && $3 && grep -q 'Flat profile' out"
	fi
}
types 'Ctrl-C reaches the program, and there is a report' 5 'grep -q caught out' 'trap "echo caught; exit 5" INT; echo ready; while :; do :; done'
types 'also if it dies of it' 130 true 'echo ready; while :; do :; done'
tap_done
