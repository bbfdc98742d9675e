#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sum-parallel.sh PROGRAM DIRECTORY: adds up the profiles of a directory, *.out, to all.sum, by GNU parallel: a gprof for
# each EACH (500) of them, on all processors; --sshlogin would take other machines, too.
find "$2" -name '*.out' -print0 | parallel -0 -N "${EACH:-500}" gprof -s -o part.{#}.sum "$1" {} &&
	gprof -s -o all.sum "$1" part.*.sum
