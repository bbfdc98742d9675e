#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What lies beside a data file as its file of stacks: only a regular one of this profile is read; all else is ignored,
# with a warning where there is something to say, and status 0. What gprof -s writes, replaces and removes there.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/faults/lib.sh"
let_nobody_in "$@"

# In the current directory: a.out, and gmon.out, gmon.2 and gmon.3 with stacks.
make_stacks() {
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym work 0x401020
		profile
		hist 0x401000 0x401060 48 100
		tick work 30
		arc main work 5
		stack 30 main+4 work+2
		profile
		hist 0x401000 0x401060 48 100
		tick work 3
		arc main work 7
		stack 2 main+4 work+2
		stack 1 guessed main+8 work
		profile
		hist 0x401000 0x401060 48 100
		tick main 5
		stack 5 broken main
	END
}

# warns TEXT: the run ended well but for one line, which is TEXT behind the program's name, and the report is that of
# the profile alone.
warns() {
	[ "$(cat "$scratch/status")" = 0 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] &&
		sed 's/^[^:]*: //' "$scratch/err" | grep -qxF -- "warning: $1" && cmp -s "$scratch/out" "$scratch/alone"
}

# has_info LINE: -i printed this line.
has_info() { grep -qxF "	$1" "$scratch/out"; }

# is_stamped FILE: FILE.ext says that it is of FILE: FNV-1a, reckoned by awk in pieces of 16 bits.
is_stamped() {
	od -An -v -tu1 -w1 "$1" | awk '
		BEGIN { a = 8997; b = 33826; c = 40164; d = 52210 }
		function exclusive(x, y,  r, i) { for (i = 1; i < 256; i *= 2) r += i * ((int(x / i) + int(y / i)) % 2); return r }
		{
			a = a - a % 256 + exclusive(a % 256, $1)
			# times 2^40 + 0x1b3
			w = a * 435; x = b * 435 + int(w / 65536)
			y = c * 435 + int(x / 65536) + a * 256
			z = d * 435 + int(y / 65536) + b * 256
			a = w % 65536; b = x % 65536; c = y % 65536; d = z % 65536
		}
		END { printf "%04x%04x%04x%04x\n", d, c, b, a }' >"$scratch/stamp"
	"$TOOLS/extdump" "$1.ext" | grep -q "stamp $(cat "$scratch/stamp") "
}

check_what_is_read() {
	run_gprof -b -p --estimated
	cp "$scratch/out" "$scratch/alone"
	expect 'the stamp is FNV-1a' 'is_stamped gmon.out'
	run_gprof -i a.out gmon.out
	expect 'a file of stacks is read' 'ended_well && has_info "30 ticks: 30 on complete stacks, 0 on guessed, 0 on broken, 0 on cut ones"'
	mv gmon.out.ext kept
	run_gprof -b -p --estimated
	expect 'none need be there' 'ended_well && cmp -s "$scratch/out" "$scratch/alone"'
	ln -s kept gmon.out.ext
	run_gprof -i a.out gmon.out
	expect 'a link to one is read' 'ended_well && has_info "2 call-stack node records"'
	ln -sf nowhere gmon.out.ext
	run_gprof -b -p --estimated
	expect 'a link to nowhere' 'warns "gmon.out.ext: No such file or directory: ignored"'
	rm gmon.out.ext
	cp kept ./-.ext && cp gmon.out ./-
	"$GPROF" -i a.out - <gmon.out >"$scratch/out" 2>"$scratch/err"
	echo $? >"$scratch/status"
	expect 'standard input has none' 'ended_well && ! grep -q node "$scratch/out"'
	rm ./-.ext ./-
	cp kept gmon.out.ext
}

