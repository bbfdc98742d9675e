# SPDX-License-Identifier: GPL-3.0-or-later
# The entries of a call graph: "entry NAME" for each function, "arc CALLER CALLEE" for each callee's line.
# With counts=1, the number of calls behind them, for an entry as N or N+OWN if it has any.

function bare(line) {
	sub(/ [[(][0-9]+[])]$/, "", line)
	sub(/ <cycle [0-9]+>$/, "", line)
	return line
}

function name_of(line) {
	line = bare(line)
	sub(/.* /, "", line)
	return line
}

# The calls before the name; those of the callee as a whole, behind a slash, aside.
function count_of(line) {
	if (!counts)
		return ""
	line = bare(line)
	sub(/ +[^ ]+$/, "", line)
	sub(/.* /, "", line)
	sub(/\/.*/, "", line)
	return line ~ /^[0-9+]+$/ ? " " line : ""
}

/^---/ { caller = ""; next }
/^Index by function name/ { exit }
/^\[/ {
	caller = / as a whole> \[/ ? "" : name_of($0)
	if (caller != "")
		print "entry", caller count_of($0)
	next
}
caller != "" && / [[(][0-9]+[])]$/ { print "arc", caller, name_of($0) count_of($0) }
