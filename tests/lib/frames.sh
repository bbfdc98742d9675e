# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the scripts that have to know, from binutils, which functions and lines each instruction is of.

# make_frames: of a.out, `frames' with a line "ADDRESS FUNCTION LINE FUNCTION LINE ..." for each instruction, the
# innermost function first; and `symbols', by which stackdump prints stacks of such addresses.
make_frames() {
	objdump -d --no-show-raw-insn a.out | sed -n 's/^ *\([0-9a-f]*\):.*/\1/p' >addresses
	sed 's/.*/& T &/' addresses >symbols
	sed 's/^/0x/' addresses | addr2line -afie a.out | sed 's/ (disc.*//; s/^.*:/:/' | awk '
		/^0x/ { if (NR > 1) printf "\n"; sub(/^0x0*/, ""); printf "%s", $0; next }
		/^:/ { printf " %s", substr($0, 2); next }
		{ printf " %s", $0 }
		END { printf "\n" }' >frames
}
