#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names can be searched for: in the program, and in the runtime, no two functions and no two structs have one name,
# static ones included. The machines' arch/ folders stand for one another.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

# twice FOLDER: names that more than one file in it defines, with these files. clang-format puts the brace of a
# function, and that alone, into the first column.
twice() {
	find "$1" -path "$1/arch" -prune -o -name '*.[ch]' -exec awk '
		/^struct [a-z_0-9]+ \{/ { print "struct " $2, FILENAME }
		/^[a-z_].*\(/ && !/^#/ { head = $0 }
		/^[{]/ && head != "" {
			sub(/^__attribute__\(\(.*\)\) /, "", head)
			sub(/\(.*/, "", head)
			sub(/.*[ *]/, "", head)
			print "function " head, FILENAME
		}
		/^[}{]|;$/ { head = "" }' {} + |
		sort -u | awk '{ what = $1 " " $2; files[what] = files[what] " " $3; n[what]++ }
			END { for (what in n) if (n[what] > 1) print what " is defined in" files[what] }' | sort
}

# unnamed: files that the README of their folder, if it has one, does not name.
unnamed() {
	find src runtime -name README | while read -r page; do
		find "${page%/*}" -maxdepth 1 -name '*.[chS]' -o -maxdepth 1 -name '*.def' | while read -r file; do
			name=${file##*/}
			[ "$name" != templates.c ] || continue # the build makes it
			grep -qE "(^|[^a-z_])${name%.*}([^a-z_]|\$)" "$page" || echo "$page lacks $name"
		done
	done | sort
}

cd "$srcdir" || exit 1
check "no function or struct of the program has another's name" "$(twice src)"
check "no function or struct of the runtime has another's name" "$(twice runtime)"
check "the README of a folder names its files" "$(unnamed)"
tap_done
