# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# The tutorial's program as it was before it was fixed, with its profile.
cp "$srcdir/doc/example/words.c" . && cc -pg -g -o words words.c && ./words >/dev/null
