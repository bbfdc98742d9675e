#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: callgrind csv json pprof webpage
#
# Lines and addresses in exports: -l changes no byte of an export, whose functions have the same times with it and
# without; the lines of a function add up to its own time, those of call sites to the arc's; they are the lines of
# the flat profile by line; addr2line has the same lines and inlined functions at the addresses; `go tool pprof -list'
# and callgrind_annotate show time per line.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later; functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
. "$srcdir/tests/lib/frames.sh"

make_program() {
	cat >work.h <<-END
		static inline int step(int x)
		{
			for (int i = 0; i < 200; i++)
				x = x * 1103515245 + (x % 7);
			return x;
		}
	END
	cat >work.c <<-END
		#include "work.h"

		static inline int twice(int x)
		{
			x = step(x);
			return x + 1;
		}

		__attribute__((noinline)) int leaf(int x)
		{
			for (int i = 0; i < 200; i++)
				x = x / 3 + i;
			return twice(x);
		}

		__attribute__((noinline)) int work(int x)
		{
			x = leaf(x);
			for (int i = 0; i < 9; i++)
				x ^= i * x;
			x += leaf(x ^ 1);
			x += leaf(x ^ 2);
			return x;
		}

		int main(void)
		{
			int x = 1;

			for (int i = 0; i < 100000; i++)
				x = work(x);
			return x == 42;
		}
	END
	"$CC" -g -O1 -pg work.c -o a.out 2>log && ./a.out
}

check_same() {
	for format in callgrind csv csv,table=arcs csv,table=lines dot flamegraph folded json pprof speedscope webpage; do
		"$GPROF" --export=$format -o without 2>err && "$GPROF" -l --export=$format -o with 2>>err
		expect "$1, $format: -l changes nothing" cmp -s without with
	done
}

# What lines NAME NUMBER in the file `parts' add up to by name is what those of `wholes' say.
adds_up() {
	awk 'FNR == 1 { file++ } file == 1 { sum[$1] += $2; next } { whole[$1] += $2 }
		END {
			for (name in sum)
				if (sum[name] != whole[name])
					print name, sum[name], whole[name]
			for (name in whole)
				if (whole[name] && !(name in sum))
					print name, "has no line"
		}' parts wholes >said
	[ ! -s said ] && [ -s parts ]
}

# value KEY: of a record of JSON, in awk.
value='function value(key) {
	return match($0, "\"" key "\":[0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : 0 }'

check_sums() {
	"$GPROF" --export=json -o all.json --export=csv -o flat.csv --export=csv,table=lines -o lines.csv --export=callgrind \
		-o callgrind --export=pprof -o gprof.pb.gz 2>err
	for key in self samples; do
		awk "$value"' /^\{"symbol":/ { print value("symbol"), value("'$key'") }' all.json >parts
		awk "$value"' /^\{"id":/ { print value("id"), value("'$key'") }' all.json >wholes
		expect "json: $key of lines" adds_up
	done
	for key in calls time; do
		awk "$value"' /^\{"arc":/ { print value("arc"), value("'$key'") }' all.json >parts
		awk "$value"' /^\{"from":/ { print n++, value("'$key'") }' all.json >wholes
		expect "json: $key of call sites" adds_up
	done
	awk -F , 'NR > 1 { print $3, $5 * 1e9 }' lines.csv >parts
	awk -F , 'NR > 1 { print $1, $2 * 1e9 }' flat.csv >wholes
	expect 'csv' adds_up
	awk '/^fn=/ { sub(/^fn=/, ""); n = $1; if (NF > 1) name[n] = $2; call = 0 }
		/^cfn=/ { sub(/^cfn=/, ""); if (NF > 1) name[$1] = $2 }
		/^calls=/ { call = 1; next }
		/^[0-9]+ [0-9]+$/ { if (!call) print name[n], $2; call = 0 }' callgrind >parts
	awk -F , 'NR > 1 { gsub(/"/, ""); print $1, $2 * 1e9 }' flat.csv >wholes
	expect 'callgrind' adds_up
	zcat gprof.pb.gz | "$TOOLS/pprofdump" | awk '/^sample / && $4 > 0 {
		n = split($0, frame, / \| /)
		for (i = 2; frame[i] ~ /^\+/; i++);
		print frame[i], $4
	}' >parts
	expect 'pprof' adds_up
}

# By line as the flat profile by line has it, which has two decimals. A sample in code without lines, as the PLT has, is of
# none in both. Code of line 0, which clang marks as of no line, is of none in exports, and of the line before it in the flat
# profile: lines there may have so much more as exports have in code of no line.
check_report() {
	"$GPROF" -l -b -p 2>err | awk '$3 > 0 && match($0, /\([^ ]+:[0-9]+ @/) {
		print substr($0, RSTART + 1, RLENGTH - 3), $3 }' | sort >wholes
	awk -F , 'NR > 1 && $2 + 0 > 0 { sub(/^"(.*\/)?/, ""); sub(/"/, ""); print $1 ":" $2, $5 }' lines.csv | sort >parts
	none=$(awk -F , 'NR > 1 && $2 + 0 == 0 { sum += $5 } END { print sum + 0 }' lines.csv)
	awk -v none="$none" 'FNR == 1 { file++ } file == 1 { sum[$1] += $2; next } { whole[$1] += $2; n[$1]++ }
		END {
			for (line in sum) {
				room = 0.0051 * (n[line] + 1)
				if (sum[line] - whole[line] > room || whole[line] - sum[line] > room + none)
					print line, sum[line], whole[line]
			}
			for (line in whole)
				if (!(line in sum) && whole[line] > none + 0.0051 * n[line])
					print line, "is missing"
		}' parts wholes >said
	expect 'lines are those of the flat profile by line' '[ ! -s said ] && [ -s parts ]'
}