check_what_is_ignored() {
	mv gmon.out.ext kept
	mkfifo gmon.out.ext
	run_gprof -b -p --estimated
	expect 'a FIFO' 'warns "gmon.out.ext: is empty, or no regular file: ignored"'
	rm gmon.out.ext && mkdir gmon.out.ext
	run_gprof -b -p --estimated
	expect 'a directory' 'warns "gmon.out.ext: Is a directory: ignored"'
	rmdir gmon.out.ext && : >gmon.out.ext
	run_gprof -b -p --estimated
	expect 'an empty file' 'warns "gmon.out.ext: is empty, or no regular file: ignored"'
	ln -sf /dev/zero gmon.out.ext
	run_gprof -b -p --estimated
	expect 'a device' 'warns "gmon.out.ext: is empty, or no regular file: ignored"'
	rm gmon.out.ext && cp gmon.2.ext gmon.out.ext
	run_gprof -b -p --estimated
	expect "another profile's" 'warns "gmon.out.ext: belongs to another profile: ignored"'
	head -c 100 kept >gmon.out.ext
	run_gprof -b -p --estimated
	expect 'one that is cut' 'warns "gmon.out.ext: says at byte 32 that it has $(wc -c <kept) bytes, but has 100: ignored"'
	cp kept gmon.out.ext && truncate -s 1G gmon.out.ext
	run_gprof -b -p --estimated
	expect 'one that goes on' \
		'warns "gmon.out.ext: says at byte 32 that it has $(wc -c <kept) bytes, but has 1073741824: ignored"'
	truncate -s 1T gmon.out.ext
	run_gprof -b -p --estimated
	expect 'one with a large hole' 'warns "gmon.out.ext: File too large: ignored"'
	cp kept gmon.out.ext && chmod 000 gmon.out.ext
	if can_be_nobody 'one that cannot be read'; then
		chmod 755 . "$scratch" && chmod 644 a.out gmon.out
		# shellcheck disable=SC2086 # words
		run $as_nobody "$GPROF" -b -p --estimated
		expect 'one that cannot be read' 'warns "gmon.out.ext: Permission denied: ignored"'
	fi
	rm -f gmon.out.ext && cp kept gmon.out.ext
	mkfifo pipe
	timeout 60 "$GPROF" -i a.out pipe >"$scratch/out" 2>"$scratch/err" &
	cp kept pipe.ext
	cat gmon.out >pipe
	wait $!
	echo $? >"$scratch/status"
	expect 'beside a pipe' 'ended_well && ! grep -q node "$scratch/out"'
	rm pipe pipe.ext
}

check_names() {
	run_gprof a.out gmon.out.ext
	expect 'who names the file of stacks is told' \
		'says "gmon.out.ext: belongs to the profile of this name without .ext; give the name of that profile, and both are read"'
	mkdir runs && cp gmon.out gmon.out.ext gmon.2 gmon.3 gmon.3.ext runs
	run_gprof -i --estimated a.out runs
	expect 'in a directory they go with their profiles' \
		'ended_well && [ "$(grep -c node "$scratch/out")" = 2 ] && [ "$(grep -c "^File" "$scratch/out")" = 5 ]'
	cp gmon.out.ext runs/other
	cp gmon.out.ext runs/gmon.sum.ext
	run_gprof -i --estimated a.out runs
	expect 'under another name it is no data file' \
		'[ "$(cat "$scratch/err")" = "$GPROF: note: runs: left out 1 file without profile data" ]'
	rm -r runs
	# As many as threads read; the stacks of one are damaged.
	mkdir many
	for number in 1 2 3 4 5 6 7 8 9; do
		for name in gmon.out gmon.2 gmon.3; do
			cp $name many/$name.$number && cp $name.ext many/$name.$number.ext
		done
	done
	rm -f gmon.sum.ext
	run_gprof -s a.out many
	"$TOOLS/extdump" gmon.sum.ext >"$scratch/many"
	expect 'threads read them' 'ended_well && grep -q "^sum of 27, 0 lacking" "$scratch/many" &&
		[ "$(grep -c "^30 cpu complete .*0x401004;.*0x401022$" "$scratch/many")" = 9 ] && grep -q " nodes 5$" "$scratch/many"'
	run_gprof -b -p --estimated a.out many
	cp "$scratch/out" "$scratch/alone"
	cp gmon.2.ext many/gmon.3.7.ext
	run_gprof -b -p --estimated a.out many
	expect 'and whatever is wrong with one is said' 'warns "many/gmon.3.7.ext: belongs to another profile: ignored"'
	rm -r many gmon.sum gmon.sum.ext
}

