# SPDX-License-Identifier: GPL-3.0-or-later
# Whether callgrind_annotate shows what the call graph says. Files: ours (gprof -b -q), with=1 the functions with
# callees and their arcs (--inclusive=yes --tree=both), with=0 the functions alone. unit is what a second has in the
# file. In their whole numbers, what a function has and gets from its callees is what it brings its callers. Prints what differs, by more than the call graph's two decimals allow, and ends with "compared N M":
# functions and arcs.
#
# Functions of one name are compared as a set, since one has its address in the file's name and an index number
# in ours. Where there are cycles, exports estimate times otherwise than our report: model.sh has an oracle for
# these, and here own times and calls are compared. A function whose calls come from itself alone has what our report
# says of it; others what their callers get.

# A name as both have it: no blanks, nothing that was added to tell it from others.
function plain(name) {
	sub(/ \(([^()]*:[0-9]+ )?@ [0-9a-f]+\)$/, "", name)
	gsub(/[ \t]/, "", name)
	return name
}

# Our line: sets self, children, calls and name.
function take(line,  n, word, i) {
	cycle = match(line, / <cycle [0-9]+> [[(][0-9]+[])]$/) ? substr(line, RSTART, RLENGTH) : ""
	sub(/ [[(][0-9]+[])]$/, "", cycle)
	sub(/ [[(][0-9]+[])]$/, "", line)
	sub(/ <cycle [0-9]+>$/, "", line)
	if (sub(/^\[[0-9]+\] */, "", line))
		sub(/^[0-9.]+ +/, "", line)
	sub(/^ */, "", line)
	self = children = ""
	if (match(line, /^[0-9]+\.[0-9][0-9] +[0-9]+\.[0-9][0-9] /)) {
		split(substr(line, 1, RLENGTH), word, " ")
		self = word[1]
		children = word[2]
		line = substr(line, RLENGTH + 1)
		sub(/^ */, "", line)
	}
	calls = ""
	if (match(line, /^[0-9]+([\/+][0-9]+)?( |$)/)) {
		calls = substr(line, 1, RLENGTH)
		sub(/^[0-9+\/]+ */, "", line)
		gsub(/ /, "", calls)
	}
	name = plain(line)
}

# The entry that ended: what it has with its callees, with what may be wrong by rounding.
function end_entry() {
	if (entry == "")
		return
	if (outside > 0)
		add("with", entry, brought, 0.0051 * 2 * outside + 1e-6)
	else
		add("with", entry, entry_self + entry_children, 0.0102)
	add("self", entry, entry_self, 0.0051)
	listed[entry] = 1
	if (entry_cycle != "")
		in_cycle[entry] = 1
	entry = ""
	nentries++
}

# A value of ours, kept in order of size among those of the same key.
function add(what, name, value, error,  key, i) {
	key = what SUBSEP name
	value += 0
	for (i = count[key]++; i > 0 && ours[key, i - 1] > value; i--) {
		ours[key, i] = ours[key, i - 1]
		off[key, i] = off[key, i - 1]
	}
	ours[key, i] = value
	off[key, i] = error
}

function add_theirs(what, name, value,  key, i) {
	key = what SUBSEP name
	value += 0
	for (i = counted[key]++; i > 0 && theirs[key, i - 1] > value; i--)
		theirs[key, i] = theirs[key, i - 1]
	theirs[key, i] = value
}

# Whether theirs is about a function that has no entry in ours, and costs nothing: nobody calls it.
function is_idle(key, part,  i) {
	if (part[2] in listed)
		return 0
	for (i = 0; i < counted[key]; i++)
		if (part[1] != "calls" && theirs[key, i] != 0)
			return 0
	return 1
}

function compare(  key, i, part) {
	for (key in counted) {
		split(key, part, SUBSEP)
		if (!(key in count) && !is_idle(key, part))
			count[key] = 0
	}
	for (key in count) {
		split(key, part, SUBSEP)
		if (cyclic && (part[1] == "with" || part[1] == "arc"))
			continue
		if (count[key] != counted[key] + 0) {
			print part[1], part[2], part[3] ": ours", count[key] + 0, "theirs", counted[key] + 0
			continue
		}
		for (i = 0; i < count[key]; i++)
			if (theirs[key, i] - ours[key, i] > off[key, i] || ours[key, i] - theirs[key, i] > off[key, i])
				print part[1], part[2], part[3] ": ours", ours[key, i], "theirs", theirs[key, i]
	}
	for (name in listed)
		if (count["with", name] == 1 && !(name in in_cycle) && star[name] != alone[name] + got[name])
			print name ": brings", star[name], "of", alone[name] + got[name]
	print "compared", nentries + 0, narcs + 0
}

FNR == 1 { file++ }
file == 1 && / <cycle [0-9]+>/ { cyclic = 1 }

# Ours: callers, the entry, its callees.
file == 1 && /^Index by function name/ { over = 1 }
file == 1 && over { next }
file == 1 && /^---/ {
	end_entry()
	brought = outside = 0
	whole = 0
	next
}
file == 1 && /^\[/ {
	whole = / as a whole> \[/
	if (whole)
		next
	take($0)
	entry = name
	entry_cycle = cycle
	entry_self = self
	entry_children = children
	next
}
file == 1 && / [[(][0-9]+[])]$/ && !whole {
	take($0)
	if (entry == "") {
		# Callers from inside have no "/ALL".
		if (calls ~ /^[1-9][0-9]*\//) {
			brought += self + children
			outside++
		}
		next
	}
	times = self
	sub(/\/.*/, "", calls)
	if (calls == 0)
		next
	narcs++
	add("calls", entry SUBSEP name, calls, 0)
	if (times != "")
		add("arc", entry SUBSEP name, self + children, 0.0102)
	else
		inside[entry, name] = 1
	next
}

# Theirs: "COST (SHARE)  * FILE:NAME [OBJECT]" and, below, "> FILE:NAME (CALLSx) [OBJECT]".
file > 1 && /^ *[0-9][0-9,]* +(\( *[0-9.]+%\))? +[*<>]? *[^ ]*:/ {
	line = $0
	match(line, /^ *[0-9][0-9,]*/)
	cost = substr(line, 1, RLENGTH)
	line = substr(line, RLENGTH + 1)
	gsub(/[ ,]/, "", cost)
	sub(/^ *\( *[0-9.]+%\)/, "", line)
	sub(/^ */, "", line)
	kind = substr(line, 1, 1)
	if (with)
		line = substr(line, 2)
	sub(/^ */, "", line)
	# Where a call comes from inlined code, it lists the caller once more, with that code's file and without an object.
	again = kind == "*" && cost == 0 && !sub(/ \[[^]]*\]$/, "", line)
	sub(/ \[[^]]*\]$/, "", line)
	sub(/^[^:]*:/, "", line)
	if (!with) {
		add_theirs("self", plain(line), cost / unit)
		alone[plain(line)] += cost
	} else if (kind == "*") {
		callers = plain(line)
		if (!again)
			add_theirs("with", callers, cost / unit)
		star[callers] += cost
	} else if (kind == ">") {
		match(line, / \([0-9,]+x\)$/)
		calls = substr(line, RSTART + 2, RLENGTH - 4)
		gsub(/,/, "", calls)
		line = plain(substr(line, 1, RSTART - 1))
		add_theirs("calls", callers SUBSEP line, calls)
		if (line != callers)
			got[callers] += cost
		if (!((callers, line) in inside))
			add_theirs("arc", callers SUBSEP line, cost / unit)
	}
}

END {
	compare()
}
