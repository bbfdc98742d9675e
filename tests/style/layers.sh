#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Who may include what, and who may end the process; doc/internals.md has the reasons.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

cd "$srcdir/src" || exit 1

# "FOLDER FILE NAME" for every #include, NAME with its quotes or brackets.
includes=$(
	grep -rnE --include='*.[ch]' --include='*.def' '^[[:blank:]]*#[[:blank:]]*include' . |
		sed -E 's|^\./||; s|:[0-9]+:[^"<]*| |; s|(["<][^">]*[">]).*|\1|' |
		awk '{ folder = $1; if (!sub(/\/.*/, "", folder)) folder = "."; print folder, $0 }'
)

# wrong AWK-CONDITION [ALLOWED]: the includes for which the condition holds.
wrong() {
	printf '%s\n' "$includes" | awk -v allowed=" $2 " '
		function top(name, part) { split(substr(name, 2), part, /[\/"]/); return part[1] }
		function part_of(name, part) { split(name, part, "/"); return part[2] }
		{ folder = $1; file = $2; name = $3 }
		'"$1"' { print "src/" file " includes " name }'
}

# only FOLDER INCLUDED...: of project headers, FOLDER includes those of the listed folders alone.
only() {
	folder=$1
	shift
	check "$folder includes only $*" "$(
		wrong 'folder == "'"$folder"'" && name ~ /^"/ && !index(allowed, " " top(name) " ")' \
			"config.h $*"
	)"
}

only base base
only model base model
only io base model io gmon_out.h gmon_ext.h gmon_live.h gmon_text.h
only analysis base model analysis
only report base model report
only export base model export
# part FOLDER INCLUDED...: of the headers below run/, run/FOLDER includes those of the listed folders alone.
part() {
	folder=$1
	shift
	check "run/$folder includes of run/ only $*" "$(
		wrong 'file ~ /^run\/'"$folder"'\// && name ~ /^"run\// && !index(allowed, " " part_of(name) " ")' "$*"
	)"
}

part launch launch
part session launch session
part line launch session line
check "model and analysis include neither stdio.h nor bfd.h" \
	"$(wrong '(folder == "model" || folder == "analysis") && name ~ /[<"](stdio|bfd)\.h/')"
check "io/image/image*.c alone include bfd.h" \
	"$(wrong 'name ~ /[<"](bfd\.h|io\/image\/image_bfd)/ && file !~ /^io\/image\/image[a-z_]*\.[ch]$/')"
check "project headers are quoted, with their path below src/" "$(
	printf '%s\n' "$includes" | while read -r _ file name; do
		path=${name#?}
		path=${path%?}
		case $name in
		'"gmon_out.h"' | '"gmon_ext.h"' | '"gmon_live.h"' | '"gmon_text.h"' | '"config.h"') ;;
		\"*) [ -f "$path" ] || echo "src/$file includes $name" ;;
		*) [ ! -f "$path" ] || echo "src/$file includes $name" ;;
		esac
	done
)"
# The process that was to become the pager ends if it cannot.
check "only main.c ends the process" "$(
	nm -A -u "$builddir/libgprof.a" 2>&1 | grep -v ':pager\.o: *U _exit$' |
		grep -E ' U (exit|_exit|_Exit|quick_exit|abort|v?errx?|error(_at_line)?)$'
)"
check "options are constant outside of run/line" "$(
	grep -rnE --include='*.[ch]' 'struct options[ *)]' . | grep -vE '^\./run/line/|const struct options \*'
)"
check "nothing changes a value of a session" "$(
	grep -rnE --include='*.c' '(own_program|profile|located|analysis)(\.[a-z_]+)+ ([-+|&]?= |[-+]{2})' \
		run/command run/session main.c
)"
tap_done
