# SPDX-License-Identifier: GPL-3.0-or-later
# Reads, with step=1, the entries of a call graph (callgraph.awk), with step=2, readelf -hsW, with step=3,
# objdump -d, of one program; prints "arc CALLER CALLEE" for every direct call, and every direct jump
# to another function, that leads from an entry's code to the start of an entry.

function address(hex) {
	hex = tolower(hex)
	sub(/^0+/, "", hex)
	return hex
}

# As gprof chooses among the symbols of one address: global, function, fewer underscores, first.
function rank(type, bind, name) {
	return (bind != "LOCAL") * 100 + (type == "FUNC") * 10 + (name !~ /^_/) + (name !~ /^__/)
}

# What the machine's instructions that lead somewhere are called: `branch', of which `call' are calls; and
# what may stand between such a word and the address.
function know_machine(name) {
	between = "([^<]*[, ])?"
	thumb = 0
	skip = ""
	if (name ~ /^AArch64/) {
		branch = "bl|b|b\\.[a-z]+|cbn?z|tbn?z"
		call = "^bl$"
	} else if (name ~ /^ARM/) {
		branch = "(blx?|b)(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?(\\.[nw])?|cbn?z"
		call = "^blx?(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?$"
		thumb = 1 # symbols of Thumb functions are odd
	} else if (name ~ /^RISC-V/) {
		branch = "jalr?|jr?|b[a-z]+"
		call = "^jalr?$"
	} else if (name ~ /^PowerPC/) {
		branch = "b[a-z]*[-+]?"
		call = "^bl$"
		skip = "[48]" # the local entry
	} else if (name ~ /S\/390/) {
		branch = "bras|brasl|j[a-z]*|br[cx][a-z]*|cl?g?[ri]j[a-z]*"
		call = "^brasl?$"
	} else {
		branch = "(call|j[a-z]+|loop[a-z]*)[a-z,]*"
		call = "^call"
		between = ""
	}
	branch = "[\t ](" branch ")[\t ]+" between "[0-9a-f]+ <"
}

# A hexadecimal number less a small one.
function less(hex, n,  digits, i, value) {
	digits = "0123456789abcdef"
	for (i = 1; i <= length(hex); i++)
		value = value * 16 + index(digits, substr(hex, i, 1)) - 1
	return sprintf("%x", value - n)
}

step == 1 { known[$NF] = 1 }
step == 1 && $1 == "entry" { listed[$2] = 1 } # not mcount, which is a callee alone

step == 2 && /^ *Machine:/ { sub(/.*: */, ""); know_machine($0); next }
step == 2 { sub(/\[[^]]*\] */, "") } # notes between the columns
step == 2 && /^Symbol table/ { in_symtab = /\.symtab/ }
step == 2 && in_symtab && $1 ~ /:$/ && $7 ~ /^[0-9]+$/ && $4 != "SECTION" && $4 != "FILE" {
	at = address($2)
	if (thumb && $4 ~ /FUNC/ && at ~ /[13579bdf]$/)
		at = less(at, 1)
	name = $8
	if ($4 == "FUNC")
		is_function[at] = 1
	if (!(name in value) || $5 != "LOCAL")
		value[name] = at
	if (name in known && $4 != "IFUNC") {
		if (!(at in entry) || rank($4, $5, name) > best[at]) {
			entry[at] = name
			best[at] = rank($4, $5, name)
		}
	} else if ($4 == "FUNC" || $4 == "IFUNC")
		left_out[at] = 1
}

step == 3 && /^Disassembly of section/ { caller = from = "" }
step == 3 && /^[0-9a-f]+ <.*>:$/ {
	at = address($1)
	if (at in entry) {
		caller = entry[at]
		from = at
	} else if (at in left_out)
		caller = ""
	next
}
step == 3 && caller != "" && match($0, branch) {
	at = substr($0, RSTART + 1, RLENGTH - 1)
	kind = at
	sub(/[\t ].*/, "", kind)
	split($0, part, "<")
	sub(/ <$/, "", at)
	sub(/.*[\t ,]/, "", at)
	at = address(at)
	if (skip != "" && part[2] ~ ("\\+0x" skip ">"))
		at = less(at, substr(part[2], index(part[2], "+0x") + 3, 1))
	stub = part[2]
	if (stub ~ /@plt>/) {
		sub(/[@+].*/, "", stub)
		if (part[2] ~ /^\*ABS\*\+0x/) {
			at = part[2]
			sub(/^\*ABS\*\+0x/, "", at)
			sub(/@.*/, "", at)
			at = address(at)
		} else
			at = stub in value ? value[stub] : ""
	}
	if (caller in listed && at in entry &&
	    (kind ~ call || (at != from && is_function[at])))
		print "arc", caller, entry[at]
}
