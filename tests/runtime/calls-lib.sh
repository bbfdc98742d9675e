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

# calls_storms KEY: programs that throw, fork, load libraries and the like for a second each, or a minute, lose no call by
# gprof --run=KEY.
# shellcheck disable=SC2016 # conditions are evaluated later
calls_storms() {
	what=storms
	if ! command -v g++ >/dev/null; then
		tap_skip storms 'no g++: install Debian package g++'
		return
	fi
	must_build storms g++ -O1 -pthread -I"$srcdir/include" "$programs/storms.cc" -ldl || return
	"$CC" -O1 -shared -fPIC -DWHICH=1 -o storms/a.so "$programs/turn.c" || exit 99
	"$CC" -O1 -shared -fPIC -DWHICH=2 -o storms/b.so "$programs/turn.c" || exit 99
	seconds=1
	[ -z "$SLOW" ] || seconds=60
	for storm in throws plugins forks coroutines comings signals; do
		run "$GPROF" --export=json -o storm.json --run="$1",rate=1000 storms/a.out $storm $seconds storms
		calls_counted storm.json | grep '^counted ' >counts
		called=$(sed -n 's/^CALLED //p' out)
		case $storm in
		forks) expect "$storm: no crash, no call lost" '[ "$status" = 0 ] && [ "$(sed "s/.* = //" counts)" -ge "$called" ]' ;;
		*) expect "$storm: no crash, no call lost" '[ "$status" = 0 ] && [ "$(cat counts)" = "counted = $called" ]' ;;
		esac
		echo "# $storm: $(cat counts), $called calls"
	done
}
