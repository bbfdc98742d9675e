# SPDX-License-Identifier: GPL-3.0-or-later
# compare.awk BARE... OTHER: prints how the last file differs from those before it, which one command made; nothing if it
# does not. Where those are equal, it has to be equal to them. Where they differ, each of its lines has to be in one of
# them, and each line that is in all of them has to be in it; numbers and the order of lines do not count then.

# Empty files have no records, so files are read by hand.
BEGIN {
	last = ARGC - 1
	for (i = 1; i <= last; i++) {
		while ((getline line <ARGV[i]) > 0) {
			text[i] = text[i] line "\n"
			gsub(/[0-9]+/, "N", line)
			if (!((i, line) in seen)) {
				seen[i, line] = 1
				if (i < last)
					bare[line]++
			}
		}
		close(ARGV[i])
	}
	noisy = 0
	for (i = 1; i < last; i++) {
		if (text[i] == text[last])
			exit
		if (text[i] != text[1])
			noisy = 1
	}
	if (!noisy) {
		system("diff " ARGV[1] " " ARGV[last])
		exit
	}
	for (line in bare)
		if (bare[line] == last - 1 && !((last, line) in seen))
			print "missing: " line
	for (key in seen) {
		split(key, part, SUBSEP)
		line = substr(key, length(part[1]) + 2)
		if (part[1] == last && !(line in bare))
			print "new: " line
	}
}
