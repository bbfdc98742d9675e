# SPDX-License-Identifier: GPL-3.0-or-later
# Puts a text of the manual into a manual page:
#
#   awk -f man.awk TEXT PAGE >page
#
# prints PAGE, a manual page in which a line @TEXT@, or @WORD@ with -v mark=WORD, takes the place of the TEXT, which
# is Texinfo, but only this:
#
#   @subheading WORDS                 becomes .SS
#   @table @COMMAND, @item, @itemx    .TP, its tags in the font of COMMAND, or plain with @asis; one table may
#                                     be within another
#   @option @code @command @env @samp  bold
#   @var @file @emph @dfn @cite        italic
#   @@ @{ @} @dots{}
#   @xref{NODE}, @pxref{NODE}         a reference to the page's section of that name ("The" and capitals aside),
#                                     or to the option of a node `Option NAME'; if there is none, the sentence or
#                                     the parenthesis goes
#   @example and the like             is left out, with what follows it up to the next @item; so is @c, with
#                                     one line
#
# What else there is, is complained about on standard error, and with -v check=1 the status is 1 then.

function complain(text) {
	print "man.awk: " ARGV[1] ": " text >"/dev/stderr"
	complaints++
}

# A name as it is compared.
function plain_name(text) {
	gsub(/"/, "", text)
	text = tolower(text)
	sub(/^the /, "", text)
	return text
}

# What the manual page calls a node, in Texinfo; "" if it has nothing of it.
function reference(node,  option) {
	if (node ~ /^Option /) {
		option = substr(node, 8)
		return "@option{" (length(option) == 1 ? "-" : "--") option "}"
	}
	return plain_name(node) in headings ? "@samp{" headings[plain_name(node)] "}" : ""
}

# Returns a paragraph with text in place of its references.
function expand_references(text,  before, after, node, where) {
	while (match(text, /@p?xref\{[^}]*\}/)) {
		before = substr(text, 1, RSTART - 1)
		node = substr(text, RSTART, RLENGTH)
		after = substr(text, RSTART + RLENGTH)
		where = node
		sub(/^@p?xref\{/, "", where)
		sub(/\}$/, "", where)
		where = reference(where)
		if (where != "")
			text = before (node ~ /^@x/ ? "See " : "see ") where after
		else if (node ~ /^@x/) {
			sub(/^[^.]*\. */, "", after)
			text = before after
		} else {
			sub(/ *\($/, "", before)
			sub(/^\)/, "", after)
			text = before after
		}
	}
	sub(/ +$/, "", text)
	return text
}

# One character of text, as roff has it in a font.
function character(c, font) {
	if (c == "\\")
		return "\\e"
	return c == "-" && font != "R" ? "\\-" : c
}

# A line of Texinfo with its fonts, beginning in the font given.
function roff(text, font,  out, depth, stack, word, c) {
	depth = 0
	stack[0] = font
	out = font != "R" ? "\\f" font : ""
	while (text != "") {
		if (match(text, /^@[@{}]/)) {
			out = out character(substr(text, 2, 1), stack[depth])
			text = substr(text, 3)
		} else if (match(text, /^@dots\{\}/)) {
			out = out "..."
			text = substr(text, 8)
		} else if (match(text, /^@[a-z]+\{/)) {
			word = substr(text, 2, RLENGTH - 2)
			if (!(word in fonts))
				complain("unknown command @" word)
			stack[++depth] = fonts[word]
			out = out "\\f" stack[depth]
			text = substr(text, RLENGTH + 1)
		} else {
			c = substr(text, 1, 1)
			if (c == "@")
				complain("unknown command: " text)
			if (c == "}" && depth > 0)
				out = out "\\f" stack[--depth]
			else
				out = out character(c, stack[depth])
			text = substr(text, 2)
		}
	}
	if (depth)
		complain("a brace is open")
	return out (font != "R" ? "\\fR" : "")
}

# A line that is no request.
function print_text(text) {
	print (text ~ /^[.']/ ? "\\&" : "") text
}

# The paragraph that has been read, each sentence in a line.
function flush_paragraph(  n, i, sentence) {
	if (paragraph == "")
		return
	paragraph = expand_references(paragraph)
	n = split(paragraph, sentence, /[.] +/)
	if (paragraph != "" && pending)
		print nested ? ".IP" : ".PP"
	for (i = 1; i <= n; i++)
		print_text(roff(sentence[i], "R") (i < n ? "." : ""))
	pending = 1
	paragraph = ""
}

function begin_table(command) {
	flush_paragraph()
	if (nested++)
		print ".RS"
	sub(/^@/, "", command)
	tag_font[nested] = command == "asis" ? "R" : fonts[command]
	if (tag_font[nested] == "")
		complain("a table of @" command)
}

function end_table() {
	flush_paragraph()
	if (--nested)
		print ".RE"
	skipping = 0
	pending = 1
}

function begin_item(text) {
	flush_paragraph()
	print ".TP"
	print_text(roff(text, tag_font[nested]))
	skipping = pending = 0
}

BEGIN {
	mark = "@" (mark ? mark : "TEXT") "@"
	split("option code command env samp", list, " ")
	for (i in list)
		fonts[list[i]] = "B"
	split("var file emph dfn cite", list, " ")
	for (i in list)
		fonts[list[i]] = "I"
}

FNR == 1 { files++ }
files == 1 {
	lines[++nlines] = $0
	next
}
/^\.S[HS] / {
	name = substr($0, 5)
	gsub(/"/, "", name)
	headings[plain_name(name)] = name
}
{ page[++npages] = $0 }

function print_text_of_manual(  i, line, items) {
	for (i = 1; i <= nlines; i++) {
		line = lines[i]
		if (line ~ /^@item/) {
			sub(/^@itemx? /, "", line)
			items = items (items != "" ? ", " : "") line
			if (lines[i + 1] !~ /^@itemx /) {
				begin_item(items)
				items = ""
			}
		} else if (line ~ /^@(small)?example$/) {
			flush_paragraph()
			skipping = 1
		} else if (line ~ /^@end table$/) {
			end_table()
		} else if (skipping || line ~ /^@c /) {
			continue
		} else if (line ~ /^@table /) {
			begin_table(substr(line, 8))
		} else if (line ~ /^@subheading /) {
			flush_paragraph()
			print ".SS " substr(line, 13)
			pending = 0
		} else if (line == "") {
			flush_paragraph()
		} else {
			paragraph = paragraph (paragraph != "" ? " " : "") line
		}
	}
	flush_paragraph()
}

END {
	for (p = 1; p <= npages; p++) {
		if (page[p] != mark) {
			print page[p]
			continue
		}
		print_text_of_manual()
		found++
	}
	if (found != 1)
		complain("the page has no line " mark ", or several")
	if (check && complaints)
		exit 1
}
