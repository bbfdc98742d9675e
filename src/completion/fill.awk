# SPDX-License-Identifier: GPL-3.0-or-later
# Fills the completion file of a shell with the options and their keys:
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
#                  `values' then; keys if it is nothing but keys; "" if nobody knows
# Of the rows KEY of both tables, 1 to `keys':
#   owners         the options, or the formats if the key is one of --export, with blanks around each
#   key_name, key_metavar, key_help, key_values
/^FORMAT\(/ {
	match($0, /\([a-z]+/)
	formats = formats (formats != "" ? ", " : "") substr($0, RSTART + 1, RLENGTH - 1)
}
/^KEY\(/ && FILENAME ~ /\.def$/ {
	keys++
	n = split($0, part, "\"")
	owners[keys] = " " part[2] " "
	of_export[keys] = FILENAME ~ /formats\.def$/
	key_name[keys] = part[4]
	key_metavar[keys] = part[6]
	key_help[keys] = part[8]
	if (sub(/^.*KEYS_WORDS\(/, "")) {
		n = split($0, part, "\"")
		for (i = 2; i < n; i += 2)
			key_values[keys] = key_values[keys] (i > 2 ? " " : "") part[i]
	}
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
	} else if (metavar[rows] == "KEYS")
		kind[rows] = "keys"
	else if (metavar[rows] ~ /FILE|MAP|BASE/)
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

function key_is_of(i, owner, is_format) {
	return of_export[i] == is_format && index(owners[i], " " owner " ")
}
function has_keys(row,  i) {
	for (i = 1; i <= keys; i++)
		if (key_is_of(i, name[row], 0))
			return 1
	return name[row] == "export"
}

# "name", "name=" or, of each value, "name=value"; in fish, one a line with its help.
function key_words(owner, is_format, between, with_help,  i, v, n, value, text) {
	for (i = 1; i <= keys; i++) {
		if (!key_is_of(i, owner, is_format))
			continue
		n = split(key_values[i], value, " ")
		for (v = n > 0; v <= n; v++)
			text = text (text != "" ? between : "") key_name[i] (key_metavar[i] != "" ? "=" : "") \
				(n > 0 ? value[v] : "") (with_help ? "\t" key_help[i] : "")
	}
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
		if (kind[i] != "" || has_keys(i))
			printf "\t%s) %s ;;\n", spellings(i),
				bash_words(i) (has_keys(i) ? " keys=" bash_keys(i) : "")
}
function bash_words(row) {
	return "what=(" (kind[row] == "" ? "" : kind[row] == "values" ? "-W " quoted(values[row]) : kind[row] == "keys" ? "-W " bash_keys(row) : \
		"-A " kind[row]) ")"
}
function bash_keys(row) {
	return name[row] == "export" ? "$(_gprof_format_keys \"${2%%,*}\")" : quoted(key_words(name[row], 0, " "))
}

# The keys of each format, as cases of the shell.
function format_cases(  i, n, format, text) {
	n = split(formats, format, ", ")
	for (i = 1; i <= n; i++) {
		text = FILENAME ~ /zsh/ ? zsh_keys(format[i], 1) : key_words(format[i], 1, " ")
		if (text == "")
			continue
		if (FILENAME ~ /bash/)
			print "\t" format[i] ") echo " quoted(text) " ;;"
		else
			print "\t" format[i] ",*) compset -P 1 \"*,\" && _values -s , key " text " ;;"
	}
}

# As _values has them.
function zsh_keys(owner, is_format,  i, spec, text) {
	for (i = 1; i <= keys; i++) {
		if (!key_is_of(i, owner, is_format))
			continue
		spec = key_name[i] "[" key_help[i] "]"
		if (key_metavar[i] != "")
			spec = spec ":" key_metavar[i] ":" (key_values[i] != "" ? "(" key_values[i] ")" : \
				key_metavar[i] ~ /FILE/ ? "_files" : " ")
		text = text (text != "" ? " " : "") quoted(spec)
	}
	return text
}

# A function for each option with keys.
function zsh_functions(  i, first) {
	for (i = 1; i <= rows; i++) {
		if (!has_keys(i) || name[i] == "export")
			continue
		first = kind[i] == "values" ? "compadd " values[i] : kind[i] == "file" ? "_files" : "_message " metavar[i]
		print "_gprof_" name[i] "() {"
		if (kind[i] == "keys")
			print "\t_values -s , key " zsh_keys(name[i], 0)
		else
			print "\tif compset -P 1 \"*,\"; then\n\t\t_values -s , key " zsh_keys(name[i], 0) "\n\telse\n\t\t" first "\n\tfi"
		print "}"
	}
}

function formats_in_words(  text) {
	text = formats
	gsub(/,/, "", text)
	return text
}

function zsh_argument(row,  action) {
	if (has_keys(row))
		action = "_gprof_" name[row]
	else if (kind[row] == "values")
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
		if (has_keys(i))
			text = text (kind[i] == "file" ? " -F" : " -f") " -a " quoted((kind[i] == "values" ? values[i] " " : "") \
				"(__gprof_keys " name[i] ")")
		else if (kind[i] == "values")
			text = text " -f -a " quoted(values[i])
		else if (kind[i] == "directory")
			text = text " -f -a '(__fish_complete_directories (commandline -ct))'"
		else if (argument[i] != "NONE")
			text = text (kind[i] == "file" ? " -F" : " -f")
		print text (argument[i] == "REQUIRED" ? " -r" : "") " -d " quoted(help[i])
	}
}

# The keys of each option and format, as a case of fish.
function fish_case(owner, is_format,  text) {
	text = key_words(owner, is_format, "\n", 1)
	if (text == "")
		return
	gsub(/'/, "\\'", text)
	gsub(/\n/, "' '", text)
	print "        case " (is_format ? "export," : "") owner "\n            set rows '" text "'"
}
function fish_cases(  i, n, format) {
	for (i = 1; i <= rows; i++)
		if (name[i] != "")
			fish_case(name[i], 0)
	n = split(formats, format, ", ")
	for (i = 1; i <= n; i++)
		fish_case(format[i], 1)
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
/^@FORMATS@$/ {
	format_cases()
	next
}
/^@KEYS@$/ {
	if (FILENAME ~ /zsh\.in$/)
		zsh_functions()
	else
		fish_cases()
	next
}
{
	sub(/@APART[|]@/, apart(" | "))
	sub(/@APART@/, apart(" "))
	sub(/@FORMATNAMES@/, formats_in_words())
	print
}
