# SPDX-License-Identifier: GPL-3.0-or-later
# Takes the examples out of the manual's sources; README here has the convention.
#
#   awk -v out=DIR -f extract.awk FILE...
#
# writes each to DIR/NNN, numbered in order, and prints a line "NNN KIND WHAT FILE FIRST LAST OPTION": the
# lines of FILE between @example and @end example, and the option whose section it stands in, or "-".
# Examples without a directive have the KIND "none".

# The line of an example as it is printed.
function plain(line) {
	gsub(/@@/, "\001", line)
	gsub(/@\{/, "{", line)
	gsub(/@\}/, "}", line)
	if (line ~ /@/)
		line = line "   [a command of Texinfo in an example]"
	gsub(/\001/, "@", line)
	return line
}

function flush_directive() {
	kind = "none"
	what = "-"
}

FNR == 1 {
	option = "-"
	flush_directive()
	path = FILENAME
	sub(/^.*\/doc\//, "doc/", path)
}
/^@c option / { option = $3 }
/^@(chapter|section|unnumbered|appendix)/ { option = "-" }
/^@c (run|session|unordered|file): / {
	kind = $2
	sub(/:$/, "", kind)
	what = $3
	next
}
/^@(small)?(example|lisp|verbatim)$/ && !inside {
	literal = /verbatim/
	inside = 1
	first = FNR + 1
	name = sprintf("%03d", ++count)
	printf "" >(out "/" name)
	next
}
inside && /^@end (small)?(example|lisp|verbatim)$/ {
	print name, kind, what, path, first, FNR - 1, option
	close(out "/" name)
	inside = 0
	flush_directive()
	next
}
inside {
	line = $0
	if (line ~ /^@(group|end group)$/)
		next
	if (!literal && line ~ /@/)
		line = plain(line)
	print line >(out "/" name)
}
