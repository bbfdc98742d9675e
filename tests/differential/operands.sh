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
END
tap_done
