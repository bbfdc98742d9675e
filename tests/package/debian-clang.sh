#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# In a bare Debian 13, with clang: see debian-lib.sh.
. "${srcdir:-$(dirname "$0")/../..}/tests/package/debian-lib.sh"

debian_check clang 1
