#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# GMON=libs: a profile of each shared object, linked or opened, with true counts or none.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"
[ -f "$builddir/libgmon.a" ] || tap_skip_all 'libgmon is not for this machine'

sources=$srcdir/tests/runtime/programs

# calls_in WHAT OBJECT PROFILE LINE...: LINEs are "CALLS/ALL CALLER CALLEE" of the call graph, and with '-' for the caller
# all calls of the callee. No other of its functions was called.
calls_in() {
	what=$1 object=$2 profile=$3
	shift 3
	printf '%s\n' "$@" | sort >expected
	for gprof in "$GPROF" ${SYSTEM_GPROF:+"$SYSTEM_GPROF"}; do
		"$gprof" -b -q "$object" "$profile" 2>>log | awk '
			{ gsub(/ \([a-z.]*\)/, "") }
			/^\[/ { self = $(NF - 1); for (i = 1; i <= n; i++) print called[i], caller[i], self; below = 1; next }
			/^-----/ { n = 0; below = 0; next }
			!below && NF > 3 && $(NF - 2) ~ /\// { n++; called[n] = $(NF - 2); caller[n] = $(NF - 1) }' | sort >got
		same "$what: calls of $profile, $gprof" got expected
	done
}

# run_libraries ARGUMENT...: a.out, with no profile of an earlier run.
run_libraries() {
	rm -f gmon.*
	run ./a.out "$@"
	expect "libraries $*" [ "$status" = 0 ]
}

# The program's own calls are the same whatever becomes of the libraries.
linked_calls() {
	# shellcheck disable=SC2086 # words
	calls_in "$1" liblinked.so gmon.out.liblinked.so "$2/$2 _init linked_twice" '1/1 _init linked_work' \
		'1/1 _init linked_calls_back' "30/$3 _init linked_leaf" "$((2 * $2))/$3 linked_twice linked_leaf"
}

build_libraries() {
	flags='-O0 -g -pg -fPIC -shared'
	# shellcheck disable=SC2086 # words
	"$CC" $flags -o liblinked.so "$sources/liblinked.c" &&
		"$CC" $flags -o libopened.so "$sources/libopened.c" -L. -llinked -Wl,-rpath,. &&
		"$CC" -O0 -g -pg -o a.out "$sources/libraries.c" "$builddir/libgmon.a" -L. -llinked -Wl,-rpath,. -ldl
}

make_scratch
cd "$scratch" || exit 99
unset GMON_OUT_PREFIX
build_libraries >log 2>&1 || tap_skip_all "no -pg libraries can be made: $(sed 's/#//g' log | head -n 1)"
cp libopened.so libother.so
GMON=libs
export GMON
run_libraries
linked_calls 'both' 1100 2230
calls_in 'both' libopened.so gmon.out.libopened.so '1000/1000 _init opened' '2000/2000 opened opened_leaf'
calls_in 'both' a.out gmon.out '1/1 _start main' '1/1 main use' '30/30 _start back'
"$GPROF" -b -p liblinked.so gmon.out.liblinked.so >flat
awk '$NF == "linked_work" && $1 > 90 && $2 >= 0.05 { ok = 1 } END { exit !ok }' flat
tap_check $? 'the time is that of linked_work'
"$GPROF" -b -l -p liblinked.so gmon.out.liblinked.so >lines
awk '/liblinked\.c:29 / || /liblinked\.c:30 / { sum += $1 } END { exit sum < 90 }' lines
tap_check $? 'samples are exact enough for lines'
tap_note <flat

run_libraries close
linked_calls 'one is closed' 1100 2230
expect 'one is closed: no gmon.out.libopened.so' [ ! -e gmon.out.libopened.so ]
calls_in 'one is closed' a.out gmon.out '1/1 _start main' '1/1 main use' '30/30 _start back'
run_libraries close ./libother.so
linked_calls 'another takes its place' 2100 4230
expect 'another takes its place: no gmon.out.libother.so' [ ! -e gmon.out.libother.so ]
grep -q 'libs: some objects were closed' err
tap_check $? 'and a line says so'

GMON=libs,file=prof.%e,rate=1000
run_libraries
calls_in 'another name' libopened.so prof.a.out.libopened.so '1000/1000 _init opened' '2000/2000 opened opened_leaf'
GMON=
run_libraries
expect 'without libs: no gmon.out.liblinked.so' [ ! -e gmon.out.liblinked.so ]
cd "$builddir" || exit 99
tap_done
