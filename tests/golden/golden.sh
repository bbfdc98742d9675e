#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# golden.sh [--update] [CASE...]: what gprof prints for programs written by hand; see README here.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

here=$srcdir/tests/golden
machines='64le 32le 64be 32be'

# When files were written is printed.
TZ=UTC0
export TZ

# run_case PROGRAM CASE DIR: the expected form of all that PROGRAM prints for the commands of CASE.
run_case() {
	while IFS= read -r line; do
		case $line in '' | '#'*) continue ;; esac
		printf '$ gprof %s\n' "$line"
		(
			cd "$3" || exit
			set -f
			eval "set -- '$1' $line"
			exec timeout 20 "$@" </dev/null 2>>stderr
		)
		status=$?
		[ $status -eq 0 ] || printf '[status %d]\n' $status
	done <"$here/$2.cmd"
}

# compare_case PROGRAM CASE DIR WHAT
compare_case() {
	run_case "$1" "$2" "$3" >"$3/out"
	if cmp -s "$here/$2.out" "$3/out"; then
		tap_ok "$4"
	else
		tap_not_ok "$4"
		diff -u "$here/$2.out" "$3/out" | tap_note
		tap_note <"$3/stderr"
	fi
}

# The case says what made its .out: the system's gprof, or an entry of doc/differences.md.
check_oracle() {
	oracle=$(sed -n 's/^# oracle: //p' "$here/$1.cmd")
	case $oracle in
	system)
		if [ -n "$SYSTEM_GPROF" ]; then
			compare_case "$SYSTEM_GPROF" "$1" "$scratch/$1.64le" "$1: the system's gprof agrees"
		else
			tap_skip "$1: the system's gprof agrees" 'no gprof on this system'
		fi
		;;
	'doc/differences.md '*)
		grep -qsF "${oracle#* }" "$srcdir/doc/differences.md"
		tap_check $? "$1: ${oracle#* } is in doc/differences.md"
		;;
	*)
		tap_not_ok "$1: has an oracle"
		;;
	esac
}

update=false
if [ "$1" = --update ]; then
	update=true
	shift
fi
if [ $# -eq 0 ]; then
	# shellcheck disable=SC2046 # names of cases have no blanks
	set -- $(cd "$here" && printf '%s\n' *.profile | sed 's/\.profile$//')
fi
make_scratch

for case; do
	for machine in $machines; do
		dir=$scratch/$case.$machine
		mkdir "$dir"
		if ! "$TOOLS/mkprofile" -m "$machine" "$here/$case.profile" "$dir" 2>"$dir/stderr"; then
			tap_not_ok "$case $machine: mkprofile"
			tap_note <"$dir/stderr"
			continue
		fi
		touch -d '2026-01-02 03:04:05' "$dir"/*
		if $update && [ "$machine" = 64le ]; then
			run_case "$GPROF" "$case" "$dir" >"$here/$case.out"
		fi
		compare_case "$GPROF" "$case" "$dir" "$case $machine"
	done
	check_oracle "$case"
done
tap_done
