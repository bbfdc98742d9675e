# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# The counts of basic blocks of the program demo, as old gcc wrote them.
"$TOOLS/mkprofile" "$srcdir/tests/manual/demo.profile" . && cat >bb.out <<'END'
Basic block profiling finished on Mon Jan  1 00:00:00 1990

File demo.c, 2 basic blocks

    Block #1: executed          1 time(s) address= 0x401000 function= main line= 5 file= demo.c
    Block #2: executed      10000 time(s) address= 0x401100 function= lookup line= 40 file= demo.c
END
