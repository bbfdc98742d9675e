#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every shell script passes shellcheck; one result each.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

[ -n "$SHELLCHECK" ] || tap_skip_all "no shellcheck (Debian package shellcheck)"

cd "$srcdir" || exit 1
# shellcheck disable=SC2046 # names without blanks
set -- bootstrap doc/*.sh src/packaging/*.sh $(find tests -path tests/tmp -prune -o -name '*.sh' -print | sort)
[ ! -f .ci/run ] || set -- .ci/run "$@" # a tarball has none
make_scratch
# SC2154: variables that tests.am or the sourcing script sets. One process for all: to start is a fifth of its time.
"$SHELLCHECK" -x -e SC2154 -f gcc "$@" >"$scratch/said" 2>&1
status=$?
tap_check $((status > 1)) "shellcheck reads all of them"
for script; do
	check "$script" "$(grep "^$script:" "$scratch/said")"
done
check "and says nothing of others" "$(for script; do printf '^%s:\n' "$script"; done | grep -v -f - "$scratch/said")"
tap_done
