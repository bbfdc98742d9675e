#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Files that programs name as their sources: what only some users may read, and what is no text, is shown in no report
# and no page unless it lies where the user wants sources from; and nobody can read a copy who may not read it itself.
# Entry of doc/differences.md: private-sources.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/faults/lib.sh"
let_nobody_in "$@"

# name_source FILE: b.out, with a data file, was compiled from a file of this absolute name.
name_source() {
	printf '# 1 "%s"\n' "$1" | cat - plain.c >named.c
	"$CC" -g -O0 -pg named.c -o b.out 2>log
}

# shows [ARGUMENT...]: whether the secret is in the annotated source or in the page.
shows() {
	"$GPROF" -A "$@" b.out gmon.out >annotated 2>"$scratch/err"
	"$GPROF" --export=webpage -o page.html "$@" b.out gmon.out 2>"$scratch/page-err"
	grep -q 'root:secret' annotated
	annotated=$?
	grep -q 'root:secret' page.html
	[ $? = "$annotated" ] || echo 'annotated source and page differ'
	return "$annotated"
}

refuses() {
	shows "$@" && return 1
	grep -q "warning: .*: source not $why" "$scratch/err"
}

mode_of() {
	stat -c %a "$1"
}

check_private() {
	why='shown: not everybody may read it'
	name_source "$there/shadow"
	expect 'a file that its owner may read' refuses
	chmod 640 "$there/shadow"
	expect 'a file that a group may read' refuses
	expect 'in a directory that the user named' shows "-I$there"
	GPROF_PATH=$there
	export GPROF_PATH
	expect 'the same with GPROF_PATH' shows
	unset GPROF_PATH
	expect 'another directory, from which it is found by its last part' refuses "-I$scratch/work"
	chmod 644 "$there/shadow"
	expect 'a file that everybody may read' shows
	chmod 600 "$there/shadow"
	ln -s "$there/shadow" link.c
	name_source "$PWD/link.c"
	expect 'a link into another directory' refuses
	name_source "../elsewhere/shadow"
	expect 'a way up out of the directory' refuses
	mkdir sub .hidden && cp "$there/shadow" sub/s.c && cp "$there/shadow" .hidden/s.c && cp "$there/shadow" .netrc
	chmod 600 sub/s.c .hidden/s.c .netrc
	name_source "$PWD/sub/s.c"
	expect 'a file below the current directory' shows
	name_source "$PWD/.hidden/s.c"
	expect 'but not a hidden one' refuses
	expect 'unless it is asked for' shows -I.hidden
	name_source "$PWD/.netrc"
	expect 'the same for a file' refuses
	name_source "$PWD/sub/s.c"
	# shellcheck disable=SC2015
	(cd / && "$GPROF" -A "$scratch/work/b.out" "$scratch/work/gmon.out" 2>"$scratch/err" | grep root:secret) >found
	expect 'in the root directory nothing is below it' '[ ! -s found ] && grep -q "not everybody" "$scratch/err"'
}

# make_closed: a file that everybody may read, and two directories above it that everybody may search.
make_closed() {
	why='shown: not everybody may read it'
	mkdir -p "$there/closed/open" && cp "$there/shadow" "$there/closed/open/s.c" && chmod 644 "$there/closed/open/s.c"
	chmod 755 "$scratch" "$there" "$there/closed" "$there/closed/open"
	name_source "$there/closed/open/s.c"
	rm -f page.html
}

check_public() {
	[ -z "$tap_only" ] || make_closed
	nobody_reaches 'a page of public text is for all' || return
	shows
	expect 'a page of public text is for all' '[ "$(mode_of page.html)" = 644 ]'
}

# Everybody may read the file, but not everybody, or nobody but root, may search the directories above it.
check_directories() {
	make_closed
	expect 'a file in directories that everybody may search' shows
	if everybody_enters; then
		expect 'a page of public text is for all' '[ "$(mode_of page.html)" = 644 ]'
	else
		by_root check_public 'a page of public text is for all'
	fi
	rm page.html
	chmod 711 "$there/closed"
	expect 'or search without listing them' shows
	rm page.html
	chmod 700 "$there/closed"
	expect 'or that are of the user' shows
	expect 'whose page then is for the user alone' '[ "$(mode_of page.html)" = 600 ]'
	expect 'and this is said' 'grep -q "page.html: holds source text that not everybody may read" "$scratch/page-err"'
	rm page.html
	by_root check_foreign 'directories of others'
	chmod 755 "$there/closed"
}

