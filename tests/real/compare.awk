# SPDX-License-Identifier: GPL-3.0-or-later
# Compares two counts of the calls of each function: what gprof says, as csv, and "ADDRESS COUNT" of
# counter.c (step=2). Functions without a symbol of their own are not in a profile; main is called by what is not
# instrumented, but counted by both. Prints the functions that differ and, last, how many functions and calls there
# were, and the ratio of the sums.

# Without the first "0x" and zeros in front.
function key(address) {
	sub(/^0x/, "", address)
	sub(/^0+/, "", address)
	return address
}

step == 1 {
	line = $0
	# Strings may have commas.
	gsub(/"([^"]|"")*"/, "", line)
	n = split(line, field, ",")
	if (FNR == 1) {
		for (i = 1; i <= n; i++)
			column[field[i]] = i
		next
	}
	ours[key(field[column["address"]])] += field[column["calls"]] + field[column["recursive calls"]]
	next
}

{
	theirs[$1] = $2
}

END {
	for (address in theirs) {
		functions++
		sum += theirs[address]
		own += ours[address]
		if (ours[address] != theirs[address])
			printf "differs: 0x%s: %d, not %d\n", address, ours[address], theirs[address]
	}
	for (address in ours)
		if (ours[address] && !(address in theirs)) {
			printf "differs: 0x%s: %d, not 0\n", address, ours[address]
			own += ours[address]
		}
	printf "%d functions, %d calls, ratio %.6f\n", functions, sum, sum ? own / sum : 0
}
