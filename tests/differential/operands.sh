#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What compare cannot run: profiles from standard input, other environments, files that gprof writes or
# that it reads besides the profiles.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/differential/lib.sh"

make_scratch
"$TOOLS/mkprofile" "$srcdir/tests/golden/sum.profile" "$scratch" || exit 99
compare_commands options-commands
tap_done
