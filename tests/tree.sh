#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tree.sh folders: for each folder of the source its files, lines, longest file and longest function, and how many other
# folders it includes. tree.sh growth: lines by feature, as doc/growth.md has them; doc/features.list says which file is
# part of which feature. Blank lines and comments count; what the build makes does not.
cd "${srcdir:-$(dirname "$0")/..}" || exit 1

# The source as a checkout or a tarball has it.
sources() {
	find src runtime include -type f \( -name '*.[chS]' -o -name '*.def' -o -name '*.js' -o -name '*.css' \
		-o -name '*.html' -o -name '*.svg' -o -name '*.awk' \) ! -name templates.c | LC_ALL=C sort
}

folders() {
	for folder in $(sources | sed 's|/[^/]*$||' | LC_ALL=C sort -u); do
		# shellcheck disable=SC2016 # awk's
		sources | sed -n "s|^$folder/[^/]*\$|&|p" | xargs awk -v folder="$folder" '
			FNR == 1 { files++; start = 0 }
			{ lines++; if (FNR > longest) longest = FNR }
			/^#[ ]*include "/ {
				to = $2
				gsub(/"/, "", to)
				if (sub(/\/[^\/]*$/, "", to) && folder !~ ("(^|/)" to "$")) others[to]
			}
			FILENAME ~ /\.[ch]$/ && /^{/ { start = FNR }
			FILENAME ~ /\.[ch]$/ && /^}/ && start {
				if (FNR - start + 1 > longest_function) longest_function = FNR - start + 1
				start = 0
			}
			END {
				for (to in others) n++
				printf "%-28s %5d %7d %7d %9d %9d\n", folder, files, lines, longest, longest_function, n
			}'
	done | awk '
		BEGIN { printf "%-28s %5s %7s %7s %9s %9s\n", "folder", "files", "lines", "longest", "function", "includes" }
		{ files += $2; lines += $3; includes += $6; if ($4 > l) l = $4; if ($5 > f) f = $5; print }
		END { printf "%-28s %5d %7d %7d %9d %9d\n", "all", files, lines, l, f, includes }'
}

# "FEATURE<tab>FILE" for each source file; "none" where no pattern matches.
features() {
	sources | while read -r file; do
		while IFS='	' read -r feature patterns; do
			case $feature in '#'*) continue ;; esac
			for pattern in $patterns; do
				# shellcheck disable=SC2254 # a pattern
				case $file in $pattern) break 2 ;; esac
			done
			feature=none
		done <doc/features.list
		printf '%s\t%s\n' "$feature" "$file"
	done
}

growth() {
	cat <<-END
		# Lines by feature

		What each feature costs to keep: all lines of its source, by doc/features.list. \`make growth\` makes this table;
		\`tests/style/growth.sh\` fails when a feature has grown by a twentieth since, so that growth is a decision.

		| feature | files | lines |
		| --- | ---: | ---: |
	END
	features | while IFS='	' read -r feature file; do
		printf '%s\t%d\n' "$feature" "$(wc -l <"$file")"
	done | awk -F '\t' '
		{ files[$1]++; lines[$1] += $2; n++; all += $2 }
		END {
			for (name in files) printf "%d\t| %s | %d | %d |\n", lines[name], name, files[name], lines[name]
			printf "0\t| all | %d | %d |\n", n, all
		}' | LC_ALL=C sort -t '	' -k1,1nr -k2 | cut -f 2
}

set -f
case ${1-} in
folders | growth) "$1" ;;
*)
	echo "usage: tree.sh folders|growth" >&2
	exit 1
	;;
esac
