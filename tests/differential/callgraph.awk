# SPDX-License-Identifier: GPL-3.0-or-later
# The entries of a call graph: "entry NAME" for each function, "arc CALLER CALLEE" for each callee's line.
# Names are without their blanks. With counts=1 the number of calls behind them, for an entry as N or N+OWN,
# if it has any.

# Sets count, that before the name, without the "/ALL" of a callee that others call too.
function name_of(line) {
	sub(/ [[(][0-9]+[])]$/, "", line)
	sub(/ <cycle [0-9]+>$/, "", line)
	sub(/^(\[[0-9]+\])? */, "", line)
	count = ""
	while (match(line, /^[0-9.+\/]+ +/)) {
		count = substr(line, 1, RLENGTH)
		line = substr(line, RLENGTH + 1)
	}
	sub(/[\/ ].*/, "", count)
	count = counts && count ~ /^[0-9+]+$/ ? " " count : ""
	gsub(/ /, "", line)
	return line
}

/^---/ { caller = ""; next }
/^Index by function name/ { exit }
/^\[/ {
	caller = / as a whole> \[/ ? "" : name_of($0)
	if (caller != "")
		print "entry", caller count
	next
}
caller != "" && / [[(][0-9]+[])]$/ {
	name = name_of($0)
	print "arc", caller, name count
}
