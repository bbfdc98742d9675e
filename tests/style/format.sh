#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All C is as clang-format 14 writes it with .clang-format: other versions differ in details.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

case $("${CLANG_FORMAT:-false}" --version) in
*"version 14."*) ;;
*) tap_skip_all "no clang-format 14 (Debian package clang-format-14, of Debian 12 only)" ;;
esac

cd "$srcdir" || exit 1
check "clang-format" "$(
	find src include runtime tests doc/example -path tests/tmp -prune -o -name '*.[ch]' \
		-exec "$CLANG_FORMAT" --dry-run -Werror {} + 2>&1 | grep 'error:'
)"
tap_done
