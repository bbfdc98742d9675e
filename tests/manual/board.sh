# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# As users copy it: share/doc/gprof/embedded.
mkdir -p embedded/ports && cp "$srcdir/doc/example/board.c" "$srcdir/doc/example/board.ld" . &&
	cp "$srcdir"/runtime/embedded/*.[ch] "$srcdir/include/gmon_out.h" "$srcdir/include/gmon_text.h" embedded &&
	cp "$srcdir"/runtime/embedded/ports/*.[ch] embedded/ports
