# SPDX-License-Identifier: GPL-3.0-or-later
# Fills the completion file of a shell with the options:
#
#   awk -f fill.awk formats.def options.def bash.in >gprof
#
# A line @NAME@ of the .in file stands for what is printed under that name below.

# Of the rows of options.def, 1 to `rows':
#   letter, name   "" for none
#   argument       NONE, REQUIRED, or OPTIONAL, which is glued
#   metavar        the argument's name
#   kind           of the argument: file if FILE or MAP is in its name, directory if DIR is; values if the help,
#                  without what is in parentheses, ends with a colon and words between commas, which are
#                  `values' then; "" if nobody knows
/^FORMAT\(/ {
	match($0, /\([a-z]+/)
	formats = formats (formats != "" ? ", " : "") substr($0, RSTART + 1, RLENGTH - 1)
}
/^(OPT|OWN)\(/ {
	rows++
	n = split($0, part, "\"")
	letter[rows] = part[1] ~ /'.'/ ? substr(part[1], index(part[1], "'") + 1, 1) : ""
	name[rows] = part[2]
	argument[rows] = part[3]
	gsub(/[ ,]/, "", argument[rows])
	metavar[rows] = part[4]
	help[rows] = part[6]
	for (i = 7; i < n; i++) # a quote in the help
		help[rows] = substr(help[rows], 1, length(help[rows]) - 1) "\"" part[i]
	sub(/@FORMATS@$/, formats, help[rows])
	if (argument[rows] == "NONE")
		next
	text = help[rows]
	gsub(/ \([^)]*\)/, "", text)
	if (match(text, /: [^ ,:]+((,|,? or) [^ ,:]+)+$/)) {
		kind[rows] = "values"
		values[rows] = substr(text, RSTART + 2)
		gsub(/(,|,? or) /, " ", values[rows])
	} else if (metavar[rows] ~ /FILE|MAP/)
		kind[rows] = "file"
	else if (metavar[rows] ~ /DIR/)
		kind[rows] = "directory"
}

# As one word of a shell. In fish, \' is a quote within quotes.
function quoted(text) {
	gsub(/'/, "'\\''", text)
	return "'" text "'"
}

# As pattern of a case: "-x | --name".
function spellings(row) {
	return (letter[row] != "" ? "-" letter[row] : "") (letter[row] != "" && name[row] != "" ? " | " : "") \
		(name[row] != "" ? "--" name[row] : "")
}

# The options whose argument may be the next word.
function apart(between,  i, text) {
	for (i = 1; i <= rows; i++)
		if (argument[i] == "REQUIRED")
			text = text (text != "" ? between : "") (between == " " ? bare(i) : spellings(i))
	return text
}
function bare(row,  text) {
	text = spellings(row)
	sub(/ [|]/, "", text)
	return text
}

function bash_options(  i, text) {
	for (i = 1; i <= rows; i++) {
		if (letter[i] != "")
			text = text " -" letter[i]
		if (name[i] != "")
			text = text " --" name[i] (argument[i] == "REQUIRED" ? "=" : "")
	}
	print "\tlocal options=" quoted(substr(text, 2))
}

function bash_arguments(  i) {
	for (i = 1; i <= rows; i++)
		if (kind[i] != "")
			printf "\t%s) %s ;;\n", spellings(i),
				kind[i] == "values" ? "what=(-W " quoted(values[i]) ")" : "what=(-A " kind[i] ")"
}

function zsh_argument(row,  action) {
	if (kind[row] == "values")
		action = "(" values[row] ")"
	else if (kind[row] != "")
		action = kind[row] == "file" ? "_files" : "_files -/"
	else
		action = " "
	return (argument[row] == "OPTIONAL" ? "::" : ":") metavar[row] ":" action
}

# An option with an argument may be repeated; of two spellings without one, either is enough.
function zsh_options(  i, text) {
	for (i = 1; i <= rows; i++) {
		text = help[i]
		gsub(/[][\\]/, "\\\\&", text)
		text = "[" text "]"
		if (argument[i] == "NONE") {
			if (letter[i] != "")
				print "\t" quoted("(" bare(i) ")-" letter[i] text) " \\"
			if (name[i] != "")
				print "\t" quoted("(" bare(i) ")--" name[i] text) " \\"
			continue
		}
		text = text zsh_argument(i)
		if (letter[i] != "")
			print "\t" quoted("*-" letter[i] (argument[i] == "OPTIONAL" ? "-" : "+") text) " \\"
		if (name[i] != "")
			print "\t" quoted("*--" name[i] (argument[i] == "OPTIONAL" ? "=-" : "=") text) " \\"
	}
}

function fish_options(  i, text) {
	for (i = 1; i <= rows; i++) {
		text = "complete -c gprof"
		if (letter[i] != "")
			text = text " -s " letter[i]
		if (name[i] != "")
			text = text " -l " name[i]
		if (kind[i] == "values")
			text = text " -f -a " quoted(values[i])
		else if (kind[i] == "directory")
			text = text " -f -a '(__fish_complete_directories (commandline -ct))'"
		else if (argument[i] != "NONE")
			text = text (kind[i] == "file" ? " -F" : " -f")
		print text (argument[i] == "REQUIRED" ? " -r" : "") " -d " quoted(help[i])
	}
}

FILENAME ~ /\.def$/ { next }
/^@OPTIONS@$/ {
	if (FILENAME ~ /bash\.in$/)
		bash_options()
	else if (FILENAME ~ /zsh\.in$/)
		zsh_options()
	else
		fish_options()
	next
}
/^@ARGUMENTS@$/ {
	bash_arguments()
	next
}
{
	sub(/@APART[|]@/, apart(" | "))
	sub(/@APART@/, apart(" "))
	print
}
