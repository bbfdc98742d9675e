#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sound profiles of sound programs of all kinds: --explain finds nothing wrong, and no report has a note.
#
#   healthy.sh [NAME...]   only these
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$srcdir/tests/explain/lib.sh"

# Prints why this machine cannot build the program.
case_obstacle() {
	if ! command -v "$compiler" >/dev/null; then
		echo "no $compiler"
		return
	fi
	case $flags$run in
	*archive* | *shared*) [ -f "$archive" ] || echo 'libgmon is not for this machine' ;;
	esac
}

make_scratch
while IFS='|' read -r name compiler flags run arguments <&3; do
	name=$(trim "$name") compiler=$(trim "$compiler")
	chosen "$name" "$@" || continue
	reason=$(case_obstacle)
	if [ -n "$reason" ]; then
		tap_skip "$name" "$reason"
		continue
	fi
	if begin_case "$(echo "\$compiler -pg -o a.out $flags" | sed "s: =: \$srcdir/tests/programs:g") && $run"; then
		# shellcheck disable=SC2086 # words
		explain $arguments
		must "--explain ends with status $status" [ $status = 0 ]
		read -r first <explained
		case $first in
		'nothing wrong'*) ;;
		*) complain "--explain begins: $first" ;;
		esac
		# shellcheck disable=SC2086 # words
		report $arguments
		must "a note: $(grep note: errors)" [ "$nnotes" = 0 ]
		case $run in
		*debuglink*) ;; # the system's gprof knows no debug files
		*)
			# shellcheck disable=SC2086 # words
			report_is_same $arguments
			;;
		esac
	fi
	end_case "$name"
done 3<<EOF
$(without_comments "$srcdir/tests/explain/healthy.list")
EOF
tap_done
