# SPDX-License-Identifier: GPL-3.0-or-later
# One form for what the program printed (arcs.c), with step=1 and extern=1 if calls from outside it are
# recorded, and for what gprof says: step=2, the call graph (callgraph.awk counts=1), step=3, the flat profile.
#   arc CALLER CALLEE COUNT   calls NAME COUNT   flat NAME COUNT, without calls of itself
# Of gprof's, just what concerns the functions of the first.

step == 1 { known[$3] = 1 }
step == 1 && ($2 != "-" || extern) {
	arc[$2 " " $3] += $4
	calls[$3] += $4
	flat[$3] += $2 == $3 ? 0 : $4
}
step == 2 && $1 == "arc" && $2 in known { print; next }
step == 2 && $1 == "entry" && $2 in known && NF == 3 {
	split($3, part, "+")
	print "calls", $2, part[1] + part[2]
}
step == 3 && NF == 7 && $7 in known && $4 ~ /^[0-9]+$/ { print "flat", $7, $4 }

END {
	if (step > 1)
		exit
	for (key in arc)
		if (key !~ /^-/)
			print "arc", key, arc[key]
	for (name in calls) {
		print "calls", name, calls[name]
		print "flat", name, flat[name]
	}
}
