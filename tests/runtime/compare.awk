# SPDX-License-Identifier: GPL-3.0-or-later
# Reads step=1 a program's own lines "ARC CALLER CALLEE COUNT", step=2 the arcs of its call graph
# (callgraph.awk, counts=1), step=3 its flat profile; prints where they differ. A caller `*' is any. Only
# functions that the program speaks of are compared, but those with all callers. A flat profile counts no
# calls of a function by itself. Compilers number nested functions: such a number is left away.

function number(n) { return sprintf("%.0f", n) }
function differ(what, true, found) {
	if (true != found)
		print what ": " number(true) " calls, reported " number(found)
}

step == 2 {
	sub(/\.[0-9]+$/, "", $2)
	sub(/\.[0-9]+$/, "", $3)
}

step == 1 && $1 == "ARC" {
	known[$3] = 1
	if ($2 == "*")
		any[$3] = 1
	if ($4 > 0)
		seen = 1
	truth[$2 " " $3] += $4
	if ($2 != $3)
		calls[$3] += $4
}
step == 2 && $1 == "arc" && ($3 in known) {
	found[(($3 in any) ? "*" : $2) " " $3] += $4
}
step == 3 && /^ *[0-9.]+ / && NF >= 7 {
	n = $4
	sub(/^ +/, "")
	while (sub(/^[0-9.]+ +/, ""))
		;
	gsub(/ /, "")
	sub(/\.[0-9]+$/, "")
	if ($0 in known)
		flat[$0] += n
}

END {
	if (!seen)
		print "the program told nothing"
	for (pair in truth)
		differ("call graph, " pair, truth[pair], found[pair])
	for (pair in found)
		if (!(pair in truth))
			differ("call graph, " pair, 0, found[pair])
	for (name in calls)
		differ("flat profile, " name, calls[name], flat[name])
}
