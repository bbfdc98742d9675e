# SPDX-License-Identifier: GPL-3.0-or-later
# Whether the transcript is as the manual shows it:
#
#   awk [-v loose=1] [-v unordered=1] -f match.awk SHOWN SEEN
#
# Empty lines and blanks at the ends of lines count nothing. A line "..." in SHOWN stands for any lines,
# "..." in a line for any text; where that is none, one of the blanks around it may be missing. With loose=1,
# what differs from run to run and from machine to machine is not compared: numbers with a point, addresses,
# numbers of entries in brackets, units of time, how many blanks stand in between. With unordered=1, nor is
# the order of lines.

function normal(line) {
	gsub(/[\f\r]/, "", line)
	if (loose) {
		gsub(/[0-9]+\.[0-9]+/, "#", line)
		gsub(/0x[0-9a-f]+/, "0x#", line)
		gsub(/\[[0-9]+\]/, "[#]", line)
		gsub(/@ [0-9a-f]+\)/, "@ #)", line)
		gsub(/[a-zA-Z]?s\/call/, "#/call", line)
		gsub(/gmon\.out\.[0-9]+/, "gmon.out.#", line)
		gsub(/[ \t]+/, " ", line)
		sub(/^ /, "", line)
	}
	sub(/[ \t]+$/, "", line)
	return line
}

# What follows in the text on the part that begins at `at`: with the blank that may stand for those on both sides of "...".
function behind(part, text, at) {
	text = substr(text, at + length(part))
	return part == "" || part ~ / $/ ? " " text : text
}

function same(pattern, text,  n, part, i, at) {
	n = split(pattern, part, /\.\.\./)
	if (n <= 1)
		return pattern == text
	if (substr(text, 1, length(part[1])) != part[1])
		return 0
	text = behind(part[1], text, 1)
	for (i = 2; i < n; i++) {
		at = index(text, part[i])
		if (!at)
			return 0
		text = behind(part[i], text, at)
	}
	return length(text) >= length(part[n]) &&
		substr(text, length(text) - length(part[n]) + 1) == part[n]
}

# Each line shown is one of those seen; there are others only if "..." is shown.
function same_lines(  i, j, left, rest) {
	left = nseen
	for (i = 1; i <= nshown; i++) {
		if (shown[i] == "...") {
			rest = 1
			continue
		}
		for (j = 1; j <= nseen && (taken[j] || !same(shown[i], seen[j])); j++)
			;
		if (j > nseen) {
			print "the manual has: " shown[i]
			return 0
		}
		taken[j] = 1
		left--
	}
	for (j = 1; j <= nseen && !rest; j++) {
		if (!taken[j])
			print "gprof wrote:    " seen[j]
	}
	return rest || !left
}

{ line = normal($0) }
line == "" { next }
FILENAME == ARGV[1] { shown[++nshown] = line; next }
{ seen[++nseen] = line }

END {
	if (unordered)
		exit !same_lines()
	i = j = 1
	while (j <= nseen || i <= nshown) {
		if (shown[i] == "..." && i <= nshown) {
			star = i++
			mark = j
		} else if (i <= nshown && j <= nseen && same(shown[i], seen[j])) {
			i++
			j++
			if (i > far)
				far = i
		} else if (star && mark <= nseen) {
			i = star + 1
			j = ++mark
		} else {
			if (far && far <= nshown)
				i = far
			print "the manual has: " (i <= nshown ? shown[i] : "nothing more")
			print "gprof wrote:    " (j <= nseen ? seen[j] : "nothing more")
			exit 1
		}
	}
	exit 0
}
