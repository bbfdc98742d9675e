#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --run=keep=FILE where something lies in the way: what this run did not make is not read, not waited for, not replaced
# and not removed, whatever it is; one line says so. FILE.1 and FILE.2 are recordings of a program that becomes itself,
# with children=no.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

[ -f "$builddir/libgmon.so" ] || tap_skip_all 'no libgmon.so here'
make_scratch
unset GMON
cd "$scratch" || exit 99
cat >busy.c <<'END'
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) static int leaf(int n)
{
	volatile int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}
int main(int argc, char **argv)
{
	const char *next = argc > 1 && atoi(argv[1]) > 0 ? argv[1][0] == '2' ? "1" : "0" : NULL;
	int rc = leaf(30000000) == 1;
	if (next)
		execl(argv[0], argv[0], next, (char *)NULL);
	return rc;
}
END
must_build . "$CC" -O1 -g busy.c || tap_done
"$GPROF" -b --inclusive -o - --run=rate=250,keep=earlier ./a.out 0 >log 2>&1
[ -s earlier.ext ] || tap_skip_all "nothing can be kept: $(cat log)"
mkdir other && echo 'precious text' >text

# plant FORM NAME: puts something there. False: this user cannot.
plant() {
	case $1 in
	fifo) mkfifo "$2" ;;
	text) cp text "$2" ;;
	empty) : >"$2" ;;
	profile) cp -p earlier "$2" ;;
	stacks) cp -p earlier.ext "$2" ;;
	link) ln -s "$scratch/earlier" "$2" ;;
	hanging) ln -s "$scratch/nowhere" "$2" ;;
	textlink) ln -s "$scratch/text" "$2" ;;
	directory) mkdir "$2" ;;
	# Whoever is not root may make one that has no driver.
	device) mknod "$2" c 1 5 2>/dev/null || mknod "$2" c 0 0 ;;
	foreign) cp earlier "$2" && chown 65534 "$2" ;;
	live) printf 'gmonlive, of another' >"$2" ;;
	esac
}

# looks NAME: all that can be told of it, but not when it was read.
looks() {
	stat -c '%F %a %u %i %s %Y %Z %N' "$1"
	[ ! -f "$1" ] || cksum <"$1"
}

# run_keeping TIMES: the program becomes itself so often. In the file lines is what is said of files.
run_keeping() {
	run_limit=20
	run "$GPROF" -b --inclusive -o - --run=children=no,rate=250,keep=kept ./a.out "$1"
	grep -v ': note: no call counts: ' err >lines
}

# stays: nothing has happened to what was planted, nor to what links lead to.
stays() {
	looks "$planted" >after && cmp -s before after && [ "$(cat text)" = 'precious text' ] && [ ! -e nowhere ]
}

# try FORM NAME WHAT CONDITION [TIMES]
try() {
	rm -rf kept* nowhere
	planted=$2
	if ! plant "$1" "$planted"; then
		tap_skip "$3" 'this user cannot make that'
		return
	fi
	looks "$planted" >before
	run_keeping "${5:-1}"
	evidence='status err before after'
	expect "$3" "[ \"\$(wc -l <lines)\" = 1 ] && stays && $4"
}

refused='[ "$status" = 1 ] && grep -q "kept.*: exists and is .*: --run does not replace it$" lines && [ ! -e kept.1 ]'
elsewhere='[ "$status" = 0 ] && [ -s kept ] && [ -s kept.2 ] && [ -s kept.2.ext ] && grep -q "kept.1 is not of this run, so a recording is in kept.2$" lines'

test_foreign() {
	try foreign kept "another user's file in place of FILE" "$refused"
	try foreign kept.ext "another user's file in place of FILE.ext" "$refused"
	try foreign kept.1 "another user's file in place of FILE.1" "$elsewhere"
}

only_part
by_root test_foreign "another user's files in place of FILE, FILE.ext and FILE.1"

# The name itself: only an own profile is replaced.
for form in fifo text link hanging textlink directory device live; do
	try $form kept "$form in place of FILE" "$refused"
done
for form in fifo text link hanging textlink directory device live profile; do
	try $form kept.ext "$form in place of FILE.ext" "$refused"
done
for form in fifo text empty link hanging textlink directory device live profile; do
	try $form kept.1 "$form in place of FILE.1" "$elsewhere"
done
for form in fifo text link stacks directory; do
	try $form kept.1.ext "$form in place of FILE.1.ext" "$elsewhere"
done

# Names that play no part.
for name in kept.live kept.1.live kept.0 kept.1.tmp; do
	for form in live fifo; do
		rm -rf kept*
		planted=$name
		plant $form $name
		looks $name >before
		run_keeping 1
		expect "$form as $name" '[ "$status" = 0 ] && [ ! -s lines ] && stays && [ -s kept ] && [ -s kept.1 ]'
	done
done

# An earlier run's: FILE is replaced, and no sample of the others is in the report or in what is kept.
rm -rf kept* && cp earlier kept && cp earlier.ext kept.ext
for i in 1 2; do "$GPROF" -s -o kept.$i a.out earlier earlier earlier earlier 2>log; done
cksum kept.1 kept.1.ext kept.2 kept.2.ext >before
run_keeping 2
cksum kept.1 kept.1.ext kept.2 kept.2.ext >after
evidence='status err before after'
# samples REPORT: how many samples there are.
samples() { sed -n 's/^Each sample.*; \([0-9]*\) sample.*/\1/p' "$1" | head -n 1; }
whole=$(samples out)
parts=0
for part in kept kept.3 kept.4; do
	"$GPROF" -b --inclusive ./a.out $part >one 2>>log
	parts=$((parts + $(samples one) + 0))
done
expect "an earlier run's files are left out: FILE is new, the others go elsewhere" \
	'cmp before after && [ "$(grep -c "is not of this run" err)" = 2 ] && [ "$whole" = "$parts" ] && ! cmp -s kept.ext earlier.ext'

# If nothing is recorded, what was kept stays.
rm -rf kept* && cp earlier kept && cp earlier.ext kept.ext
run "$GPROF" -b --inclusive -o - --run=children=no,keep=kept ./nosuch
expect 'a program that cannot be run leaves an old FILE as it is' '[ "$status" = 127 ] && cmp kept earlier && cmp kept.ext earlier.ext'
tap_done
