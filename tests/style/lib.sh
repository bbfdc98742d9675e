# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the style tests share.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib.sh"
: "${CLANG_FORMAT=$(command -v clang-format-14 || command -v clang-format)}"
: "${SHELLCHECK=$(command -v shellcheck)}"

# check WHAT COMPLAINTS: ok when there are none.
check() {
	if [ -z "$2" ]; then
		tap_ok "$1"
	else
		tap_not_ok "$1"
		printf '%s\n' "$2" | tap_note
	fi
}

# built_page NAME: the path of a manual page that the build makes, or that a tarball has.
built_page() {
	if [ -f "$builddir/doc/$1" ]; then
		echo "$builddir/doc/$1"
	else
		echo "$srcdir/doc/$1"
	fi
}
