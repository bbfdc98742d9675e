#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No circle between files: NAME.c and NAME.h are one, and each quoted #include is an arrow from one to another. In the
# runtime there is none between objects either, by the symbols that they use.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

# arrows DIRECTORY: "FROM TO" for each quoted include below it, of what is below it: NAME below DIRECTORY, or beside
# the file that includes it.
arrows() (
	cd "$1" || exit 1
	grep -rnE --include='*.[chS]' '^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*"' . |
		sed -E 's|^\./||; s|:[0-9]+:[^"]*"| |; s|".*||' | sort -u |
		while read -r file name; do
			case $file in */*) beside=${file%/*}/$name ;; *) beside=$name ;; esac
			for path in "$name" "$beside"; do
				[ ! -f "$path" ] || echo "${file%.[chS]} ${path%.[chS]}"
			done
		done | sort -u
)

# From "FROM TO" lines: for each node that is in a circle and in none of those printed before, its shortest circle.
circles() {
	awk '
	$1 != $2 { next_of[$1] = next_of[$1] " " $2; if (!seen[$1]++) node[++nodes] = $1 }
	# The shortest way from the node back to it, or "".
	function circle(start,  queue, n, i, m, k, to, came, way) {
		queue[n = 1] = start
		for (i = 1; i <= n; i++) {
			m = split(next_of[queue[i]], to, " ")
			for (k = 1; k <= m; k++) {
				if (to[k] == start) {
					way = start
					for (to[k] = queue[i]; to[k] != start; to[k] = came[to[k]]) {
						way = to[k] " -> " way
						printed[to[k]] = 1
					}
					return start " -> " way
				}
				if (!(to[k] in came)) {
					came[to[k]] = queue[i]
					queue[++n] = to[k]
				}
			}
		}
		return ""
	}
	END {
		for (i = 1; i <= nodes; i++) {
			if (!printed[node[i]] && (found = circle(node[i])) != "")
				print found
		}
	}'
}

# object_arrows LIBRARY: "FROM TO" where object FROM uses a symbol of TO.
object_arrows() {
	nm -A "$1" 2>/dev/null | awk '
		{ object = $1; sub(/\.o:.*/, "", object); sub(/.*[:-]/, "", object); type = $(NF - 1) }
		type == "U" { uses[object " " $NF] = 1; next }
		type ~ /[A-Z]/ { home[$NF] = object }
		END {
			for (use in uses) {
				split(use, part, " ")
				if (part[2] in home)
					print part[1], home[part[2]]
			}
		}' | sort
}

check_part() {
	check "$1/ has files that include one another" \
		"$([ "$(arrows "$srcdir/$1" | wc -l)" -gt 50 ] || echo "too few are found")"
	check "$1/ has no circle" "$(arrows "$srcdir/$1" | circles)"
}

make_scratch
cd "$scratch" || exit 99
mkdir "$scratch/sub"
echo '#include "sub/b.h"' >"$scratch/a.c"
echo '#include "c.h"' >"$scratch/sub/b.h"
printf '#include "a.h"\n#include "d.h"\n' >"$scratch/sub/c.c"
touch "$scratch/a.h" "$scratch/sub/c.h" "$scratch/d.h"
check "a circle of three files is found" \
	"$(arrows "$scratch" | circles | grep -vFx 'a -> sub/b -> sub/c -> a')$(
		[ "$(arrows "$scratch" | circles | wc -l)" = 1 ] || echo none
	)"
check_part runtime
check_part src
what="no circle between the runtime's objects"
if [ -f "$builddir/runtime/libparts.a" ]; then
	check "$what" "$(
		object_arrows "$builddir/runtime/libparts.a" >objects
		[ "$(wc -l <objects)" -gt 50 ] || echo "too few uses are found"
		circles <objects
	)"
else
	tap_skip "$what" "libgmon is not built for this machine"
fi
tap_done
