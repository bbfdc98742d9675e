# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the texts about options of the table of options and of what the manual's chapters say about them:
#
#   awk -f texts.awk -f options.awk src/export/formats.def src/run/line/options.def doc/manual/options-*.texi
#
# prints doc/options.texi, for the manual, and with -v man=1 what man.awk puts into gprof.1.
# Groups, letters, names, arguments and the one-line help come from the table. In the texts a line
#
#   @c option NAME
#
# where NAME is the long name, or the letter of an option that has none, begins the text about that option, in the
# order of the table. The manual gets all of it, and a table of all options. The manual page gets what comes before
# the first example, but for a last paragraph that ends in a colon, which belongs to the example.
#
# What is amiss is said on standard error, and with -v check=1 the status is 1 then.

function texi(text) {
	gsub(/[@{}]/, "@&", text)
	return text
}

BEGIN { maker = "options.awk" }

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

# All of them in one line.
function title(i,  n, f, form, line) {
	n = forms(i, form)
	for (f = 1; f <= n; f++)
		line = line (f > 1 ? ", " : "") "@option{" form[f] "}"
	return line
}

function heading(i) {
	print "@node Option " key[i]
	print "@subsection " title(i)
	if (letter[i] != "")
		print "@opindex -" letter[i]
	if (name[i] != "")
		print "@opindex --" name[i]
	print "@i{" sentence(i) "}"
}

# The help as a sentence, in which options and the argument are marked up.
function sentence(i,  n, word, w, line) {
	n = split(toupper(substr(help[i], 1, 1)) substr(help[i], 2) ".", word, " ")
	for (w = 1; w <= n; w++) {
		word[w] = texi(word[w])
		if (match(word[w], /^--?[A-Za-z][A-Za-z-]*/))
			word[w] = "@option{" substr(word[w], 1, RLENGTH) "}" substr(word[w], RLENGTH + 1)
		else if (word[w] == metavariable[i])
			word[w] = "@var{" word[w] "}"
		line = line (w > 1 ? " " : "") word[w]
	}
	return line
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
		print sentence(i) (told[i] ? " (@pxref{Option " key[i] "})" : "")
	}
	print "@end table"
	print ""
}

# The options as the manual page has them: a heading and a table for each group.
function manual_page(  i) {
	for (i = 1; i <= rows; i++) {
		if (group[i] != "") {
			print (i > 1 ? "@end table\n" : "") "@subheading " group[i]
			print "@table @asis"
		}
		gsub(/^\n+|\n+$/, "", about[i])
		print "@item " title(i)
		print sentence(i)
		print about[i]
	}
	print "@end table"
}

FILENAME ~ /formats\.def$/ {
	if (/^FORMAT\(/) {
		match($0, /\([a-z]+/)
		formats = formats (formats != "" ? ", " : "") substr($0, RSTART + 1, RLENGTH - 1)
	}
	next
}

FNR == 1 { files++ }

files == 1 && /^GROUP\(/ {
	split($0, part, "\"")
	group[rows + 1] = part[2]
}

files == 1 && /^(OPT|OWN)\(/ {
	rows++
	letter[rows] = $0 ~ /^O..\('/ ? substr($0, 6, 1) : ""
	split($0, part, "\"")
	name[rows] = part[2]
	takes[rows] = part[3]
	gsub(/[, ]/, "", takes[rows])
	metavariable[rows] = part[4]
	help[rows] = part[6]
	sub(/@FORMATS@$/, formats, help[rows])
	key[rows] = name[rows] != "" ? name[rows] : letter[rows]
	row_of[key[rows]] = rows
}
files == 1 { next }

FNR == 1 { row = 0 }
FNR == 1 && files == 2 && !man { print "@c Made by options.awk: edit src/run/line/options.def or doc/manual/options-*.texi." }
FNR == 1 && /^@c SPDX/ { next }
/^@c option / {
	if (begin_text("option") && !man)
		heading(row)
	next
}
!man {
	print
	next
}
/^@c [a-z]+: / && row {
	sub(/(^|\n\n)([^\n]+\n)*[^\n]+:\n*$/, "", about[row])
	row = 0
}
row { about[row] = about[row] $0 "\n" }

END {
	check_texts("option")
	if (man)
		manual_page()
	else
		summary()
	if (check && complaints)
		exit 1
}
