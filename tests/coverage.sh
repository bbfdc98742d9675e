#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# coverage.sh OBJECT...: the share of executed lines of each source file, and of all.
for object; do
	gcov -n "${object%.o}.gcno"
done 2>/dev/null | awk -F"[':% ]" '
	/^File/ { file = $3; next }
	/^Lines executed/ && file ~ /(^|\/)src\// && !(file in seen) {
		seen[file]
		lines += $NF; hit += $3 * $NF / 100
		sub(/.*\/src\//, "src/", file)
		printf "%6.2f%% of %5d  %s\n", $3, $NF, file
		file = ""
	}
	END {
		if (!lines) { print "no counts: configure --enable-coverage, then make check"; exit 1 }
		printf "%6.2f%% of %5d  all\n", 100 * hit / lines, lines
	}'
