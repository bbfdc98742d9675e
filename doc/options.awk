# SPDX-License-Identifier: GPL-3.0-or-later
# Makes doc/options.texi, the manual's part about options, of the table of options and the texts about them:
#
#   awk -f options.awk src/run/options.def doc/manual/options-*.texi
#
# Letters, names, arguments and the one-line help come from the table. In the texts a line
#
#   @c option NAME
#
# where NAME is the long name, or the letter of an option that has none, becomes the heading of that
# option; all else is copied, and a table of all options is added. The texts have to stand in the order of the table. What is amiss is said
# on standard error, and with -v check=1 the status is 1 then.

function texi(text) {
	gsub(/[@{}]/, "@&", text)
	return text
}

function complain(text) {
	print "options.awk: " text >"/dev/stderr"
	complaints++
}

# The forms in which option i can be given, one of them in each of form[1] to form[the result].
function forms(i, form,  n, argument) {
	argument = "@var{" texi(metavariable[i]) "}"
	n = 0
	if (letter[i] != "") {
		form[++n] = "-" letter[i]
		if (name[i] == "" && takes[i] == "REQUIRED")
			form[n] = form[n] " " argument
		else if (name[i] == "" && takes[i] == "OPTIONAL")
			form[n] = form[n] "[" argument "]"
	}
	if (name[i] != "") {
		form[++n] = "--" name[i]
		if (takes[i] == "REQUIRED")
			form[n] = form[n] "=" argument
		else if (takes[i] == "OPTIONAL")
			form[n] = form[n] "[=" argument "]"
	}
	return n
}

function heading(i,  n, f, form, line) {
	print "@node Option " key[i]
	n = forms(i, form)
	line = "@subsection "
	for (f = 1; f <= n; f++)
		line = line (f > 1 ? ", " : "") "@option{" form[f] "}"
	print line
	if (letter[i] != "")
		print "@opindex -" letter[i]
	if (name[i] != "")
		print "@opindex --" name[i]
	print "@i{" toupper(substr(help[i], 1, 1)) texi(substr(help[i], 2)) ".}"
}

function summary(  i, n, f, form) {
	print "@node Option Summary"
	print "@section All options in one table"
	print ""
	print "@table @option"
	for (i = 1; i <= rows; i++) {
		n = forms(i, form)
		print "@item " form[1]
		for (f = 2; f <= n; f++)
			print "@itemx " form[f]
		print texi(help[i]) (told[i] ? " (@pxref{Option " key[i] "})" : "")
	}
	print "@end table"
	print ""
}

FNR == 1 { files++ }

files == 1 && /^(OPT|OWN)\(/ {
	rows++
	letter[rows] = $0 ~ /^O..\('/ ? substr($0, 6, 1) : ""
	split($0, part, "\"")
	name[rows] = part[2]
	takes[rows] = part[3]
	gsub(/[, ]/, "", takes[rows])
	metavariable[rows] = part[4]
	help[rows] = part[6]
	key[rows] = name[rows] != "" ? name[rows] : letter[rows]
	row_of[key[rows]] = rows
}
files == 1 { next }

FNR == 1 && files == 2 { print "@c Made by options.awk: edit src/run/options.def or doc/manual/options-*.texi." }
FNR == 1 && /^@c SPDX/ { next }
/^@c option / {
	row = row_of[$3]
	if (!row) {
		complain(FILENAME ":" FNR ": no option " $3)
		next
	}
	if (told[row]++)
		complain(FILENAME ":" FNR ": a second text about " $3)
	if (row < last)
		complain(FILENAME ":" FNR ": " $3 " stands before " key[last] " in the table")
	last = row
	heading(row)
	next
}
{ print }

END {
	if (!rows)
		complain("no options")
	for (i = 1; i <= rows; i++) {
		if (!told[i])
			complain("no text about " key[i])
	}
	summary()
	if (check && complaints)
		exit 1
}
