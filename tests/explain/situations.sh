#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What goes wrong with profiles, made on purpose: --explain names each by its key, and so does the note in
# a report that has nothing, or too little, to say. situations.list is the table, and explains itself.
#
#   situations.sh [KEY...]   only these
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh disable=SC2317 # what commands of the table call
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$srcdir/tests/explain/lib.sh"

# For the commands of the table ---------------------------------------------------------------

# compile NAME ARGUMENT...: NAME, from `gcc ARGUMENT...`, where `=` stands for the directory of sources.
compile() {
	name=$1
	shift
	for word; do
		case $word in =*) word=$programs/${word#=} ;; esac
		set -- "$@" "$word"
		shift
	done
	"$CC" -o "$name" "$@"
}

# work: a copy of the program that most situations are about, with the runtime of the C library.
work() {
	[ -f "$scratch/work" ] || compile "$scratch/work" -pg =work.c =mix.c
	cp "$scratch/work" .
}

# made: a.out and its profiles, from profiles/NAME.profile.
made() {
	make_profile "$profiles/$1.profile"
}

# gone: no profile was written.
gone() {
	[ ! -e gmon.out ]
}

# unsampled COMMAND...: ten times at most, until no sample has hit the program itself.
unsampled() {
	tries=10
	until [ "$tries" = 0 ]; do
		tries=$((tries - 1))
		"$@" || return
		! "$GPROF" -b -p work 2>/dev/null | grep -q '^ *no time accumulated' || tries=0
	done
}

# has_piece PROGRAM: the compiler has divided a function.
has_piece() {
	nm "$1" | grep -q 'visit\.part\.0$' || skip_case "$CC cuts nothing off its functions"
}

# The checks ----------------------------------------------------------------------------------

# As --explain names the cause: the first line, without the key.
check_explanation() {
	explain "$@"
	must "--explain ends with status $status" [ "$status" = 3 ]
	read -r first <explained
	case $first in
	"$key: "?*) ;;
	*) complain "--explain begins: $first" ;;
	esac
	must "--explain prints nothing below the first line" [ "$lines" -gt 2 ]
	sentence=${first#*: }
}

check_report() {
	report "$@"
	note=$(sed -n 's/^[^ ]*gprof: note: //p' errors)
	case $expected:$nnotes in
	chance:0) expected=quiet ;;
	chance:*) expected=note ;;
	esac
	case $expected in
	error*)
		must "$(wc -l <errors) lines on standard error" [ "$(wc -l <errors)" -eq 1 ]
		said=$(sed "s/^[^ ]*gprof: //; s/to profile it as it is: gprof --run .*/see gprof --explain/" errors)
		must "the error is: $(cat errors)" [ "$said" = "$sentence; see gprof --explain" ]
		;;
	note*)
		must "$nnotes notes, and on standard error: $(head -n 1 errors)" [ "$nnotes" = 1 ]
		must "the note is: $note" [ "$note" = "$sentence; see gprof --explain" ]
		;;
	other*)
		must "$nnotes notes, and on standard error: $(head -n 1 errors)" [ "$nnotes" = 1 ]
		must "the note lacks $says: $note" grep -q -e "gprof: note: .*$says" errors
		;;
	*) must "a note where there should be none: $note" [ "$nnotes" = 0 ] ;;
	esac
	case $expected in
	*own) ;;
	*) report_is_same "$@" ;;
	esac
	case $expected in
	error*) must "status $status instead of 1" [ "$status" = 1 ] ;;
	*) must "status $status" [ "$status" = 0 ] ;;
	esac
}

# follow ADVICE PATTERN ARGUMENT...: --explain advises this, and with it the report has PATTERN; with ! in
# front, it has not.
follow() {
	advice=$1 pattern=$2
	shift 2
	must "--explain does not advise $advice" grep -q -e "$advice" explained
	# shellcheck disable=SC2086 # words
	report $advice "$@"
	case $pattern in
	!*) must "with $advice there is ${pattern#!}" fails grep -q -e "${pattern#!}" ours ;;
	*) must "with $advice there is no $pattern: $(head -n 1 errors)" grep -q -e "$pattern" ours ;;
	esac
}

# What --explain advises helps.
check_advice() {
	case $key in
	shifted)
		follow "$says" ' mix$' "$@"
		explain --image-base=0x900000 "$@"
		must "with a wrong address --explain does not advise $says" grep -qx -e "  $says" explained
		explain "$says" "$@"
		must "with $says --explain ends with status $status" [ "$status" = 0 ]
		;;
	one-cycle) follow '-k compare/invoke' '!<cycle' "$@" ;;
	neighbour) follow --all-symbols ' visit.part.0$' "$@" ;;
	no-samples) case $commands in
		*archive*) must "--explain blames libgmon's own calls" fails grep -q -e setitimer -e sigaction explained ;;
		esac ;;
	same-names) follow --inline-file-names ' step (.*same-other.c:' -L "$@" ;;
	esac
}

test_situation() {
	# shellcheck disable=SC2086 # words
	check_explanation $arguments
	must "--explain does not say: $says" grep -q -e "$says" explained
	# shellcheck disable=SC2086 # words
	check_report $arguments
	# shellcheck disable=SC2086 # words
	check_advice $arguments
}

# check_refused WHAT ARGUMENT...: what is no program or no profile is an error, as it is without --explain.
check_refused() {
	title=$1
	shift
	begin_case 'work && ./work run 0 && echo text >text && head -c 300 gmon.out >short'
	"$GPROF" --explain "$@" >explained 2>errors
	status=$?
	must "status $status" [ "$status" = 1 ]
	must "on standard output: $(head -n 1 explained)" [ ! -s explained ]
	must "$(wc -l <errors) lines on standard error" [ "$(wc -l <errors)" -eq 1 ]
	end_case "error: $title"
}

test_errors() {
	check_refused 'program and profile are interchanged' gmon.out work
	check_refused 'the program is a script' text
	check_refused 'the profile is cut short' work short
	check_refused 'the profile is a text' work text
	check_refused 'there is no program' none
}

make_scratch
while IFS='|' read -r key expected title says commands arguments <&3; do
	key=$(trim "$key") expected=$(trim "$expected") title=$(trim "$title") says=$(trim "$says")
	chosen "$key" "$@" || continue
	case $commands in
	*archive*)
		if [ ! -f "$archive" ]; then
			tap_skip "$key: $title" 'libgmon is not for this machine'
			continue
		fi
		;;
	esac
	if begin_case "$commands"; then
		test_situation
	fi
	end_case "$key: $title"
done 3<<EOF
$(without_comments "$srcdir/tests/explain/situations.list")
EOF
[ $# -gt 0 ] || test_errors
tap_done
