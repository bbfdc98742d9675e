# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the style tests share; check, by which they tell what they found, is in tests/lib/tap.sh.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
: "${CLANG_FORMAT=$(command -v clang-format-14 || command -v clang-format)}"
: "${SHELLCHECK=$(command -v shellcheck)}"
