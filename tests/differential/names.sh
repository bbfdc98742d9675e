#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Names in the reports, by every style of demangling: those of tests/differential/names, as global and as
# local symbols (whose names decide if they are accepted), and those in the C++ library at hand. Our gprof
# and the system's must print the same bytes.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/differential/lib.sh"

# profile BINDING < NAMES: a program of functions with these names, for mkprofile. Some have ticks, most
# are called, a few by themselves too.
profile() {
	awk -v binding="$1" '
		{ name[++n] = $1 }
		function address(i) { return sprintf("0x%x", 4198400 + 16 * i) }
		END {
			print "text", address(0), 16 * (n + 2)
			print "sym main", address(0)
			for (i = 1; i <= n; i++)
				print "sym", name[i], address(i), binding
			print "sym etext", address(n + 1)
			print "profile"
			print "hist", address(0), address(n + 2), 4 * (n + 2), 100
			for (i = 3; i <= n; i += 3)
				print "tick", address(i), i % 7
			for (i = 1; i <= n; i++) {
				if (i % 4) print "arc", address(i % 5), address(i), i % 100
				if (i % 10 == 0) print "arc", address(i), address(i), 1
			}
		}'
}

# check_names WHAT BINDING < NAMES
check_names() {
	if ! mkdir "$scratch/$1" || ! profile "$2" >"$scratch/$1/x.profile" ||
		! "$TOOLS/mkprofile" "$scratch/$1/x.profile" "$scratch/$1"; then
		tap_not_ok "$1 is made"
		return
	fi
	compare_lines "$1" "$scratch/$1" <<-END
		-b
		-b -q -z -w 200
		-b --demangle
		-b -p --no-demangle
		-b -p --demangle=auto
		-b -p --demangle=dlang
		-b -p --demangle=gnat
		-b -p --demangle=gnu-v3
		-b -p --demangle=java
		-b -p --demangle=none
		-b -p --demangle=rust
		-b -p --no-demangle --demangle
		-b -p --demangle=rust --demangle
	END
}

names=$srcdir/tests/differential/names
make_scratch
grep -v '^#' "$names" >"$scratch/names"
check_names global-names global <"$scratch/names"
check_names local-names local <"$scratch/names"
library=$("${CXX:-g++}" -print-file-name=libstdc++.a 2>/dev/null)
if [ -f "$library" ]; then
	nm -P "$library" 2>/dev/null | awk 'NF > 2 && $2 ~ /[TtWV]/ { print $1 }' | sort -u >"$scratch/names"
	check_names library-names global <"$scratch/names"
else
	tap_skip library-names 'no libstdc++.a: install Debian package g++'
fi
tap_done
