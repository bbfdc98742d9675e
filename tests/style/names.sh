#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names can be searched for: in the program, and in the runtime, no two functions and no two structs have one name,
# static ones included. The machines' arch/ folders stand for one another, and embedded/ for all else of the runtime.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

# twice FOLDER: names that more than one file in it defines, with these files. clang-format puts the brace of a
# function, and that alone, into the first column.
twice() {
	find "$1" -path "$1/arch" -prune -o -path "$1/embedded" -prune -o -name '*.[ch]' -exec awk '
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

# strangers FOLDER: functions that are not called after their file: FILE_..., or the first words of FILE and an
# underscore, as image_... in image_names.c; a plural may drop its s. A file whose header has another name, its first
# include, may be called after that. What takes the place of a function of the C library, MPI or the compiler has its
# name; gmon.h's calls have theirs, and main.c's functions any.
strangers() {
	find "$1" -path "$1/arch" -prune -o -name '*.[ch]' -exec awk '
		FNR == 1 { stem = FILENAME; sub(/.*\//, "", stem); sub(/\.[ch]$/, "", stem); header = "" }
		/^#include "/ && header == "" && $2 != "\"config.h\"" {
			header = $2
			gsub(/.*\/|\.h"$/, "", header)
		}
		/^[a-z_A-Z].*\(/ && !/^#/ { head = $0 }
		/^[{]/ && head != "" {
			sub(/^__attribute__\(\(.*\)\) /, "", head)
			sub(/\(.*/, "", head)
			name = head
			sub(/.*[ *]/, "", name)
			own = 0
			for (part = stem; part != ""; ) {
				singular = part
				sub(/s$/, "", singular)
				if (name == part || index(name, part "_") == 1 || index(name, singular "_") == 1) own = 1
				if (!sub(/_[^_]*$/, "", part)) part = ""
			}
			if (header != "" && index(name, header "_") == 1) own = 1
			if (!own && FILENAME != "src/main.c" && name !~ /^(_|main$|ElfW$|mpi_|MPI_|gmon_|moncontrol$|monstartup$)/ &&
			    !(FILENAME ~ /preload\// && head !~ /static /))
				print FILENAME ": " name
		}
		/^[}{]|;$/ { head = "" }' {} + | sort -u
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
check "no function or struct of the runtime for boards has another's name" "$(twice runtime/embedded)"
check "functions of the program are called after their files" "$(strangers src)"
check "functions of the runtime are called after their files" "$(strangers runtime)"
check "the README of a folder names its files" "$(unnamed)"
tap_done
