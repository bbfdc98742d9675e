#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# prose.sh [SEED [COMMENTS [MESSAGES]]]: comments and messages of the source drawn at random (29, 60, 30), each with its
# file and the lines around it, for somebody to read who has never seen the code: is each understood at the first reading?
cd "${srcdir:-$(dirname "$0")/..}" || exit 1

# draw WHAT N: N lines of input, "FILE:LINE", in the order of the files.
draw() {
	LC_ALL=C sort | awk -v seed="$seed" -v n="$2" '
		{ line[NR] = $0 }
		END {
			srand(seed)
			for (i = 1; i <= n && i <= NR; i++) {
				k = i + int(rand() * (NR - i + 1))
				t = line[i]; line[i] = line[k]; line[k] = t
				print line[i]
			}
		}' | LC_ALL=C sort -t : -k 1,1 -k 2,2n | while IFS=: read -r file line; do
		printf '== %s at %s:%s\n' "$1" "$file" "$line"
		sed -n "$((line > 4 ? line - 4 : 1)),$((line + 12))p" "$file"
	done
}

source_files() {
	find src runtime include -name '*.[chS]' ! -name templates.c
}

seed=${1:-29}
source_files | xargs grep -nE '/\*' | grep -v SPDX | grep -vE '/\* [A-Z_]+ \*/$' | sed 's/^\([^:]*:[0-9]*\):.*/\1/' | draw comment "${2:-60}"
{
	source_files | xargs grep -nE '(diag_(error|warn|note)|text_(say|add_text))\(' | sed 's/^\([^:]*:[0-9]*\):.*/\1/'
	grep -nE '^[[:blank:]]*"' src/model/findings.def | sed 's/^\([0-9]*\):.*/src\/model\/findings.def:\1/'
} | draw message "${3:-30}"
