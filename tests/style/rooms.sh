#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each folder of the source has a page, README, of at most 80 lines; doc/internals.md is one page. names.sh looks whether
# a README names all files of its folder.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

cd "$srcdir" || exit 1
check "each folder has a README of at most 80 lines" "$(
	find src runtime -name '*.[chS]' ! -path '*/arch/*/*' ! -path 'src/wrap/*' ! -name templates.c |
		sed 's|/[^/]*$||' | sort -u | while read -r folder; do
		if [ ! -f "$folder/README" ]; then
			echo "$folder has none"
		elif [ "$(wc -l <"$folder/README")" -gt 80 ]; then
			echo "$folder/README is longer"
		fi
	done
)"
check "doc/internals.md is one page" "$([ "$(wc -l <doc/internals.md)" -le 150 ] || wc -l doc/internals.md)"
tap_done
