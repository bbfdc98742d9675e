#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No object of the tool's library has writable data. Constant tables of pointers (.data.rel.ro) are
# written by the dynamic linker only.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

case $INSTRUMENTED in
'' | valgrind) ;;
*) tap_skip_all "the $INSTRUMENTED build puts data of its own into objects" ;;
esac

# Sections that are allocated, writable and not empty; and common symbols, which have no section.
check "no writable data in libgprof.a" "$(
	readelf -W -S "$builddir/libgprof.a" | awk '
		/^File: / { object = $2; objects++ }
		/^ *\[ *[0-9]+\] / {
			sub(/^ *\[ *[0-9]+\] /, "")
			if ($7 ~ /W/ && $7 ~ /A/ && $1 !~ /^\.data\.rel\.ro/ && $5 !~ /^0*$/)
				print object ": " $1 " of 0x" $5 " bytes"
		}
		END { if (!objects) print "no objects in libgprof.a" }'
	nm -A "$builddir/libgprof.a" 2>/dev/null | grep ' [Cc] '
)"
tap_done
