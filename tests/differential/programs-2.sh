#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The other half of programs.sh, so that two cores share its ten minutes.
half=1
. "${srcdir:-$(dirname "$0")/../..}/tests/differential/programs.sh"
