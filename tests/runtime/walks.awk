# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reads what programs/unwind.c prints and prints what is wrong with it.
#
#   samples=N  wanted of each phase
#   weak=LIST  phases whose code nobody describes, where stacks may be incomplete; main() is found in as many as some of those that were
#              in the program's own functions: an emulator may interrupt it in others nearly always
#   most=N     percent of complete stacks wanted of other phases; 99
#   some=X     this part of these; 0.3
#   whole=PHASE one in which main() is found in all
#   agree=X    part of the complete stacks that the compiler's library finds, too

BEGIN {
	# What may be incomplete: a coroutine while it is switched to; what nobody describes, as the first and last functions
	# of libraries, which a timer finds often on a kernel that delivers its signal where a page fault returns; and what
	# the compiler's library cannot be asked about. Where a throw goes on, registers are those of two functions for some
	# instructions.
	least["coroutine"] = 90; least["throw"] = 90
	rare["coroutine"]; rare["throw"]
	guessed["made"] # a guess, and a right one
	# Before its first function has said where it is; one stack in a hundred may be another than the compiler's
	# library finds where a thread begins or ends.
	rare_main["thread"]
	split(weak, list, " ")
	for (i in list) least[list[i]] = 0
}
$2 == "samples" {
	phases++
	if ($1 in guessed) {
		$5 += $7
		$13 = $5
	}
	low = ($1 in least ? least[$1] : most ? most : 99) / 100 * ($3 - $17)
	reach = low == 0 ? (some ? some : 0.3) * $19 : (most ? most / 100 : 0.98) * ($3 - $17)
	equal = ($1 in rare_main ? 0.98 : 1) * agree * $5
	if ($3 < samples || ($1 == whole && $11 < $3) || $5 < low || (!($1 in rare || $1 in rare_main) && $11 < reach) || (!($1 in rare) && $13 < equal))
		print
}
END { if (phases < 8) print phases " phases" }
