#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Memory that is not libgmon's is read by runtime/base/readable.c alone: what walks stacks, describes objects and watches
# threads makes no pointer of a number, and takes the program headers of an object for a number, too.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

command -v clang >/dev/null || tap_skip_all 'no clang: install Debian package clang'
arch=$(sed -n 's/^RUNTIME_ARCH *= *//p' "$builddir/Makefile" 2>/dev/null)
arch=${arch:-$(uname -m)}
[ -d "$srcdir/runtime/arch/$arch" ] || tap_skip_all "libgmon is not for $arch"

make_scratch

# made_pointers FILE...: "FILE: FUNCTION" for each conversion of a number to a pointer, as clang sees it. Where its tree
# has no file, that is the file of the line before.
made_pointers() {
	for source; do
		CCACHE_DISABLE=1 clang -fsyntax-only -fno-color-diagnostics -Xclang -ast-dump -D_GNU_SOURCE -I"$srcdir/runtime" \
			-I"$srcdir/include" -I"$srcdir/runtime/arch/$arch" "$source" >"$scratch/tree" 2>"$scratch/err" ||
			sed 1q "$scratch/err"
		awk '
			{
				line = $0
				while (match(line, /[<,] ?[^<>:, ]*:[0-9]+:[0-9]+/)) {
					where = substr(line, RSTART, RLENGTH)
					gsub(/^[<,] ?|:.*/, "", where)
					if (where != "line") file = where
					line = substr(line, RSTART + RLENGTH)
				}
			}
			/^[|`]-FunctionDecl / { match($0, /[a-z_0-9]+ \047/); name = substr($0, RSTART, RLENGTH - 2) }
			/<IntegralToPointer>/ && file ~ /runtime\/(unwind|wait|record)\// { print file ": " name }' "$scratch/tree"
	done | sort -u
}

# That it finds one, and where.
mkdir -p "$scratch/runtime/unwind"
cat >"$scratch/runtime/unwind/two.c" <<-'END'
	#include <stdint.h>
	static int fine(const int *at) { return *at; }
	int wrong(uintptr_t at);
	int wrong(uintptr_t at)
	{
		return fine(0) + *(const int *)(at + 4);
	}
END
expect 'a pointer made of a number is found' \
	[ "$(made_pointers "$scratch/runtime/unwind/two.c")" = "$scratch/runtime/unwind/two.c: wrong" ]
check "no number becomes a pointer in runtime/unwind, runtime/record and runtime/wait" "$(
	made_pointers "$srcdir"/runtime/unwind/*.c "$srcdir"/runtime/record/*.c "$srcdir"/runtime/wait/*.c
)"
check "program headers are taken for a number there" "$(
	cd "$srcdir/runtime" && grep -n dlpi_phdr unwind/*.c record/*.c wait/*.c | grep -v '(uintptr_t)info->dlpi_phdr'
)"
tap_done
