# SPDX-License-Identifier: GPL-3.0-or-later
# Converts documents to C: awk -f embed.awk DIRECTORY NAME=FILE...
#
# Each FILE becomes the array template_NAME. A line "@include FILE..." is replaced by those files; "@slot@"
# is a place for data, a NULL in the array. Indentation, empty lines and comment lines ("//", or "/*" to
# "*/") are omitted.

function quote(text) {
	gsub(/["\\?]/, "\\\\&", text)
	gsub(/\t/, "\\t", text)
	return text
}

# Strings are shorter than the limit of every compiler.
function put(text) {
	if (length(pending) + length(text) > 4000)
		flush()
	pending = pending quote(text)
}

function flush() {
	if (pending != "")
		print "\t\"" pending "\","
	pending = ""
}

function slot() {
	flush()
	print "\tNULL,"
}

function take_line(line, part, n, i) {
	sub(/^[ \t]+/, "", line)
	if (line ~ /^\/\*/)
		commented = 1
	if (commented) {
		if (line ~ /\*\/$/)
			commented = 0
		return
	}
	if (line == "" || line ~ /^\/\//)
		return
	if (line ~ /^@include /) {
		n = split(line, part, " ")
		for (i = 2; i <= n; i++)
			take_file(part[i])
		return
	}
	n = split(line, part, "@slot@")
	for (i = 1; i <= n; i++) {
		if (i > 1)
			slot()
		put(part[i])
	}
	pending = pending "\\n"
}

function take_file(file, line, status) {
	file = directory "/" file
	while ((status = getline line <file) > 0)
		take_line(line)
	if (status < 0) {
		print "embed.awk: cannot read " file >"/dev/stderr"
		exit failed = 1
	}
	close(file)
}

BEGIN {
	directory = ARGV[1]
	print "/* SPDX-License-Identifier: GPL-3.0-or-later */"
	print "/* Made by embed.awk. */"
	print "/* clang-format off */"
	print "#include \"config.h\"\n"
	print "#include \"export/template.h\""
	for (a = 2; a < ARGC; a++) {
		split(ARGV[a], pair, "=")
		print "\nconst char *const template_" pair[1] "[] = {"
		take_file(pair[2])
		slot()
		print "};"
	}
}