check_sums() {
	: >"$scratch/alone"
	run_gprof -s a.out gmon.out gmon.2
	expect 'a sum has its stacks, stamped' 'ended_well && is_stamped gmon.sum && none_left'
	run_gprof -i a.out gmon.sum
	expect 'which are the sum of both' 'ended_well && has_info "the sum of 2 recordings with call stacks, and 0 without" &&
		has_info "33 ticks: 32 on complete stacks, 1 on guessed, 0 on broken, 0 on cut ones"'
	run_gprof -s a.out gmon.sum gmon.3
	run_gprof -i a.out gmon.sum
	expect 'and can be added to' 'ended_well && has_info "the sum of 3 recordings with call stacks, and 0 without" &&
		has_info "38 ticks: 32 on complete stacks, 1 on guessed, 5 on broken, 0 on cut ones"'
	mv gmon.2.ext kept2
	run_gprof -s a.out gmon.out gmon.2 gmon.3
	expect 'what lacks stacks is counted' 'warns "gmon.sum.ext: has the call stacks of 2 of 3 recordings; the others have none"'
	run_gprof --inclusive a.out gmon.out gmon.sum
	expect 'and reports from stacks say that they lack some' \
		'says "no call stacks in a part of gmon.sum: GMON=stacks records them"'
	run_gprof -b -p a.out gmon.out gmon.sum
	expect 'or that they are not made from them' \
		'[ "$(cat "$scratch/err")" = "$GPROF: note: times of callees are estimated: no call stacks in a part of gmon.sum" ]'
	run_gprof -s a.out gmon.sum gmon.2
	expect 'again and again' 'warns "gmon.sum.ext: has the call stacks of 2 of 4 recordings; the others have none"'
	run_gprof -s a.out gmon.2
	expect 'a sum without stacks has none beside it' 'ended_well && [ ! -e gmon.sum.ext ]'
	echo text >gmon.sum.ext
	run_gprof -s a.out gmon.2
	expect 'what is no file of stacks stays' 'ended_well && [ "$(cat gmon.sum.ext)" = text ]'
	mv kept2 gmon.2.ext
	mkdir bsd && "$TOOLS/mkprofile" - bsd <<-END || exit 99
		text 0x401000 0x80
		sym main 0x401000
		profile bsd
		hist 0x401000 0x401060 48 100
		tick main 5
		stack 5 main
	END
	run_gprof -s -O bsd bsd/a.out bsd/gmon.out
	expect 'in the format of BSD, too' 'ended_well && is_stamped gmon.sum'
	rm -r gmon.sum gmon.sum.ext bsd
}

check_what_is_kept() {
	cp a.out gmon.sum.ext
	run_gprof -s gmon.sum.ext gmon.out
	expect 'stacks do not replace the program' \
		'says "gmon.sum.ext: not replaced, as this run reads it" && cmp -s a.out gmon.sum.ext && [ ! -e gmon.sum ] && none_left'
	cp gmon.2 gmon.sum.ext
	run_gprof -s a.out gmon.sum.ext gmon.out
	expect 'nor a data file' \
		'says "gmon.sum.ext: not replaced, as this run reads it" && cmp -s gmon.2 gmon.sum.ext && [ ! -e gmon.sum ]'
	rm gmon.sum.ext && mkdir gmon.sum.ext && cp gmon.2 gmon.sum
	run_gprof -s a.out gmon.out
	expect 'without its stacks a sum is not written' \
		'says "gmon.sum.ext: Is a directory" && cmp -s gmon.2 gmon.sum && none_left'
	rmdir gmon.sum.ext && rm gmon.sum
	run_gprof --export=csv -o gmon.out.ext a.out gmon.out
	expect 'an export does not replace stacks that were read' 'says "gmon.out.ext: not replaced, as this run reads it"'
	run_gprof -s --export=csv -o gmon.sum.ext a.out gmon.out
	expect 'nor those of the sum' 'is_stamped gmon.sum && [ -s gmon.sum.ext.2 ]'
	rm gmon.sum gmon.sum.ext gmon.sum.ext.2
}

# The kernel shows what happens to names: strace, where there is one.
check_order() {
	can_interfere 'the order of names' || return
	if ! command -v strace >/dev/null || ! strace -o /dev/null true 2>/dev/null; then
		tap_skip 'the order of names' 'no strace (Debian package strace), or it may not'
		return
	fi
	order() {
		strace -f -o "$scratch/trace" -e trace=rename,renameat,renameat2,unlink,unlinkat,fsync "$GPROF" -s a.out "$1"
		echo $? >"$scratch/status"
		sed -n 's/^.*\(fsync\)(.*/\1/p; s/^.*rename.*"\([^"]*\)"[^"]*$/\1/p; s/^.*unlink/unlink/p' "$scratch/trace" |
			sed 's/ext\.[0-9a-f]\{16\}$/ext.STAMP/' | tr '\n' ' ' >"$scratch/order"
	}
	order gmon.out
	expect 'both are on the disk before either is renamed, and stacks have their name before the sum' \
		'[ "$(cat "$scratch/order")" = "fsync fsync gmon.sum.ext gmon.sum " ]'
	order gmon.2
	expect 'which in place of old ones they have for themselves until the sum has its own' \
		'[ "$(cat "$scratch/order")" = "fsync fsync gmon.sum.ext.STAMP gmon.sum gmon.sum.ext " ]'
	rm -f gmon.sum gmon.sum.ext
}

enter_work
make_stacks
check_what_is_read
check_what_is_ignored
check_names
check_sums
check_what_is_kept
check_order
tap_done
