# SPDX-License-Identifier: GPL-3.0-or-later
# Draws comments or messages of C sources at random, each with the lines around it:
#
#   awk -v seed=7 -v n=60 -v what=comments -f draw.awk FILE...      or what=messages
#
# The same seed draws the same ones from the same sources.

function keep() {
	nall++
	file[nall] = FILENAME
	at[nall] = first
}

function random(below) {
	state = state * 16807 % 2147483647
	return state % below
}

{ line[FILENAME, FNR] = $0 }
FNR == 1 { inside = 0 }
what == "comments" && !inside && /\/\*/ {
	inside = 1
	first = FNR
	text = ""
}
what == "comments" && inside {
	text = text $0
	if (/\*\//) {
		inside = 0
		if (text !~ /SPDX/ && length(text) > 40)
			keep()
	}
}
what == "messages" && /(diag_(error|warn|note)|text_complain)\(/ {
	first = FNR
	keep()
}

END {
	state = seed
	for (i = 1; i <= 10; i++)
		random(2)
	for (i = 1; i <= n && i <= nall; i++) {
		k = i + random(nall - i + 1)
		swap = file[i]; file[i] = file[k]; file[k] = swap
		swap = at[i]; at[i] = at[k]; at[k] = swap
		print "--- " i ": " file[i] ":" at[i]
		for (k = at[i] - 5; k < at[i] + 20; k++)
			if ((file[i], k) in line)
				print line[file[i], k]
	}
}
