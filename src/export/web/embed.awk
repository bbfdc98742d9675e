# SPDX-License-Identifier: GPL-3.0-or-later
# Converts documents to C: awk -v scratch=TMP -f embed.awk DIRECTORY NAME=FILE...
#
# Each FILE becomes the array template_NAME. A line "@include FILE..." is replaced by those files; "@slot@"
# is a place for data, a NULL in the array; "@hash FILE@" becomes "sha256-..." of the script in that document,
# by which a Content-Security-Policy lets it run and no other (CSP level 2, script-src). Indentation, empty lines and
# comment lines ("//", or "/*" to "*/") are omitted. The file TMP is written.

function quote(text) {
	gsub(/["\\?]/, "\\\\&", text)
	gsub(/\t/, "\\t", text)
	return text
}

# Strings are shorter than the limit of every compiler.
function put(text) {
	if (hashing) {
		raw = raw text
		return
	}
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
	if (hashing)
		return
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
	while (!hashing && match(line, /@hash [a-z.]*@/))
		line = substr(line, 1, RSTART - 1) hash[substr(line, RSTART + 6, RLENGTH - 7)] substr(line, RSTART + RLENGTH)
	n = split(line, part, "@slot@")
	for (i = 1; i <= n; i++) {
		if (i > 1)
			slot()
		put(part[i])
	}
	if (hashing)
		raw = raw "\n"
	else
		pending = pending "\\n"
}

# Hexadecimal digits as base64, with padding: three digits are two characters, one left over is one.
function base64(hex, i, k, n, out, alphabet) {
	alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for (i = 1; i <= length(hex); i += 3) {
		n = 0
		for (k = 0; k < 3; k++)
			n = n * 16 + (i + k <= length(hex) ? index("0123456789abcdef", substr(hex, i + k, 1)) - 1 : 0)
		out = out substr(alphabet, int(n / 64) + 1, 1) substr(alphabet, n % 64 + 1, 1)
	}
	if (length(hex) % 3 == 1)
		out = substr(out, 1, length(out) - 1)
	while (length(out) % 4)
		out = out "="
	return out
}

# The hash of the script of a document: what is between the tags or, in XML, what is in the CDATA there.
function hash_of(file, text, command, line) {
	hashing = 1
	raw = ""
	take_file(file)
	hashing = 0
	text = raw
	if (!match(text, /<script type="module">|<script><!\[CDATA\[/))
		return "none"
	text = substr(text, RSTART + RLENGTH)
	sub(/(\]\]>)?<\/script>.*/, "", text)
	command = "sha256sum >" scratch
	printf "%s", text | command
	if (close(command) != 0 || (getline line <scratch) <= 0 || line !~ /^[0-9a-f]+ /) {
		print "embed.awk: sha256sum does not work" >"/dev/stderr"
		exit failed = 1
	}
	close(scratch)
	sub(/ .*/, "", line)
	return "sha256-" base64(line)
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
		hash[pair[2]] = hash_of(pair[2])
	}
	for (a = 2; a < ARGC; a++) {
		split(ARGV[a], pair, "=")
		print "\nconst char *const template_" pair[1] "[] = {"
		take_file(pair[2])
		slot()
		print "};"
	}
}
