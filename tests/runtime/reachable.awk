# SPDX-License-Identifier: GPL-3.0-or-later
# From 'objdump -dr' of an object: the symbols that it does not define and that can be reached from the
# functions named in `from`. Taking a function's address counts as calling it.
/^[0-9a-f]+ <[^>]+>:$/ {
	name = $2
	gsub(/[<>:]/, "", name)
	defined[name] = 1
	next
}
# A jump or call inside the section.
/\t(call|jmp|j[a-z]+) / && match($0, /<[^>+]+(\+0x[0-9a-f]+)?>$/) {
	target = substr($0, RSTART + 1, RLENGTH - 2)
	sub(/\+.*/, "", target)
	edge(target)
}
/[ \t]R_[A-Z0-9_]+[ \t]/ {
	target = $NF
	sub(/[-+]0x[0-9a-f]+$/, "", target)
	edge(target)
}
function edge(target) {
	if (target != name && !((name, target) in seen)) {
		seen[name, target] = 1
		edges[name] = edges[name] " " target
	}
}
END {
	n = split(from, queue, " ")
	for (i = 1; i <= n; i++) {
		if (!(queue[i] in defined) && i <= split(from, start, " "))
			print queue[i] " is not there"
		if (queue[i] in done)
			continue
		done[queue[i]] = 1
		m = split(edges[queue[i]], next_ones, " ")
		for (k = 1; k <= m; k++)
			queue[++n] = next_ones[k]
	}
	for (reached in done)
		if (!(reached in defined) && reached !~ /^\./)
			print reached
}
