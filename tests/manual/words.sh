# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# The tutorial's program as it was before it was fixed, with its profile: on a busy machine the kernel may take so few
# samples of a run that lines of much time have none, so there may be others.
cp "$srcdir/doc/example/words.c" . && cc -pg -g -o words words.c && for _ in 1 2 3 4 5; do
	./words >/dev/null
	gprof -b -p words | awk '$2 + 0 > sum { sum = $2 + 0 } END { exit sum < 0.3 }' && break
done
[ -s gmon.out ]
