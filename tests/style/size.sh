#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No source file over 600 lines, no C function over 50 from its brace to its brace or with more than 6 parameters.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

cd "$srcdir" || exit 1
check "no file over 600 lines" "$(
	find bootstrap configure.ac Makefile.am src include runtime tests doc/example \
		-path tests/tmp -prune -o \( -name '*.[chS]' -o -name '*.def' -o -name '*.sh' -o -name '*.am' \
		-o -name configure.ac -o -name bootstrap \) \
		-exec awk 'FNR == 601 { print FILENAME " is longer" }' {} +
)"
check "no function over 50 lines" "$(
	find src include runtime tests doc/example -path tests/tmp -prune -o -name '*.[ch]' -exec awk '
		/^{/ { start = FNR; name = before }
		/^}/ && start {
			if (FNR - start + 1 > 50)
				print FILENAME ":" start ": " FNR - start + 1 " lines: " name
			start = 0
		}
		{ before = $0 }' {} +
)"

# The source outside of braces, up to each semicolon or brace, has declarations and the heads of definitions. A system
# call has a number and six arguments.
check "no function with more than 6 parameters" "$(
	find src include runtime tests doc/example -path tests/tmp -prune -o -name '*.[ch]' -exec awk '
		function parameters(text,  i, c, depth, n) {
			n = 1
			gsub(/"[^"]*"/, "", text) # instructions
			gsub(/__attribute__\(\([a-z_]*(\([^()]*\))?\)\)/, "", text)
			for (i = match(text, /[a-z_0-9]\(/) + 1; i <= length(text); i++) {
				c = substr(text, i, 1)
				if (c == "(") depth++
				else if (c == ")" && --depth == 0) break
				else if (c == "," && depth == 1) n++
			}
			return n
		}
		function end_head() {
			if (head ~ /^[a-z_]/ && parameters(head) > 6 && head !~ /[ *]arch_syscall\(/)
				print FILENAME ":" FNR ": " parameters(head) " parameters: " head
			head = ""
		}
		FNR == 1 { head = ""; inside = 0 }
		/^}/ { inside = 0; next }
		inside || /^[[:blank:]]*(\/\*|\*|\/\/|#)/ { next }
		/^{/ { end_head(); inside = 1; next }
		/{$/ { head = ""; inside = 1; next }
		{ head = head (head ? " " : "") $0 }
		/;$/ { end_head() }' {} +
)"
tap_done
