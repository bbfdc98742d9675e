# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the texts about export formats of the table of formats and of the manual's chapter about exports:
#
#   awk -f texts.awk -f exports.awk src/export/formats.def doc/manual/export.texi
#
# prints doc/exports.texi, for the manual, and with -v man=1 what man.awk puts into gprof.1. In the chapter a line
#
#   @c format NAME     begins the section of that format, in the order of the table
#   @c formats         stands for a table of all formats
#
# The manual gets all of the chapter; the manual page gets what is said of each format before its first example.
#
# What is amiss is said on standard error, and with -v check=1 the status is 1 then.

BEGIN { maker = "exports.awk" }

function summary(  i) {
	print "@table @code"
	for (i = 1; i <= rows; i++) {
		print "@item " name[i]
		print "@file{" file[i] "}, " help[i] " (@pxref{" name[i] "})"
	}
	print "@end table"
}

function heading(i) {
	print "@node " name[i]
	print "@section " name[i] ", " help[i]
	print "@cindex " name[i]
	print "@i{Writes @file{" file[i] "}" (needs[i] ~ /NEEDS_SAMPLES/ ? "; needs samples" : "") ".}"
}

# The formats as the manual page has them.
function manual_page(  i) {
	print "@table @asis"
	for (i = 1; i <= rows; i++) {
		print "@item @code{" name[i] "} (@file{" file[i] "})"
		gsub(/^\n+|\n+$/, "", about[i])
		print about[i]
	}
	print "@end table"
}

/^FORMAT\(/ && FILENAME ~ /\.def$/ {
	rows++
	name[rows] = $0
	gsub(/^FORMAT\(|,.*/, "", name[rows])
	split($0, part, "\"")
	file[rows] = part[2]
	needs[rows] = part[3]
	help[rows] = part[4]
	key[rows] = name[rows]
	row_of[name[rows]] = rows
}
FILENAME ~ /\.def$/ { next }

FNR == 1 && !man { print "@c Made by exports.awk: edit src/export/formats.def or doc/manual/export.texi." }
FNR == 1 && /^@c SPDX/ { next }
/^@c format / {
	if (begin_text("format") && !man)
		heading(row)
	next
}
/^@c formats$/ {
	if (!man)
		summary()
	next
}
!man {
	print
	next
}
/^@c [a-z]+: / { row = 0 }
row && !/^@cindex / { about[row] = about[row] $0 "\n" }

END {
	check_texts("format")
	if (man)
		manual_page()
	if (check && complaints)
		exit 1
}