check_foreign() {
	[ -z "$tap_only" ] || make_closed
	chmod 700 "$there/closed"
	chown 65534:65534 "$there/closed"
	expect 'but not what only root may reach' refuses
	expect 'unless it is asked for' shows "-I$there"
	rm page.html
	chmod 070 "$there/closed" && chown 65534:0 "$there/closed"
	expect 'or is for a group of the user' shows
	rm page.html
	chown 65534:65534 "$there/closed"
	name_source "$PWD/away/s.c"
	ln -s "$there/closed/open" away
	expect 'a link into it' refuses
	chown "$(id -u):$(id -g)" "$there/closed"
	rm away
}

check_others() {
	name_source "$PWD/sub/s.c"
	why='shown: it is not text'
	printf 'root:secret\0' >sub/s.c
	expect 'a file with null bytes' refuses
	why='not found: Is a directory'
	why='found: '
	rm sub/s.c && mkfifo sub/s.c
	expect 'a pipe' refuses
	name_source /dev/zero
	expect 'a device' refuses
}

check_copies() {
	cp "$there/shadow" sub/t.c
	name_source "$PWD/sub/t.c"
	for mode in 600 644; do
		chmod $mode sub/t.c
		(umask 022 && "$GPROF" -A -y b.out gmon.out)
		expect "-y: of a file of mode $mode" '[ "$(mode_of t.c-ann)" = "$mode" ]'
		chmod 644 t.c-ann
		(umask 022 && "$GPROF" -A -y b.out gmon.out)
		expect "-y: the same in place of an old one" '[ "$(mode_of t.c-ann)" = "$mode" ]'
		rm t.c-ann
		(umask 022 && rm -f page.html && "$GPROF" --export=webpage -o page.html b.out gmon.out 2>"$scratch/err")
		expect "a page with text of a file of mode $mode" '[ "$(mode_of page.html)" = "$mode" ]'
	done
	chmod 600 sub/t.c
	run_gprof --export=webpage -o page.html b.out
	expect 'and this is said' 'grep -q "page.html: holds source text that not everybody may read" "$scratch/err"'
}

check_errors() {
	can_interfere 'a source that cannot be read' || return
	chmod 644 sub/t.c
	n=0
	: >bad
	while [ $n -lt 100 ]; do
		n=$((n + 1))
		"$TOOLS/interfere" read $n EIO "$GPROF" -b -A b.out >"$scratch/out" 2>"$scratch/err" </dev/null
		echo $? >"$scratch/status"
		[ "$(cat "$scratch/status")" != 77 ] || break
		! grep -q 'interfere: only' "$scratch/err" || break
		grep -q root:secret "$scratch/out" || [ "$(cat "$scratch/status")" != 0 ] || echo "read $n: silent" >>bad
		! grep -q 'sub/t.c: cannot be read at byte 0: Input/output error' "$scratch/err" || echo "$n" >seen
	done
	if [ "$(cat "$scratch/status")" = 77 ]; then
		tap_skip 'a source that cannot be read' 'no system call filters'
		return
	fi
	expect "a source that cannot be read is an error, as is all else: $n reads" '[ ! -s bad ] && [ -s seen ]'
	tap_note <bad
}

enter_work
there=$scratch/elsewhere
mkdir "$there"
cat >plain.c <<'END_OF_SOURCE'
int leaf(int i) { volatile int s = 0; for (int j = 0; j < i; j++) s += j; return s; }
int main(void) { return leaf(3000000) == 1; }
END_OF_SOURCE
echo 'root:secret' >"$there/shadow"
echo 'daemon:secret' >>"$there/shadow"
chmod 600 "$there/shadow"
if ! name_source plain.c || ! ./b.out || ! [ -s gmon.out ]; then
	tap_note <log
	tap_skip_all 'no profiled program can be built'
fi
[ -z "$tap_only" ] || umask 022
only_part
check_private
umask 022
check_directories
check_others
check_copies
check_errors
tap_done
