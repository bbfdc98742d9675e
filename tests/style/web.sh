#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What exported pages are made of: sizes as of C, strict and modern JavaScript, no markup made of strings, no network.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

cd "$srcdir" || exit 1
files="src/export/web/* tests/export/*.js"

# without WHAT PATTERN FILE...: no line has it.
without() {
	what=$1
	pattern=$2
	shift 2
	check "$what" "$(grep -nE "$pattern" "$@")"
}

# shellcheck disable=SC2086 # file names
{
	check "no file over 600 lines, no line over 120 characters" "$(
		awk 'FNR == 601 { print FILENAME " is longer" }
			{ line = $0; gsub(/\t/, "    ", line) }
			length(line) > 120 { print FILENAME ":" FNR " is longer" }' $files
	)"
	check "no function over 60 lines" "$(
		awk '/^\t*(async )?function / { start[$0 ~ /^\t/] = FNR; name[$0 ~ /^\t/] = $0 }
			/^\t?}$/ {
				inner = $0 ~ /^\t/
				if (start[inner] && FNR - start[inner] >= 60)
					print FILENAME ":" start[inner] ": " name[inner]
				start[inner] = 0
			}' src/export/web/*.js tests/export/*.js
	)"
	without "tabs, and nothing at the ends of lines" '^ +[^ *]|[[:blank:]]$' $files
	check "each says its license" "$(
		awk 'FNR <= 2 && /SPDX-License-Identifier: GPL-3.0-or-later/ { has[FILENAME] = 1 }
			END { for (i = 1; i < ARGC; i++) if (!has[ARGV[i]]) print ARGV[i] }' \
			src/export/web/*.js src/export/web/*.css src/export/web/*.awk tests/export/*.js
	)"
}
without "declared by let and const; compared by three signs" '\<var |[^=!]==[^=]|!=[^=]' src/export/web/*.js
without "no markup or code made of strings" 'innerHTML|outerHTML|insertAdjacent|document\.write|\<eval\>|new Function' \
	src/export/web/*.js
without "nothing from elsewhere" 'https?://|src=|@import|url\(|fetch\(|XMLHttp|WebSocket|import\(' \
	src/export/web/*.js src/export/web/*.css src/export/web/page.html
check "scripts are strict and leave no globals" "$(
	grep -q '<script type="module">' src/export/web/page.html || echo "page.html: no module"
	grep -q '"use strict"' src/export/web/flamegraph.js || echo "flamegraph.js: not strict"
)"
tap_done
