# SPDX-License-Identifier: GPL-3.0-or-later
# Reads, with step=1, the entries of a call graph (callgraph.awk), with step=2, readelf -sW, with step=3,
# objdump -d, of one x86 program; prints "arc CALLER CALLEE" for every direct call, and every direct jump
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

step == 1 { known[$NF] = 1 }
step == 1 && $1 == "entry" { listed[$2] = 1 } # not mcount, which is a callee alone

step == 2 && /^Symbol table/ { in_symtab = /\.symtab/ }
step == 2 && in_symtab && $1 ~ /:$/ && $7 ~ /^[0-9]+$/ && $4 != "SECTION" && $4 != "FILE" {
	at = address($2)
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
step == 3 && caller != "" && match($0, /[\t ](call|j[a-z]+|loop[a-z]*)[a-z,]* +[0-9a-f]+ </) {
	kind = substr($0, RSTART, RLENGTH)
	split($0, part, "<")
	at = kind
	sub(/ <$/, "", at)
	sub(/.* /, "", at)
	at = address(at)
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
	    (kind ~ /call/ || (at != from && is_function[at])))
		print "arc", caller, entry[at]
}
