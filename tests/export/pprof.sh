#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: pprof
#
# --export=pprof: read by a decoder of our own and, where there is one, by `go tool pprof', whose totals are ours.
# shellcheck disable=SC2317 # functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

# decoded OPTION...: what pprofdump says of the export, in `said'.
decoded() {
	rm -f said
	"$GPROF" --export=pprof "$@" 2>err && zcat gprof.pb.gz >raw && "$TOOLS/pprofdump" <raw >said
}

check_golden() {
	for name in $(golden_names); do
		make_golden "$name"
		total="total $(golden_totals "$name")"
		decoded
		expect "$name: $total" said_line "$total"
	done
}

check_cycles() {
	make_golden cycles
	decoded
	expect 'types' said_line 'type cpu nanoseconds'
	expect 'default type' said_line 'default cpu'
	expect 'period' said_line 'period 10000000 cpu nanoseconds'
	expect 'mapping' said_line 'mapping 401000 401160 78 a.out '
	expect 'a path that is cut where it comes back' said_line 'sample 30 0 300000000 | r | q | p | main'
	expect 'calls within a cycle, with the caller alone' said_line 'sample 0 5 0 | p | r'
	expect 'recursion' said_line 'sample 0 9 0 | t | t'
	expect 'the mark' grep -q '^comment .*estimated from call counts' said
	decoded -a --no-demangle
	cp gprof.pb.gz first
	decoded -a --no-demangle
	expect 'twice the same bytes' cmp -s first gprof.pb.gz
	decoded a.out gmon.out gmon.2
	expect 'two files' said_line 'total 293 69 2930000000'
}

check_others() {
	make_golden no-rate
	decoded
	expect 'without samples calls are the default' said_line 'default calls'
	expect 'calls without samples' said_line 'total 0 4 0'
	decoded a.out gmon.2
	expect 'a rate of 0: no time' said_line 'total 4 4'
	expect 'but samples' said_line 'default samples'
	make_golden dimension
	decoded
	expect 'a dimension other than time' said_line 'total 4 4'
	make_half_cycle
	decoded
	expect 'a cycle without a member that is not listed' said_line 'total 3 2 30000000'
	make_saturated
	decoded
	expect 'calls beyond 2^63' said_line 'sample 0 4611686018427387904 0 | work | main'
	expect 'scaled to fit' grep -q '^total 0 92233720368547758' said
	expect 'and said so' grep -q '^comment calls are scaled' said
}

check_names() {
	make_golden demangle
	decoded
	expect 'names of the source and of the linker' said_line 'function foo(int) | _Z3fooi |  0'
	expect 'alike names are told apart' said_line 'function Box::Box() (@ 401020) | _ZN3BoxC1Ev |  0'
	make_hostile
	decoded
	expect 'hostile names' said_line 'total 55 55 550000000'
	expect 'no character that terminals obey' [ "$(grep -c '[[:cntrl:]]' said)" = 0 ]
	expect 'bytes that are no text' grep -q '^function .*x.* | .*x.* |  0' said
	expect 'a name of 3,000 columns' [ "$(awk 'length > 3000' said | wc -l)" -gt 1 ]
	expect 'names that are no ASCII' said_line "function $wide | $wide |  0"
	decoded --no-demangle
	expect 'raw names' said_line "function $long | $long |  0"
}

# Debug information gives files and lines, the linker a build-id.
check_program() {
	cat >prog.c <<-END
		int work(int n)
		{
			int i, sum = 0;
			for (i = 0; i < n; i++)
				sum += i & n;
			return sum;
		}
		int main(void)
		{
			return work(3) == 99;
		}
	END
	if ! "$CC" -g -O0 -pg -Wl,--build-id=0x0123456789abcdef prog.c -o a.out 2>log || ! ./a.out; then
		tap_skip 'files, lines and build-id' 'the compiler has no -pg'
		return
	fi
	decoded
	expect 'file and line of a function' grep -q '^function work | work | .*prog\.c 2$' said
	expect 'build-id' grep -q '^mapping .* a\.out 0123456789abcdef$' said
	expect 'a call' said_line 'sample 0 1 0 | work | main'
}

# totals FILE [OPTION...]: by the reader of pprof, as our decoder has them.
go_totals() {
	"$go" tool pprof -raw "$1" 2>>err | awk '
		/^Samples:/ { body = 1; next }
		/^Locations/ { body = 0 }
		body && /:/ { sub(/:.*/, ""); n = NF; for (i = 1; i <= n; i++) sum[i] += $i }
		END { printf "total"; for (i = 1; i <= n; i++) printf " %.0f", sum[i]; print "" }'
}

# The last line of the head of -top and the like: "Showing nodes accounting for X, Y% of X total".
go_shows() {
	"$go" tool pprof "$@" gprof.pb.gz 2>>err >shown
}

check_go() {
	: >err
	if ! "$go" tool pprof -h >log 2>&1 && ! grep -q 'usage' log; then
		tap_skip 'go tool pprof' 'no go (Debian package golang-go)'
		return
	fi
	HOME=$scratch PPROF_TMPDIR=$scratch
	export HOME PPROF_TMPDIR
	for name in cycles demangle recursion histograms hostile; do
		if [ $name = hostile ]; then make_hostile; else make_golden $name; fi
		decoded
		total=$(go_totals gprof.pb.gz)
		expect "go, $name: $total" said_line "$total"
	done
	make_golden cycles
	decoded
	go_shows -top
	expect 'go -top' grep -q 'of 2.75s total\|of 2750ms total' shown
	expect 'go -top, own time of a function' grep -q '^ *500ms 18.18% .* t$' shown
	go_shows -top -sample_index=calls
	expect 'go -top, calls' grep -q 'of 57 total' shown
	go_shows -tree -sample_index=calls
	expect 'go -tree, an arc' grep -q '^  *5 .*|   r$' shown
	go_shows -traces
	expect 'go -traces' grep -q '^ *300ms   r$' shown
	go_shows -top -diff_base=gprof.pb.gz
	expect 'go -diff_base with itself: nothing' grep -q 'accounting for 0, 0% of 2.75s total' shown
	[ ! -s err ] || tap_note <err
}

go=$(command -v go || find /usr/lib/go-*/bin/go 2>/dev/null | tail -n 1)
make_scratch
cd "$scratch" || exit 99
check_golden
check_cycles
check_others
check_names
check_program
check_go
tap_done
