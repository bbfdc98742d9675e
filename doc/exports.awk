# SPDX-License-Identifier: GPL-3.0-or-later
# Makes doc/exports.texi, the manual's chapter about exports, of the table of formats and the texts about them:
#
#   awk -f exports.awk src/export/formats.def doc/manual/export.texi
#
# In the text a line
#
#   @c format NAME     becomes the heading of that format, with what its row says
#   @c formats         becomes a table of all formats
#
# and all else is copied. The formats have to stand in the order of the table. What is amiss is said on standard
# error, and with -v check=1 the status is 1 then.

function complain(text) {
	print "exports.awk: " text >"/dev/stderr"
	complaints++
}

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

/^FORMAT\(/ && FILENAME ~ /\.def$/ {
	rows++
	name[rows] = $0
	gsub(/^FORMAT\(|,.*/, "", name[rows])
	split($0, part, "\"")
	file[rows] = part[2]
	needs[rows] = part[3]
	help[rows] = part[4]
	row_of[name[rows]] = rows
}
FILENAME ~ /\.def$/ { next }

FNR == 1 { print "@c Made by exports.awk: edit src/export/formats.def or doc/manual/export.texi." }
FNR == 1 && /^@c SPDX/ { next }
/^@c format / {
	row = row_of[$3]
	if (!row) {
		complain(FILENAME ":" FNR ": no format " $3)
		next
	}
	if (told[row]++)
		complain(FILENAME ":" FNR ": a second text about " $3)
	if (row < last)
		complain(FILENAME ":" FNR ": " $3 " stands before " name[last] " in the table")
	last = row
	heading(row)
	next
}
/^@c formats$/ {
	summary()
	next
}
{ print }

END {
	if (!rows)
		complain("no formats")
	for (i = 1; i <= rows; i++) {
		if (!told[i])
			complain("no text about " name[i])
	}
	if (check && complaints)
		exit 1
}
