#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Some rows of guests.sh with waiting recorded: `make check-guests-wall' runs all of them.
KEYS=clock=wall
export KEYS
exec sh "${srcdir:-$(dirname "$0")/../..}/tests/guests/guests.sh" 'sort with threads' 'unshare of the user' 'unshare' \
	'signals below a shell' 'bash: jobs and pipes' 'perl: fork and wait' 'Python: KeyboardInterrupt' 'as and ld'
