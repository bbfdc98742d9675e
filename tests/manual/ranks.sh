# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# The data files are named as by GMON=file=prof.%r.out.
mv gmon.out prof.0.out
for rank in 1 2 3; do
	mv gmon.$((rank + 1)) prof.$rank.out
done
