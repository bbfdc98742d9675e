# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the style tests share; check, by which they tell what they found, is in tests/lib/tap.sh.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
: "${CLANG_FORMAT=$(command -v clang-format-14 || command -v clang-format)}"
: "${SHELLCHECK=$(command -v shellcheck)}"

# built_page NAME: the path of a manual page that the build makes, or that a tarball has.
built_page() {
	if [ -f "$builddir/doc/$1" ]; then
		echo "$builddir/doc/$1"
	else
		echo "$srcdir/doc/$1"
	fi
}
