#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: dot
#
# --export=dot: what is drawn, by which keys; graphviz, where it is, draws every graph.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later; functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

# drawn [KEY=VALUE]... [-- OPTION...]: nodes by the first lines of their labels, and edges by their ends, in `said'.
drawn() {
	format="dot"
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		format=$format,$1
		shift
	done
	[ $# = 0 ] || shift
	"$GPROF" "--export=$format" "$@" 2>err || return
	awk '{
		label = $0
		sub(/^[^"]*label="/, "", label)
		sub(/".*/, "", label)
		gsub(/\\n/, " | ", label)
		gsub(/\\l */, " | ", label)
	}
	/^n[0-9]+ \[label/ {
		name[$1] = label
		sub(/ \|.*/, "", name[$1])
		print label
	}
	/^n[0-9]+ -> n/ { print name[$1] " -> " name[$3] ":" label (/style=dashed/ ? "dashed" : "") }' gprof.dot >said
}

# count_said COUNT PATTERN: so many lines of said have it.
count_said() {
	[ "$(grep -c "$2" said)" = "$1" ]
}

check_nodes() {
	make_golden basic
	drawn
	expect 'a function' said_line 'alpha | self 54.5 % (300 ms) | total 100.0 % (550 ms) | 3 calls'
	expect 'one that calls itself' said_line 'beta | self 36.4 % (200 ms) | total 36.4 % (200 ms) | 10+4 calls'
	expect 'calls with time' said_line 'alpha -> beta: 36.4 % | 200 ms | 10× | '
	expect 'without those under a half percent' count_said 0 gamma
	drawn node=0 edge=0
	expect 'all nodes' said_line 'gamma | self 0 % (0 s) | total 0 % (0 s) | 7 calls'
	expect 'all edges' said_line 'beta -> gamma: 0 % | 0 s | 7× | '
	expect 'none that is not called' count_said 0 idle
	drawn node=36 edge=36.5
	expect 'larger nodes' count_said 3 'self'
	expect 'larger edges' count_said 1 ' -> '
	expect 'how many are drawn' grep -q '3 of 5 nodes; the others have under 36 % of the time' gprof.dot
}

# 100 functions: 80 are drawn, those with most time.
check_number() {
	awk 'BEGIN { print "text 0x401000 0x2000\nsym main 0x401000"
		for (i = 1; i < 100; i++) printf "sym f%d %d\n", i, 4198400 + 64 * i
		print "profile\nhist 0x401000 0x403000 2048 100"
		for (i = 1; i < 100; i++) printf "tick f%d %d\n", i, 1000 + i
		for (i = 1; i < 100; i++) printf "arc main f%d 1\n", i }' >many.profile
	make_profile many.profile
	drawn
	expect '80 nodes by default' '[ "$(grep -c "| self" said)" = 80 ] && grep -q "80 of 100 nodes, with most of the time: nodes=80" gprof.dot'
	expect 'those with most time' '[ "$(grep -c "^f[0-9]* | self" said)" = 79 ] && grep -q "^f21 |" said && ! grep -q "^f20 |" said'
	drawn nodes=1000
	expect 'more on demand' '[ "$(grep -c "| self" said)" = 100 ]'
}

check_cycles() {
	make_golden cycles
	drawn
	expect 'a cycle' said_line 'cycle 1 of 3 functions | p | q | r | self 21.8 % (600 ms) | total 46.4 % (1.27 s) | 2+12 calls'
	expect 'calls into a cycle' said_line 'main -> cycle 1 of 3 functions: 46.4 % | 1.27 s | 2× | '
	drawn cycles=show
	expect 'a member' said_line 'p | <cycle 1> | self 3.64 % (100 ms) | total 46.4 % (1.27 s) | 7 calls'
	expect 'calls within a cycle that lead back have no time' said_line 'r -> p: 5× | dashed'
	expect 'others have' said_line 'p -> q: 42.7 % | 1.18 s | 3× | dashed'
	drawn root=r cycles=show node=0 edge=0
	expect 'what r calls' [ "$(sed -n 's/ | .*self.*//p' said | tr '\n' ' ')" = 'p q r s t ' ]
	drawn root=r depth=1 cycles=show node=0 edge=0
	expect 'what r calls itself' [ "$(sed -n 's/ | .*self.*//p' said | tr '\n' ' ')" = 'p r s ' ]
	drawn depth=1
	expect 'what the first functions call' count_said 5 self
	drawn root=nothing
	expect 'an unknown root' grep -q "warning: --export=dot: no function 'nothing' was called or sampled" err
	make_golden basic
	drawn root=alpa
	expect 'a root that is spelt wrongly' \
		grep -q "no function 'alpa' was called or sampled; did you mean 'alpha'?" err
	make_golden cycles
	"$GPROF" --export=dot -o first
	"$GPROF" --export=dot -o second
	expect 'twice the same' cmp -s first second
}

check_others() {
	make_golden no-rate
	drawn
	expect 'calls alone' said_line 'main -> work: 4× | '
	drawn -- a.out gmon.2
	expect 'ticks of no rate' said_line 'work | self 75.0 % (3 samples) | total 75.0 % (3 samples) | 4 calls'
	make_saturated
	drawn
	expect 'calls of 2^64-1' said_line 'work -> leaf: 18446744073709551615× | '
	make_golden empty
	drawn
	expect 'nothing' [ ! -s said ]
	make_half_cycle
	drawn
	expect 'a cycle without a member that is not listed' count_said 1 '^cycle 1 of 2 functions | work | self'
	make_hostile
	drawn
	expect 'a long name is a short one' count_said 1 '^f |'
	expect 'and is whole behind' [ "$(awk 'length > 3000' gprof.dot | wc -l)" -gt 0 ]
	"$GPROF" --export=markdown -o table 2>>err
	expect 'so it is in a table of markdown' grep -qF '`f`' table
	expect 'alike names are told apart' count_said 1 '^same (@ 401120) |'
	expect 'a backslash is itself' grep -qF '"<a>&amp;\\;|$.' gprof.dot
	drawn -- --no-demangle
	expect 'a long name without arguments loses its middle' count_said 1 '^_Z1fI4PairIS0_IS0_IS0_IS0_IS0_IS0_IicE.*….*EvPT_ |'
}

# Names of 9,000 characters that become five bytes each; a cycle of them; their callers.
check_long() {
	name() { awk -v c="$1" 'BEGIN { while (n++ < 9000) printf "%s", c }'; }
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym $(name '&') 0x401020
		sym $(name 'b') 0x401040
		sym $(name '"') 0x401060
		profile
		hist 0x401000 0x401080 32 100
		tick 0x401020 3
		arc main $(name '&') 2
		arc $(name '&') $(name '"') 2
		arc $(name '"') $(name '&') 2
		arc $(name '"') $(name 'b') 2
	END
	for cycles in show collapse; do
		"$GPROF" --export=dot,node=0,edge=0,cycles=$cycles 2>err
		longest=$(grep -o '"\([^"\\]\|\\.\)*"' gprof.dot | awk 'length > n { n = length } END { print n }')
		expect "long names, cycles=$cycles: at most 16384 bytes between quotes" '[ "$longest" -gt 3000 ] && [ "$longest" -lt 16384 ]'
		if dot -V 2>log; then
			dot -Tsvg gprof.dot >svg 2>err
			expect "graphviz draws long names, cycles=$cycles" '[ "$(grep -c "class=\"node\"" svg)" -ge 3 ] && [ ! -s err ]'
		else
			tap_skip "graphviz draws long names, cycles=$cycles" 'no dot (Debian package graphviz)'
		fi
	done
}

# Nothing that graphviz remarks on, and all the nodes are there.
check_graphviz() {
	if ! dot -V 2>log; then
		tap_skip 'graphviz draws' 'no dot (Debian package graphviz)'
		return
	fi
	for name in $(golden_names) hostile saturated; do
		case $name in hostile | saturated) "make_$name" ;; *) make_golden "$name" ;; esac
		"$GPROF" --export=dot,node=0,edge=0,cycles=show 2>log
		"$GPROF" --export=dot,node=0,edge=0 -o collapsed.dot 2>log
		dot -Tsvg gprof.dot collapsed.dot >svg 2>err
		grep -c '^n[0-9]* \[' gprof.dot collapsed.dot >said
		nodes=$(cat gprof.dot collapsed.dot | grep -c '^n[0-9]* \[')
		expect "graphviz draws $name: $nodes nodes" [ "$(grep -c 'class="node"' svg)-$(cat err)" = "$nodes-" ]
	done
	make_hostile
	"$GPROF" --export=dot
	dot -Tsvg gprof.dot >said 2>err
	expect 'names as they are' grep -qF '>a,b &quot;q&quot; x</text>' said
	expect 'characters of graphviz and XML' grep -qF '>&lt;a&gt;&amp;\;|$.</text>' said
	expect 'the long name is in the tooltip' [ "$(awk '/xlink:title="void f/ && length > 3000' said | wc -l)" -gt 0 ]
}

make_scratch
cd "$scratch" || exit 99
check_nodes
check_number
check_cycles
check_others
check_long
check_graphviz
tap_done
