# SPDX-License-Identifier: GPL-3.0-or-later
# What options.awk and exports.awk share: texts of the manual's chapters, each about a row of a table. They set `maker`,
# their own name, and make row_of[KEY] and key[ROW]; about[ROW] is the text for the manual page.

function complain(text) {
	print maker ": " text >"/dev/stderr"
	complaints++
}

# At a line "@c WHAT KEY", where the text about a row begins: sets `row`, or complains. False if there is no such row.
function begin_text(what) {
	row = row_of[$3]
	if (!row) {
		complain(FILENAME ":" FNR ": no " what " " $3)
		return 0
	}
	if (told[row]++)
		complain(FILENAME ":" FNR ": a second text about " $3)
	if (row < last)
		complain(FILENAME ":" FNR ": " $3 " stands before " key[last] " in the table")
	last = row
	return 1
}

# At the end: complains of rows without text.
function check_texts(what,  i) {
	if (!rows)
		complain("no " what "s")
	for (i = 1; i <= rows; i++) {
		if (!told[i])
			complain("no text about " key[i])
		else if (man && about[i] !~ /[^\n]/)
			complain("no text before the first example of " key[i])
	}
}
