# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# The tutorial's program as it was before it was fixed, with its profile: the C library's runtime may take so few samples
# of a run that lines of much time have none, so there may be others.
cp "$srcdir/doc/example/words.c" . && cc -pg -g -o words words.c && for _ in 1 2 3 4 5 6 7 8 9 10; do
	./words >/dev/null
	gprof -b -p -l words | grep -q 'same (words.c:35 ' && break
done
[ -s gmon.out ]
