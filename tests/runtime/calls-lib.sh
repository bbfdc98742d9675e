# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the tests of gprof --run=calls: what was counted, and comparing it with what a program has counted itself.
. "$srcdir/tests/runtime/lib.sh"

arch=$(sed -n 's/^RUNTIME_ARCH = //p' "$builddir/Makefile")
[ "$arch" = x86_64 ] || tap_skip_all "call sites are counted on x86-64 only"

# calls_counted FILE: "NAME = CALLS" or "NAME >= CALLS" for each function in an export.
calls_counted() {
	sed -n 's/^{"id":[0-9]*,"name":"\([^"]*\)".*"calls":\([0-9]*\),"recursive_calls":\([0-9]*\)\(.*\)/\1 \2 \3 \4/p' "$1" |
		awk '{ print $1, $4 ~ /at_least/ ? ">=" : "=", $2 + $3 }'
}

# calls_wrong TRUTH COUNTS: each function of the truth that is not exact, or more often than it was called.
calls_wrong() {
	awk 'NR == FNR { truth[$1] = $2; next } $1 in truth { seen[$1] = 1; if ($2 == "=" ? $3 != truth[$1] : $3 > truth[$1]) print $0, "of", truth[$1] }
		END { for (f in truth) if (!seen[f] && truth[f]) print f, "is missing" }' "$1" "$2"
}
