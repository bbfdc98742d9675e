# SPDX-License-Identifier: GPL-3.0-or-later
# Whether the stacks of the folded and the speedscope format have the times of the callgrind format. Files: file=1
# callgrind, file=2 folded (mark=no), file=3 speedscope. Prints what is wrong, then "total N". With rests=1
# functions may have less than they should, with the difference under the rest's name.

function wrong(what) {
	if (++nwrong <= 10)
		print what
}

# Without what some formats escape or replace.
function plain(name) {
	gsub(/;/, ":", name)
	gsub(/\\u003c/, "<", name)
	gsub(/\\u003e/, ">", name)
	gsub(/\\u0026/, "\\&", name)
	gsub(/\\u0001/, "?", name)
	gsub(/\001/, "?", name)
	return name
}

# Own times by function: "fn=(1) name" or "fn=(1)", then "LINE COST". A line behind calls= is of the call.
file == 1 && /^c?fn=/ {
	match($0, /\([0-9]+\)/)
	id = substr($0, RSTART, RLENGTH)
	if (length($0) > RSTART + RLENGTH)
		fn[id] = plain(substr($0, RSTART + RLENGTH + 1))
	if (/^fn/)
		name = fn[id]
}
file == 1 && /^calls=/ { getline; next }
file == 1 && /^[0-9]+ [0-9]+$/ { self[name] += $2 }
file == 1 && /^totals: / { total = $2 }

file == 2 {
	match($0, / [0-9]+$/)
	cost = substr($0, RSTART + 1)
	n = split(substr($0, 1, RSTART - 1), frame, ";")
	folded[plain(frame[n])] += cost
	all += cost
	path = substr($0, 1, RSTART - 1)
	if (path in seen)
		wrong("twice: " path)
	seen[path] = 1
	for (i = 1; i <= n; i++)
		if (frame[i] == "")
			wrong("an empty frame in " path)
}

file == 3 && /^\{"name":/ {
	name = $0
	sub(/^\{"name":"/, "", name)
	sub(/"(,"file":.*|\}[],]?\}?,?)$/, "", name)
	frames[nframes++ + 0] = plain(name)
}
file == 3 && /"startValue":0,"endValue":/ {
	match($0, /"endValue":[0-9]+/)
	end = substr($0, RSTART + 11, RLENGTH - 11)
}
file == 3 && /^\{"type":"[OC]"/ {
	split($0, part, /[:,}]/)
	id = part[4]
	at = part[6]
	if (at < last)
		wrong("back in time: " $0)
	if (depth > 0)
		scoped[frames[open[depth]]] += at - last
	else if (at != last)
		wrong("time in no function: " $0)
	last = at
	if (/"O"/)
		open[++depth] = id
	else if (depth == 0 || open[depth--] != id)
		wrong("not what was opened: " $0)
}

END {
	if (all != total)
		wrong("folded: " all " of " total)
	if (end != total || last != total || depth != 0)
		wrong("speedscope: " last " up to " end " of " total ", depth " depth)
	for (name in self) {
		if (rests ? folded[name] > self[name] : folded[name] + 0 != self[name])
			wrong("folded: " name ": " folded[name] " of " self[name])
		if (folded[name] + 0 != scoped[name] + 0)
			wrong("speedscope: " name ": " scoped[name] ", folded " folded[name])
	}
	for (name in folded)
		if (!(name in self) && !(rests && name == "[not followed]"))
			wrong("folded: " name " is no function")
	print "total", total
}
