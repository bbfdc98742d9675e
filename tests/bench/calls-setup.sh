#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What gprof --run=calls takes at the start of a program, to find its calls and lead them through stubs: CPU time of the
# program beyond that with --run=libs=ext, by which the recording begins at once, too, not at the first tick, as it may in
# the children of the program that is profiled. Of those of the programs below that are installed, or of the one that is
# named in PROGRAM. In PAIRS (21) pairs of alternating order; medians of the pairs' differences, and the difference of the
# least times, which says more on a busy machine. MB are 10^6 bytes of code, of libraries, too, with calls=libs.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

PAIRS=${PAIRS:-21}
PROGRAM=${PROGRAM:-}
PATH=/usr/bin:/bin:$PATH
source=$(cd "$(dirname "$0")" && pwd)/calls-setup.c
make_scratch
cd "$scratch" || exit 99
# A static program is not recorded itself, and hands on to the command what env got.
"${CC:-cc}" -O1 -static -o calls-setup "$source" || exit 1
echo 'int f(int x) { return x + 1; }' >small.cc

# run_with KEYS FILE COMMAND...
run_with() {
	recorded=$1
	file=$2
	shift 2
	"$GPROF" --no-pager -o screen "--run=libs=ext$recorded" env ./calls-setup "$file" "$@" 2>errors || cat errors
}

# code PATH...: the bytes of their code.
code() {
	for object; do
		readelf -lW "$object"
	done | awk '
		function hex(text,  i, value) {
			for (i = 3; i <= length(text); i++)
				value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
			return value
		}
		$1 == "LOAD" && / R E / { bytes += hex($5) }
		END { print bytes + 0 }'
}

# libraries PATH: those that calls=libs counts in.
libraries() {
	ldd "$1" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | grep -v -e '/libc\.so' -e '/libpthread\.so' -e '/libdl\.so'
}

# measure NAME KEYS COMMAND...
measure() {
	name=$1
	keys=$2
	shift 2
	[ -z "$PROGRAM" ] || [ "$PROGRAM" = "$name" ] || return
	program=$(command -v "$1") && readelf -h "$program" >header 2>&1 || return
	case $keys in
	,calls=libs) objects=$(libraries "$program") ;;
	*) objects= ;;
	esac
	# shellcheck disable=SC2086 # several paths
	bytes=$(code "$program" $objects)
	rm -f alone counted
	pair=0
	while [ $pair -lt "$PAIRS" ]; do
		if [ $((pair % 2)) -eq 0 ]; then
			run_with '' alone "$@"
			run_with "$keys" counted "$@"
		else
			run_with "$keys" counted "$@"
			run_with '' alone "$@"
		fi
		pair=$((pair + 1))
	done
	least=$(($(sort -n counted | head -n 1) - $(sort -n alone | head -n 1)))
	paste alone counted | awk '{ print $2 - $1 }' | sort -n | awk -v name="$name" -v least="$least" -v bytes="$bytes" '
		{ v[NR] = $1 }
		END {
			median = (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2
			printf "%-14s %8.2f %9.1f %9.1f %9.2f %9.2f\n", name, bytes / 1e6, median / 1000, least / 1000,
				median * 1000 / bytes, least * 1000 / bytes
		}'
}

echo '                 MB code  ms more     least ms per MB     least'
measure cc1plus ,calls "$("${CC:-cc}" -print-prog-name=cc1plus)" -quiet -O1 small.cc -o /dev/null
measure python3 ,calls python3 -S -c pass
measure bash ,calls bash -c :
measure sqlite3 ,calls=libs sqlite3 :memory: 'select 1'
measure redis-server ,calls redis-server --version
measure openssl ,calls=libs openssl version
measure clang ,calls=libs clang --version
