# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# The object files of the program demo, as `nm -A' lists their functions.
"$TOOLS/mkprofile" "$srcdir/tests/manual/demo.profile" . &&
	printf '%s\n' 'main.o:00401000 T main' 'input.o:00401040 T load' 'input.o:00401080 T parse' \
		'input.o:004010c0 T group' 'table.o:00401100 T lookup' 'table.o:00401140 t hash' \
		'report.o:00401180 T report' 'main.o:004011c0 T usage' >map
