# SPDX-License-Identifier: GPL-3.0-or-later
# The entries of a call graph: "entry NAME" for each function, "arc CALLER CALLEE" for each callee's line.

function name_of(line) {
	sub(/ [[(][0-9]+[])]$/, "", line)
	sub(/ <cycle [0-9]+>$/, "", line)
	sub(/.* /, "", line)
	return line
}

/^---/ { caller = ""; next }
/^Index by function name/ { exit }
/^\[/ { caller = / as a whole> \[/ ? "" : name_of($0); if (caller != "") print "entry", caller; next }
caller != "" && / [[(][0-9]+[])]$/ { print "arc", caller, name_of($0) }
