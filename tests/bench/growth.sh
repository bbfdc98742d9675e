#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Doubling the input must not more than 2.3-fold the instructions, of the program or of any function of ours
# that has a hundredth of them, with what it calls. Callgrind counts, so the machine's noise does not matter.
#
# usage: growth.sh [WORKLOAD]...
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

limit=2.3
wanted=$*
: "${VALGRIND=$(command -v valgrind)}"
# What callgrind counts is written when gprof ends, from inside of its sandbox.
GPROF_SANDBOX=no
export GPROF_SANDBOX
[ -n "$VALGRIND" ] || tap_skip_all "no valgrind (Debian package valgrind)"
command -v callgrind_annotate >/dev/null || tap_skip_all "no callgrind_annotate (Debian package valgrind)"
[ -z "$INSTRUMENTED" ] || tap_skip_all "the $INSTRUMENTED build counts itself"

# count_instructions DIR [WORD]...: "INSTRUCTIONS FUNCTION" of all that the program did, in DIR/counts, ours alone. A
# recursive function has a line for each level that callgrind tells apart; the outermost counts.
count_instructions() {
	cd "$1" || exit 99
	shift
	"$VALGRIND" -q --tool=callgrind --callgrind-out-file=callgrind.%p "$GPROF" "$@" \
		>/dev/null 2>err || return 1
	# The parent, who only waits, has a file as well.
	mv "$(awk '/^(summary|totals):/ && $2 > most { most = $2; file = FILENAME } END { print file }' \
		callgrind.[0-9]*)" callgrind.out || return 1
	callgrind_annotate --inclusive=yes --threshold=100 --auto=no callgrind.out 2>>err | awk '
		/PROGRAM TOTALS/ || /\/src\/[a-z_\/]*\.c:[a-z_.0-9]*[^0-9'\'']* \[/ {
			name = /PROGRAM TOTALS/ ? "program" : $0
			sub(/^.*\/src\//, "src/", name)
			sub(/ \[.*/, "", name)
			gsub(/,/, "", $1)
			if (name !~ /'\''[0-9]+$/ && !(name in seen))
				print $1, name
			seen[name]
		}' >counts
	[ -s counts ]
}

# make_workload DIR WORD...: a workload.
make_workload() {
	mkdir "$1" || exit 99
	dir=$1
	shift
	# shellcheck disable=SC2048,SC2086 # words
	"$TOOLS/mkworkload" $* "$dir" || exit 99
}

# count_workload NAME N WORD...: counts a workload of $make, in which $n is N, in $scratch/NAME.N; prints why it could not.
count_workload() {
	n=$2
	dir=$scratch/$1.$n
	shift 2
	make_workload "$dir" "$(eval "echo $make")"
	# shellcheck disable=SC2048,SC2086 # names of files
	(cd "$dir" && count_instructions . $*) && return
	cat "$dir/err"
	return 1
}

# compare_counts NAME N: of N and twice that; says what grew most, and in the file `too-much' what grew too much.
compare_counts() {
	awk -v limit=$limit -v name="$1" -v list="$scratch/too-much" '
		NR == FNR { before[$2] = $1; next }
		$2 == "program" { total = $1; printf "%s: %.3g instructions, %.2f times\n", name, $1, $1 / before[$2] }
		$1 <= total / 100 || !before[$2] { next }
		{ times = $1 / before[$2] }
		times > limit { printf "%s %.2f times, %.1f %%\n", $2, times, 100 * $1 / total >list }
		times > most { most = times; at = $2 }
		END { printf "most: %s %.2f times\n", at, most }' \
		"$scratch/$1.$2/counts" "$scratch/$1.$(($2 * 2))/counts"
}

# grows NAME N 'WORDS OF MKWORKLOAD' [WORD]...: $n in the former is N, then twice that; what grows too much is
# looked at once more, from there to the next double, as some costs come in steps. The words are gprof's; 0*
# are names of files.
grows() {
	name=$1 from=$2 make=$3
	shift 3
	# shellcheck disable=SC2086 # words
	chosen "$name" $wanted || return 0
	: >"$scratch/too-much"
	(
		count_workload "$name" "$from" "$@" && count_workload "$name" $((2 * from)) "$@" || exit 1
		compare_counts "$name" "$from"
		[ -s "$scratch/too-much" ] || exit 0
		mv "$scratch/too-much" "$scratch/first"
		: >"$scratch/too-much"
		count_workload "$name" $((4 * from)) "$@" || exit 1
		compare_counts "$name" $((2 * from))
		awk 'NR == FNR { first[$1]; next } $1 in first { print "too much, twice:", $0; bad = 1 } END { exit bad }' \
			"$scratch/first" "$scratch/too-much"
	) >"$scratch/notes"
	tap_check $? "$name: twice the input costs at most $limit times"
	tap_note <"$scratch/notes"
	rm -rf "$scratch/$name".*
}

make_scratch
# shellcheck disable=SC2016 # for eval
{
	grows symbols 50000 'one $n' -b
	grows dense 10000 'one $n rows=3 dense=1' -b -p
	grows zeros 10000 'one $n rows=3' -b -z
	grows statics 5000 'tree $n rows=2 statics=50' -b
	grows counts 5000 'tree $n rows=2' -b -C
	grows order 5000 'power $n rows=2' -b -r
	grows functions 3000 'power $n arcs=5 rows=2' -b
	grows arcs 20 'power 1000 arcs=$n rows=2' -b
	grows uniform 20 'uniform 1000 arcs=$n rows=2' -b
	grows hub 5000 'hub $n rows=1' -b
	grows fanin 5000 'fanin $n rows=1' -b
	grows chain 5000 'chain $n rows=1' -b
	grows ring 3000 'ring $n rows=1' -b
	grows cycles 5000 'cycles $n rows=1' -b
	grows lines 1000 'power $n size=400 rows=50' -b -l -p
	grows export-calls 3000 'power $n arcs=5 rows=2 dense=1' --export=callgrind -o -
	grows export-paths 5000 'tree $n rows=1 dense=1' --export=speedscope -o - --export=folded -o -
	grows export-cycles 5000 'cycles $n rows=1 dense=1' --export=speedscope -o - --export=callgrind -o -
	grows export-data 3000 'power $n arcs=5 rows=2 dense=1' --export=json -o - --export=csv -o - \
		--export=csv,table=arcs -o -
	grows export-graph 5000 'cycles $n rows=1' --export=dot,node=0,edge=0 -o - --export=dot,root=f1,depth=9 -o -
	grows export-pprof 5000 'tree $n rows=1 dense=1' --export=pprof -o -
	grows sum 20 'uniform 1000 arcs=200 share=50 files=$n' -s a.out '0*'
	grows files 20 'uniform 1000 arcs=200 share=50 files=$n' -b a.out '0*'
}
tap_done
