#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tests' GPROF in a --enable-valgrind build. Status 99 is a finding, which no test expects.
# Old valgrinds complain of system calls that they do not know.
export GPROF_SANDBOX=no
exec "$VALGRIND" -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
	"$builddir/gprof" "$@"