# Lines "ADDRESS LINE FUNCTION LINE FUNCTION ...", the innermost first.
check_addresses() {
	obstacle=$(frames_obstacle)
	if [ -n "$obstacle" ]; then
		tap_skip 'addresses' "$obstacle"
		return
	fi
	zcat gprof.pb.gz | "$TOOLS/pprofdump" | sed -n 's/^location //p' | sed 's/ [<|] / /g' | sort >all
	# Code without lines has a name of its own choice in each.
	awk 'NF != 3 || $2 != 0' all >said
	sed 's/ .*//; s/^/0x/' all | $symbolizer -afie a.out | sed 's/ (disc.*//' | awk '
		/^0x/ { sub(/^0x0*/, ""); if (NR > 1) print ""; printf "%s", $0; first = NR; next }
		(NR - first) % 2 { name = $1; next }
		{ sub(/.*:/, ""); printf " %s %s", $0, name }
		END { print "" }' | awk 'NF != 3 || $2 + 0 > 0' >expected
	expect 'addresses have the lines and inlined functions that addr2line says' cmp -s said expected
	expect 'two functions are inlined at some' grep -q ' step .* twice .* leaf$' said
	awk "$value"'
		/^\{"symbol":/ &&
		/"function":"step",[^}]*,"line":4},\{"function":"twice"[^}]*,"line":5},\{"function":"leaf"/ {
			n += value("self")
		}
		END { exit n == 0 }' all.json
	tap_check $? 'json has both, with the lines of the calls that they were'
}

# numbers LINE: the two of -list of a line of the source, in milliseconds.
numbers() {
	sed -n "s/^ *\\([0-9.]*\\)[ms]* *\\([0-9.]*\\)[ms]* *$1:.*/\\1 \\2/p" shown | head -n 1
}

check_viewers() {
	go=$(command -v go || find /usr/lib/go-*/bin/go 2>/dev/null | tail -n 1)
	if [ -z "$go" ]; then
		tap_skip 'go tool pprof -list' 'no go (Debian package golang-go)'
	else
		HOME=$scratch PPROF_TMPDIR=$scratch
		export HOME PPROF_TMPDIR
		"$go" tool pprof -unit=ms -list '^(step|leaf|work)$' a.out gprof.pb.gz >shown 2>err
		step=$(awk -F , '/work\.h"/ { n += $5 * 1000 } END { printf "%.0f\n", n }' lines.csv)
		evidence='err shown'
		expect "pprof -list: a file of its own for what was inlined, $step ms" grep -q "^ *${step}ms *${step}ms .flat, cum" shown
		# A sample in the line's own code, as of its return, is of both; one in twice() itself is of what was inlined.
		inlined=$(awk -F , 'NR > 1 && $4 != "" { n += $5 * 1000 } END { printf "%.0f\n", n }' lines.csv)
		expect "and the line that called it, $inlined ms" '[ "$(numbers 13 | awk "{ print \$2 - \$1 }")" = "$inlined" ]'
		expect 'a call site' '[ -n "$(numbers 21 | awk "\$2 > 0")" ]'
		"$go" tool pprof -unit=ms -noinlines -top -cum gprof.pb.gz >shown 2>err
		awk -F , 'NR > 1 { gsub(/"/, ""); printf "%.0fms %.0fms %s\n", $2 * 1000, ($2 + $3) * 1000, $1 }' flat.csv | sort >expected
		sed '1,/flat%/d' shown | awk '{ print $1 == 0 ? "0ms" : $1, $4 == 0 ? "0ms" : $4, $6 }' | sort >said
		expect 'pprof -top -cum -noinlines is the flat profile' cmp -s said expected
		evidence='err said'
	fi
	if ! command -v callgrind_annotate >log; then
		tap_skip 'callgrind_annotate' 'no callgrind_annotate (Debian package valgrind)'
		return
	fi
	callgrind_annotate --auto=yes callgrind >shown 2>err
	line=$(awk -F , '$1 ~ /work\.h"/ && $2 == 4 { printf "%.0f", $5 * 1e9 }' lines.csv)
	tr -d , <shown | grep -F 'x = x * 1103515245' >said
	expect "callgrind_annotate: line 4 of work.h has $line" grep -q "^ *$line " said
	grep -A 1 'x += leaf(x ^ 1)' shown >said
	expect 'and a call stands at its line' grep -q '=> .*work.c:leaf .*x)' said
}

make_scratch
cd "$scratch" || exit 99
make_golden cycles
check_same cycles
if make_program; then
	check_same work
	check_sums
	check_report
	check_addresses
	check_viewers
else
	tap_skip 'lines' "$CC -pg does not work here"
fi
tap_done
