#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs that were made to harm whoever looks at them: names that explode, sections that share their bytes, and
# debug files that are no files. Each report ends soon, with little memory, and reads nothing that it should not.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/faults/lib.sh"

# In seconds of the processor, and kilobytes; by the clock a run may wait for others.
most_seconds=5 most_kilobytes=200000
run_limit=6
[ -z "$INSTRUMENTED" ] || run_limit=300

# modest: the last measured run did not take much.
modest() {
	[ -z "$INSTRUMENTED" ] || return 0
	awk "{ exit !(\$2 < $most_seconds && \$3 < $most_kilobytes) }" report
}

# in_modes WHAT MODE...: these reports on a.out and gmon.out in the current directory end by themselves.
in_modes() {
	what=$1
	shift
	for mode in "$@"; do
		# shellcheck disable=SC2086 # several options
		run "$TOOLS/measure" -t "$run_limit" -o 10000000 report "$GPROF" $mode a.out gmon.out
		read -r _ _ _ ended <report
		expect "$what: $mode" 'case $ended in [013]) modest ;; *) false ;; esac'
	done
}

all_modes() {
	in_modes "$1" -b '-b -l' '-b -A' '-b -c' --explain '--export=webpage -o -' '--export=json -o -' \
		'-b -p --inline-file-names'
}

# As C++ counts what was substituted.
digits=0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ

# cplus_name LEVELS: A of twice A of twice A ...
cplus_name() {
	name=_Z1f1AIiiE
	for level in $(seq "$1"); do
		digit=$(echo $digits | cut -c "$level")
		name=${name}S_IS${digit}_S${digit}_E
	done
	echo "$name"
}

# rust_name LEVELS: the same with tuples, which name places in the name.
rust_name() {
	awk -v levels="$1" 'BEGIN {
		digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		name = "INvC1a1fTuuE"
		last = 8
		for (; levels > 0; levels--) {
			at = length(name)
			n = last - 1
			number = (n >= 62 ? substr(digits, int(n / 62) + 1, 1) : "") substr(digits, n % 62 + 1, 1) "_"
			name = name "TB" number "B" number "E"
			last = at
		}
		print "_R" name "E"
	}'
}

check_names() {
	for name in "$(cplus_name 33)" "$(rust_name 60)"; do
		make_called "$name"
		all_modes "a name that explodes, ${name%"${name#???}"}"
		run "$GPROF" -b -p a.out gmon.out
		expect 'it is shown as the linker knows it' 'grep -qF " $name" "$scratch/out" && ended_well'
	done
}

build_stripped() {
	"$CC" -g -pg -O1 -fno-pie -no-pie "$@" -o a.out source.c 2>log
}

# not_opened NAME WHAT OPTION...: strace sees no opening of NAME.
not_opened() {
	opened=$1
	what=$2
	shift 2
	if ! strace -f -o trace -e trace=open,openat true 2>/dev/null; then
		tap_skip "$what" 'strace cannot trace (Debian package strace)'
		return
	fi
	run strace -f -o trace -e trace=open,openat "$GPROF" "$@" a.out gmon.out
	expect "$what" '! grep -F "\"$opened\"" trace | grep -v ENOENT | grep -q .'
}

# of_every_kind FILE WHAT: a FIFO, a device, a terminal and a directory in the place of FILE.
of_every_kind() {
	rm -f "$1"
	mkfifo "$1"
	all_modes "$2 is a FIFO"
	for device in /dev/zero /dev/tty; do
		rm -f "$1"
		ln -s "$device" "$1"
		in_modes "$2 is $device" '-b -l' --explain
		not_opened "$1" "$2 is $device and not opened" -b -l
		not_opened "$1" "$2 is $device and not opened by --explain" --explain
	done
	rm -f "$1"
	mkdir "$1"
	in_modes "$2 is a directory" '-b -l' --explain
	rmdir "$1"
}

check_debug_link() {
	mkdir link && cd link || exit 99
	cp ../source.c .
	build_stripped && ./a.out >log && objcopy --only-keep-debug a.out a.debug && cp a.out whole
	objcopy -g --add-gnu-debuglink=a.debug a.out
	"$GPROF" -b -l a.out gmon.out >lines
	expect 'a debug link leads to lines' 'grep -q "source\.c:" lines'
	of_every_kind a.debug 'a debug file'
	truncate -s 1T a.debug
	run timeout 60 "$GPROF" -b -l a.out gmon.out
	expect 'a debug file of holes is none, and nobody waits for its sum' '[ "$status" = 0 ] && ! grep -q "source\.c:" "$scratch/out"'
	rm a.debug
	objcopy -O binary -j .gnu_debuglink --set-section-flags .gnu_debuglink=alloc a.out named 2>log
	mkdir d && objcopy --only-keep-debug whole d/debug
	sed 's,a\.debug,d/debug,' named >other
	objcopy --update-section .gnu_debuglink=other a.out
	expect 'the link has a slash now' 'readelf -p .gnu_debuglink a.out | grep -qF d/debug'
	run "$GPROF" -b -l a.out gmon.out
	expect 'a link with a slash leads nowhere' '! grep -q "source\.c:" "$scratch/out"'
	not_opened d/debug 'nothing behind a slash is opened' -b -A
	strip a.out
	of_every_kind a.debug 'the debug file of a stripped program'
	cd ..
}

check_build_id() {
	mkdir id && cd id || exit 99
	cp ../source.c .
	build_stripped -Wl,--build-id && ./a.out >log
	id=$(readelf -n a.out | sed -n 's/.*Build ID: //p')
	rest=${id#??}
	mkdir -p ".build-id/${id%"$rest"}"
	strip -g a.out
	of_every_kind ".build-id/${id%"$rest"}/$rest.debug" 'a debug file by build id'
	cd ..
}

check_split() {
	mkdir split && cd split || exit 99
	cp ../source.c .
	build_stripped -gsplit-dwarf && ./a.out >log
	set -- *.dwo
	if [ -f "$1" ]; then
		of_every_kind "$1" 'a split file'
		of_every_kind a.out.dwp 'a package of split files'
	else
		tap_skip 'split files' "$CC makes none"
	fi
	cd ..
}

check_shared() {
	mkdir shared && cd shared || exit 99
	cp ../source.c .
	if command -v dwz >/dev/null && build_stripped && ./a.out >log && cp a.out twin && dwz -m common a.out twin 2>log &&
		readelf -S a.out | grep -q debugaltlink; then
		of_every_kind common 'a supplementary file'
	else
		tap_skip 'supplementary files' 'no dwz that makes them'
	fi
	cd ..
}

enter_work
check_names
cat >source.c <<-'END'
	static volatile int sum;
	__attribute__((noinline)) static void work(int n)
	{
		for (int i = 0; i < n; i++)
			sum += i;
	}
	int main(void)
	{
		for (int i = 0; i < 200; i++)
			work(200000);
		return 0;
	}
END
for program in objcopy strip readelf; do
	command -v $program >/dev/null || missing=$program
done
if [ -n "${missing-}" ]; then
	tap_skip 'debug files' "no $missing (Debian package binutils)"
elif ! "$CC" -pg -g -no-pie -o probe source.c 2>/dev/null; then
	tap_skip 'debug files' "$CC cannot build with -pg"
else
	check_debug_link
	check_build_id
	check_split
	check_shared
fi
tap_done
