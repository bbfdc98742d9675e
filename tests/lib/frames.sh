# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the scripts that have to know, from binutils, which functions and lines each instruction is of, and which
# samples it has.

# What names the functions and lines of addresses. binutils up to 2.44 does not follow ranges that are told by an index, as
# clang writes them for DWARF 5: what is inlined in two pieces has no function there. LLVM's program of the same options does.
symbolizer=addr2line
if "$CC" --version 2>/dev/null | grep -q clang; then
	symbolizer=llvm-addr2line
fi

# frames_obstacle: prints what is missing here; nothing if all is there.
frames_obstacle() {
	command -v objdump >/dev/null || echo 'no objdump (Debian package binutils)'
	command -v $symbolizer >/dev/null || echo "no $symbolizer (Debian package $(package_of $symbolizer))"
}

# make_frames: of a.out, `frames' with a line "ADDRESS FUNCTION LINE FUNCTION LINE ..." for each instruction, the
# innermost function first; and `symbols', by which stackdump prints stacks of such addresses.
make_frames() {
	objdump -d --no-show-raw-insn a.out | sed -n 's/^ *\([0-9a-f]*\):.*/\1/p' >addresses
	sed 's/.*/& T &/' addresses >symbols
	sed 's/^/0x/' addresses | $symbolizer -afie a.out | sed 's/ (disc.*//; s/^.*:/:/' | awk '
		/^0x/ { if (NR > 1) printf "\n"; sub(/^0x0*/, ""); printf "%s", $0; next }
		/^:/ { printf " %s", substr($0, 2); next }
		{ printf " %s", $0 }
		END { printf "\n" }' >frames
}

# make_pairs: of a.out's gmon.out, `pairs' with a line "ADDRESS SAMPLES" for each pair of bytes that has some. A histogram
# begins behind 20 bytes with a tag, two addresses, bins and rate, and has its first bin at byte 61. As in GNU gprof, bins
# are of whole pairs of bytes, of which the second counts, and what a pair gets is divided by the size that was not
# rounded.
make_pairs() {
	od -An -v -tu8 -j21 -N16 gmon.out >range
	od -An -v -tu4 -j37 -N4 gmon.out >>range
	od -An -v -tu2 -w2 -j61 gmon.out | awk 'NR == FNR { for (i = 1; i <= NF; i++) n[++k] = $i; next }
		FNR > n[3] { exit }
		$1 > 0 {
			pairs = (n[2] - n[1]) / n[3] / 2
			base = int(n[1] / 2)
			for (p = int(pairs * (FNR - 1)); p < int(pairs * FNR); p++)
				printf "0x%x %.17g\n", 2 * (base + p) + 1, $1 / pairs
		}' range - >pairs
}
