#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What compare cannot run: profiles from standard input, other environments. Our gprof and the system's
# must print the same bytes and end with the same status.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib.sh"
. "$srcdir/tests/differential/lib.sh"

# run PROGRAM COMMAND: what the command prints and its status; gprof in it means the program.
run() {
	program=$1
	# shellcheck disable=SC2317 # called by the command
	gprof() { timeout 20 "$program" "$@"; }
	cd "$scratch" || exit 99
	eval "$2" </dev/null 2>errors
	echo "status $?"
}

make_scratch
"$TOOLS/mkprofile" "$srcdir/tests/golden/sum.profile" "$scratch" || exit 99
while IFS= read -r command; do
	(run "$SYSTEM_GPROF" "$command") >"$scratch/theirs"
	(run "$GPROF" "$command") >"$scratch/ours"
	if cmp -s "$scratch/ours" "$scratch/theirs"; then
		tap_ok "$command"
	else
		tap_not_ok "$command"
		diff "$scratch/ours" "$scratch/theirs" | tap_note
		tap_note <"$scratch/errors"
	fi
done <<'END'
gprof -b a.out - <gmon.out
cat gmon.out | gprof -b a.out -
gprof -b a.out gmon.2 - gmon.3 <gmon.out
gprof - -b - <gmon.out
gprof -i a.out gmon.2 - <gmon.3
gprof -b -i -p a.out - <gmon.2
gprof -b a.out - - <gmon.out
gprof -b a.out - gmon.out
gprof -b a.out - <&-
gprof -b a.out '' gmon.out
export POSIXLY_CORRECT=1; gprof -b a.out gmon.out
export POSIXLY_CORRECT=1; gprof -b a.out -p
export POSIXLY_CORRECT=1; gprof -b -- a.out gmon.2
export GPROF_PATH=/nonexistent; gprof -b
export LC_ALL=C.UTF-8; gprof -b
gprof -s
gprof -s a.out gmon.3; gprof -b a.out gmon.sum
gprof -b -s a.out gmon.2 gmon.3
gprof --sum -z a.out gmon.out gmon.out
gprof -s -Om a.out gmon.3; gprof -i a.out gmon.sum
gprof -s -P
gprof -s a.out gmon.3; gprof -s a.out gmon.sum; gprof -b -T a.out gmon.sum
gprof -s -O4
gprof -s nosuch
rm -f gmon.sum; gprof -s a.out gmon.2 nosuch; gprof -b a.out gmon.sum
printf -- '-b -p' >words; gprof @words
printf -- '-b\\n\\t-q  a.out gmon.2 ' >words; gprof @words gmon.3
printf -- '-b\n-q\ta.out\n' >words; gprof @words gmon.2
echo '-b "-p"' "'a.out' gmon.2" >words; gprof @words
echo '-b -e "no such" -pwo\\rk' >words; gprof @words
echo '-b a"".o'"'ut'" >words; gprof @words
echo -p >inner; echo '-b @inner' >words; gprof @words -z
: >words; gprof -b @words -p
echo -b >words; gprof @words @words -p @words
rm -f words; gprof -b @words
gprof -b a.out @nosuch
gprof -b @
echo '"-b -p' >words; gprof @words a.out
echo @words >words; gprof -b @words
echo -p >words; gprof -b -- @words
echo -p >words; gprof -b -e @words
END
tap_done
