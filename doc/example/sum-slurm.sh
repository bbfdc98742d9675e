#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#SBATCH --array=0-63
# sum-slurm.sh PROGRAM LIST: as a task of a job array, adds up its share of the profiles that a list names, a line each,
# to part.N.sum. What comes behind the array: gprof -s -o all.sum PROGRAM part.*.sum
awk -v n="$SLURM_ARRAY_TASK_COUNT" -v k="$SLURM_ARRAY_TASK_ID" 'NR % n == k' "$2" |
	gprof -s -o "part.$SLURM_ARRAY_TASK_ID.sum" "$1" @/dev/stdin
