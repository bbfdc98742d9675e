#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every shell script passes shellcheck; one result each.
. "${srcdir:-$(dirname "$0")/../..}/tests/style/lib.sh"

[ -n "$SHELLCHECK" ] || tap_skip_all "no shellcheck (Debian package shellcheck)"

cd "$srcdir" || exit 1
scripts=$(find tests -path tests/tmp -prune -o -name '*.sh' -print | sort)
for script in bootstrap .ci/run doc/*.sh src/packaging/*.sh $scripts; do
	[ -f "$script" ] || continue # a tarball has no .ci
	# SC2154: variables that tests.am or the sourcing script sets.
	check "$script" "$("$SHELLCHECK" -x -e SC2154 -f gcc "$script" 2>&1)"
done
tap_done
