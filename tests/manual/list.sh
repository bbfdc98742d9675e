# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# A list of functions for the program demo.
"$TOOLS/mkprofile" "$srcdir/tests/manual/demo.profile" . &&
	printf '%s\n' '0000000000401000 T begin' '0000000000401080 T input' '0000000000401100 T table' \
		'0000000000401180 T output' >list
