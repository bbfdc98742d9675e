# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
cp "$srcdir/doc/example/pool.c" . && cc -pg -g -o pool pool.c -lgmon
