#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 'make dist' packs what git has, the manual, manual pages and what autoreconf makes, nothing else and nothing less.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

{ [ -e "$srcdir/.git" ] && git -C "$srcdir" ls-files >/dev/null 2>&1; } ||
	tap_skip_all "not a git checkout"

unset MAKEFLAGS MFLAGS MAKELEVEL
make_scratch
cd "$scratch" || exit 1
check "make distdir" "$(make -C "$builddir" distdir distdir="$scratch/dist" >log 2>&1 || tail -n 30 log)"
(cd dist && find . -type f) | sed 's|^\./||' | sort >packed
(cd "$srcdir" && git ls-files --cached --others --exclude-standard) |
	grep -vx -e '\.ci/run' -e '\.gitignore' | sort >tracked
check "all files of the tree are packed" "$(comm -13 packed tracked)"
check "no others, but the manual, manual pages and what autoreconf makes" "$(comm -23 packed tracked |
	grep -v -e '^doc/gprof\.info$' -e '^doc/\(exports\|options\|release\)\.texi$' -e '^doc/gprof\.1$' -e '^doc/libgmon\.3$' \
		-e '^build-aux/[^/]*$' -e '^Makefile\.in$' -e '^aclocal\.m4$' -e '^config\.h\.in$' -e '^configure$')"
chmod -R u+w dist
tap_done
