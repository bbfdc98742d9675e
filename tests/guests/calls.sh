#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Some rows of guests.sh with all calls counted: `make check-guests-calls' runs all of them.
KEYS=calls=libs
export KEYS
exec sh "${srcdir:-$(dirname "$0")/../..}/tests/guests/guests.sh" 'sort with threads' 'tar and gzip' 'awk and its pipes' \
	'signals below a shell' 'bash: jobs and pipes' 'perl: fork and wait' 'Python: KeyboardInterrupt' 'g++' 'as and ld'
