# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced by the tests of --explain, after tests/lib/tap.sh.
#
# What is wrong with a case goes to $scratch/complaints, a line each; end_case makes one TAP line of it.

programs=$srcdir/tests/explain/programs
profiles=$srcdir/tests/explain/profiles
archive=$builddir/libgmon.a shared=$builddir/libgmon.so
unset GMON GMON_OUT_PREFIX

complain() {
	echo "$*" >>"$scratch/complaints"
}

# must WHAT COMMAND...
must() {
	what=$1
	shift
	"$@" || complain "$what"
}

# begin_case COMMANDS: runs them in a directory of their own, which becomes the current one. False if they
# fail; if they call skip_case, end_case says that.
begin_case() {
	: >"$scratch/complaints"
	ncases=$((${ncases:-0} + 1))
	mkdir "$scratch/$ncases"
	cd "$scratch/$ncases" || exit 99
	(eval "$1") >log 2>&1 && return
	[ -f skip ] || complain "not built: $1"
	[ -f skip ] || tail -n 5 log >>"$scratch/complaints"
	false
}

# skip_case REASON, in a case's commands: this machine cannot do it.
skip_case() {
	echo "$1" >skip
	exit 1
}

# end_case TITLE
end_case() {
	if [ -f skip ]; then
		tap_skip "$1" "$(cat skip)"
	elif [ -s "$scratch/complaints" ]; then
		tap_not_ok "$1"
		echo "# in $(pwd):"
		tap_note <"$scratch/complaints"
	else
		tap_ok "$1"
	fi
	cd "$builddir" || exit 99
}

# Leaves what `gprof ARGUMENT... ` prints in explained, and its status in $status. None of it may look like
# the result of an overflow or a division by zero.
explain() {
	"$GPROF" --explain "$@" >explained 2>explain.errors
	status=$?
	[ ! -s explain.errors ] || complain "--explain says on standard error: $(head -n 1 explain.errors)"
	if grep -qiw -e inf -e nan explained; then
		complain "--explain prints: $(grep -iw -e inf -e nan explained | head -n 1)"
	fi
	lines=$(wc -l <explained)
	[ "$lines" -le 30 ] || complain "--explain prints $lines lines"
}

# Leaves what `gprof -b ARGUMENT...` prints in ours and errors, and its status in $status.
report() {
	"$GPROF" -b "$@" >ours 2>errors
	status=$?
	nnotes=$(grep -c '^[^ ]*gprof: note: ' errors)
}

# report_is_same ARGUMENT...: the last report, compared with that of the system's gprof.
report_is_same() {
	[ -n "$SYSTEM_GPROF" ] || return 0
	"$SYSTEM_GPROF" -b "$@" >theirs 2>/dev/null
	theirs=$?
	[ "$status" = "$theirs" ] || complain "status $status, the system's gprof: $theirs"
	cmp -s ours theirs || complain "stdout is not that of the system's gprof"
}

# without_comments FILE: a table.
without_comments() {
	grep -v -e '^#' -e '^$' "$1"
}

# trim TEXT: without the blanks at its ends.
trim() {
	text=${1#"${1%%[! ]*}"}
	echo "${text%"${text##*[! ]}"}"
}
