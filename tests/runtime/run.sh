#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gprof --run: a program runs as without it, and is profiled, whether it was built with -pg or not; what cannot be run
# or profiled is refused in one line.
# shellcheck disable=SC2016,SC2034,SC2317 # commands for other shells; words and functions that expect takes
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"
let_nobody_in "$@"

make_scratch
cd "$scratch" || exit 99
TMPDIR=$scratch/tmp
mkdir tmp plain
unset GMON
export TMPDIR

# leaves_nothing WHAT: of its own in the temporary directory.
leaves_nothing() {
	check "$1: no temporary file is left" "$(ls tmp)"
}

# run_flat ARGUMENT...: gprof --run=ARGUMENT...; see run.
run_flat() {
	run "$GPROF" -b -p -o - "$@"
}

# refuses WHAT STATUS TEXT [ARGUMENT...]: gprof does, with a line that ends in TEXT.
refuses() {
	what=$1 wanted=$2 text=$3
	shift 3
	run "$GPROF" "$@"
	expect "$what is refused" '[ "$status" = "$wanted" ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$text" err && [ ! -s out ]'
}

what='a program without -pg'
must_build plain "$CC" -O2 -pthread "$programs/plain.c" || tap_done
program=$scratch/plain/a.out

# The program itself.
printf 'one\ntwo\n' >input
"$program" 20 3 <input >alone
timeout 60 "$GPROF" -b -p -o - --run "$program" 20 3 <input >out 2>err
echo $? >status
expect 'its exit status is kept' '[ "$(cat status)" = 3 ]'
head -n 2 out >its
same 'its input and output are its own' its alone
run_flat --run "$program" 20 -9
expect 'the status of a program that was killed is 128 and the signal' '[ "$status" = 137 ]'
run_flat --run "$program" 20 -11
expect 'also after a fault' '[ "$status" = 139 ]'
leaves_nothing 'after all that'
run_flat --run sh -c 'echo "$LD_PRELOAD$GMON"; env | grep -cE "^(LD_PRELOAD|GMON)="'
expect 'what it starts finds an environment without us' '[ "$(head -n 2 out | tr "\n" .)" = .0. ]'
run env GMON=rate=50 LD_PRELOAD="$builddir/nothing.so" "$GPROF" -b -p -o - --run sh -c 'echo "$LD_PRELOAD,$GMON"'
expect 'or with what the user had there' '[ "$(head -n 1 out)" = "$builddir/nothing.so,rate=50" ]'

# What it starts (children.sh).
run "$GPROF" -b --processes -o - --run sh -c '"$0" 50 4; exit 6' "$program"
expect '--processes lists what ran, and how it ended' \
	'[ "$status" = 6 ] && [ "$(awk "/^Processes/ { on = 1 } on && (/a.out 50 4\$/ && \$5 == 4 || /sh -c / && \$5 == 6)" out | wc -l)" = 2 ]'

# Where the report goes: not among the program's output, unless a terminal shows both (run-programs.sh) or -o says so.
timeout 60 "$GPROF" -b -p --run "$program" 20 3 <input >out 2>err
same 'the report is not in the output, be it a file or a pipe' out alone
expect 'but on standard error' 'grep -q "^Flat profile" err'
timeout 60 "$GPROF" -b -p --diff=absent.gmon -o report --run "$program" 20 3 <input >out 2>err
expect 'with --diff, too, nothing is written before the program is known to be for something' '[ ! -s out ] && [ ! -e report ]'
timeout 60 "$GPROF" -b -p -o report --run=keep=gmon.kept "$program" 20 3 <input >out 2>err
same 'nor with -o FILE' out alone
expect 'which has it' '[ "$(head -n 1 report)" = "Flat profile, from call stacks:" ] && ! grep -q "Flat profile" err'
for option in -p --inclusive --explain --top --diff=gmon.kept; do
	"$GPROF" -b $option "$program" gmon.kept >plainly 2>err
	run "$GPROF" -b $option -o report "$program" gmon.kept
	expect "$option: -o takes reports of data files, too" '[ ! -s out ] && cmp -s plainly report'
done
run "$GPROF" -b -p -o gmon.kept "$program" gmon.kept
expect 'but never the place of what is read' '[ "$status" = 1 ] && [ ! -s out ] && grep -q "gmon.kept: not replaced" err'
run "$GPROF" -b -p -o absent/report --run sh -c ': >ran'
expect 'nor does the program run for nothing' '[ "$status" = 1 ] && [ ! -e ran ] && [ "$(wc -l <err)" = 1 ] && grep -q "absent/report: No such file" err'
if command -v xz >/dev/null; then
	timeout 60 "$GPROF" --run xz -c "$program" >archive.xz 2>err </dev/null
	xz -dc archive.xz >unpacked
	same 'the archive of gprof --run xz -c FILE >FILE.xz is one' unpacked "$program"
fi

# Signals.
cat >signals.sh <<-'END'
	trap 'echo interrupted; exit 5' INT TERM HUP
	echo ready
	while :; do :; done
END
for signal in TERM HUP; do
	rm -f out
	timeout 60 "$GPROF" -b -p -o - --run sh signals.sh >out 2>err &
	pid=$!
	until grep -qs ready out; do sleep 0.05; done
	# The one below timeout.
	kill -s "$signal" "$(ps -o pid= --ppid $pid)"
	wait $pid
	status=$?
	expect "SIG$signal is passed on, and there is a report" \
		'[ "$status" = 5 ] && grep -q interrupted out && grep -q "Flat profile" out'
done

what='a program that a signal ends before it has begun does not go on'
if strace -o calls true 2>/dev/null; then
	: >said
	hit=0
	for turn in 1 2 3 4 5 6 7 8; do
		# The signal comes at one of these calls, which the runtime makes while it begins; some are gprof's own.
		strace -f -o calls -e trace=rt_sigpending -e inject=rt_sigpending:signal=HUP:when=$turn \
			"$GPROF" -b -p -o report --run true 2>>said
		[ $? != 129 ] || hit=$((hit + 1))
	done
	evidence='said'
	expect "$what" '[ $hit -gt 0 ] && ! grep "still run" said'
else
	tap_skip "$what" 'strace does not work here (Debian package strace)'
fi

# A signal of the program's.
mkdir prof
if must_build prof "$CC" -O1 "$programs/prof-user.c"; then
	(prof/a.out >alone) 2>alone.err
	for children in '' =children=no; do
		run_flat --run$children prof/a.out
		head -n 5 out >its
		expect "a program with a use for SIGPROF has it$children" '[ "$status" = 155 ] && [ "$(wc -l <alone)" = 5 ] && cmp -s its alone'
		expect "and samples$children" '[ "$(sed -n "s/^Each sample.*; \([0-9]*\) samples.*/\1/p" out)" -ge 8 ]'
	done
fi

# Where the environment matters.
mkdir sanitized
if build sanitized "$CC" -fsanitize=address -g -pthread "$programs/plain.c"; then
	run_flat --run sanitized/a.out 50 3
	expect 'a program with AddressSanitizer runs' '[ "$status" = 3 ] && grep -q " work$" out'
	run_flat --run sh -c 'sanitized/a.out 200 4 </dev/null; exit $?'
	expect 'also below another' '[ "$status" = 4 ] && grep -q " work$" out'
	run env ASAN_OPTIONS=detect_leaks=0 "$GPROF" -b -p -o - --run sh -c 'echo "$ASAN_OPTIONS"'
	expect 'and the options of that are back' '[ "$(head -n 1 out)" = detect_leaks=0 ]'
fi
mkdir vector
if build vector "$CC" "$programs/vector.c"; then
	run_flat --run vector/a.out
	expect 'what the kernel tells a program is found behind the environment' '[ "$status" = 0 ]'
fi

# The rate: the kernel's tick, by the clock that advances with it.
rate=$(kernel_tick | awk '$1 > 0 { n = int(1 / $1 + 0.5); print(n < 1000 ? n : 1000) }')
if [ -n "$rate" ]; then
	run_flat --run=verbose "$program" 250
	expect "each of the kernel's $rate ticks in a second is a sample" "grep -q ' at $rate a second, ' err"
	# Two threads of 0.25 s each, whose last ticks may be missed; what it took to start is not sampled.
	samples=$(sed -n 's/^Each sample.*; \([0-9]*\) sample.*/\1/p' out)
	expect "and so many of 500 ms: $samples" "[ '$((samples * 1000))' -ge '$((500 * rate * 9 / 10))' ]"
	run env GMON=rate=50 "$GPROF" -b -p --run=verbose "$program" 10
	expect 'unless the user has another' 'grep -q " at 50 a second" err'
	run_flat --run=verbose,clock=wall "$program" 10
	expect 'or has waiting observed' 'grep -q " at 100 a second" err'
fi

# The profile.
run_flat --run=rate=200,verbose "$program" 300
used=$(sed -n 's/.* a second, \([0-9]*\) ms of CPU time$/\1/p' err)
# By two threads; see sampled_whole.
expect "all of its time is there, that of its threads, too, of $used ms" \
	'has_time work 0.5 "$(awk -v used="$used" -v tick="$(kernel_tick)" "BEGIN { print (used + 1) / 1000 + 2 * (5 * tick + 1 / 200) + 0.005 }")"'
run_flat --run="keep=kept/gmon.x" "$program" 10
expect 'a profile that cannot be kept is said' '[ "$status" = 1 ] && grep -q "kept/gmon.x" err'
run_flat --run=keep=gmon.x "$program" 150 fork
expect 'keep=FILE keeps the profile' '[ -s gmon.x ] && "$GPROF" -b -p "$program" gmon.x | grep -q " work$"'
run "$GPROF" -o - --run "$program" 250
expect 'without a report asked for, there is the first screen' 'grep -q "^$program, written" out && grep -q "^all times measured" out && [ ! -s err ]'

# A program that waits: the first screen says so, and how to see for what. One that has no processor does not wait.
run "$GPROF" -o - --run sleep 0.4
expect 'that a program mostly waited, the first screen says, and what shows for what' \
	'grep -q "^! waiting: it waited for [0-9]* % of 0\.[0-9]* s; --run=clock=wall shows for what$" out &&
	tail -n 1 out | grep -q "^next: gprof --run=clock=wall sleep 0\.4$" && ! grep -q "^! short" out'
run "$GPROF" -o - --run sh -c 'sleep 1; "$0" 8' "$program"
expect 'nor are more samples of the little asked for that it computed' 'grep -q "^! waiting" out && ! grep -q "more samples\|^! few-samples" out'
run "$GPROF" -o - --run sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
expect 'but not of one that computes, on a busy machine, too' '[ "$status" = 0 ] && ! grep -q "^! waiting" out'
run "$GPROF" -o - --run=clock=wall sleep 0.4
expect 'nor where it was recorded, and what to type next records it again' \
	'! grep -q "^! " out && tail -n 1 out | grep -q "^next: gprof --call-tree --run=clock=wall sleep 0\.4$"'
for ending in '' -9; do
	# shellcheck disable=SC2086 # a word or none
	run "$GPROF" -b --inclusive -o - --run=keep=gmon.same "$program" 300 $ending
	# What the program writes is above the report.
	sed -n '/^Inclusive/,$p' out >at_once
	"$GPROF" -b --inclusive "$program" gmon.same >later 2>err
	grep '@libc' at_once >shown
	expect "the reports of a kept profile are those of the run, with functions of libraries${ending:+, also of one that was killed}" \
		'[ -s shown ] && cmp -s at_once later'
	run "$GPROF" -b --inclusive gmon.same
	expect "nor has the program to be named${ending:+, either}" '[ -s out ] && cmp -s out later'
	"$GPROF" -b --inclusive --libraries=object "$program" gmon.same >later 2>err
	expect "unless they are declined${ending:+, too}" 'grep -q " work$" later && ! grep -q @libc later'
done
cp "$program" moved
run "$GPROF" -b -p -o - --run=keep=gmon.moved ./moved 10
rm moved
run "$GPROF" -b -p gmon.moved
expect 'unless it is gone' \
	'[ "$status" = 1 ] && [ "$(cat err)" = "$GPROF: gmon.moved: is profile data; the program comes first: gprof PROGRAM gmon.moved" ]'
printf '__attribute__((used)) const char table[100000] = { 1 };\n' >table.c
if "$CC" -O2 -pthread -Wl,-z,noseparate-code -o one-segment "$programs/plain.c" table.c 2>/dev/null; then
	run "$GPROF" -o - --run ./one-segment 300
	expect 'a program whose constants are in one segment with its code is no other program' \
		'grep -q "^\./one-segment, written" out && ! grep -q "^! other-program" out'
fi
run_flat --run=keep=100%p "$program" 10
expect 'under that very name' '[ -s 100%p ]'
check 'a child that it forks is left alone' "$(find . -name 'gmon.x.[0-9]*')"
run_flat --run "$program" 150 close
expect 'a program that closes all its files is profiled' '[ "$status" = 0 ] && grep -q " work$" out'
run "$GPROF" --export=csv -o x.csv --run "$program" 150
expect 'exports come of it' 'grep -q ",work," x.csv || grep -q "work" x.csv'
mkdir counted
if must_build counted "$CC" -O1 -pg "$srcdir/tests/programs/recursion.c"; then
	(cd counted && ./a.out >out 2>err && mv gmon.out gmon.own)
	calls_and_names() {
		awk '/^ *[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]+ / && $NF != "main" { print $4, $NF }' | sort
	}
	"$GPROF" -b -p --estimated counted/a.out counted/gmon.own | calls_and_names >own
	(cd counted && LD_PRELOAD=$builddir/libgmon.so ./a.out >out 2>err)
	run "$GPROF" -b -p --estimated counted/a.out counted/gmon.out
	expect 'gmon.out of -pg has 100 samples a second, as ever, and --run leaves that' 'grep -q "^Each sample counts as 0.01 seconds" out'
	run "$GPROF" -b -p --estimated -o - --run counted/a.out
	calls_and_names <out >counts
	expect 'with -pg, the report has the calls that it has without --run' '[ -s own ] && cmp -s own counts'
	"$GPROF" -b -p --estimated counted/a.out gmon.out | calls_and_names >counts
	expect 'and so is its own gmon.out' 'cmp -s own counts && [ ! -f gmon.out.ext ]'
fi

# Calls of libraries. nm is not asked: the program says how often it calls.
mkdir libraries
cat >library.c <<-'END'
	static volatile double sink;
	__attribute__((noinline)) static void part(int n) { for (int i = 0; i < 1000; i++) sink = sink * 0.5 + n; }
	void whole(int n) { part(n); part(n + 1); }
END
cat >uses.c <<-'END'
	#include <unistd.h>
	void whole(int n);
	int main(int argc, char **argv)
	{
		for (int i = 0; i < 5000; i++) whole(i);
		if (argc > 1) execl(argv[0], argv[0], (char *)0);
		return 0;
	}
END
# calls_of NAME: in the call graph that came out.
calls_of() {
	awk -v name="$1" '/^\[/ { for (i = 2; i < NF; i++) if ($(i + 1) == name) print $i }' out
}
what='a library with -pg'
"$CC" -O1 -pg -fPIC -shared -o libraries/libwhole.so library.c
if must_build libraries "$CC" -O1 -pg ../uses.c "$scratch/libraries/libwhole.so"; then
	run "$GPROF" -b -q --objects -o - --run libraries/a.out
	expect '--objects counts calls of libraries' '[ "$(calls_of whole@libwhole.so) $(calls_of part@libwhole.so)" = "5000 10000" ] && [ ! -s err ]'
	expect 'with their callers' 'grep -q " 5000/5000 *whole@libwhole.so" out && grep -q " 10000/10000 *part@libwhole.so" out'
	run "$GPROF" -b -q --objects -o - --run sh -c 'libraries/a.out; libraries/a.out; true'
	expect 'also those of children' '[ "$(calls_of whole@libwhole.so) $(calls_of part@libwhole.so)" = "10000 20000" ]'
	run "$GPROF" -b -p -o - --run=libs=ext,keep=gmon.libs libraries/a.out
	"$GPROF" -b -q --objects libraries/a.out gmon.libs >out 2>err
	expect 'and libs=ext keeps them for later' '[ "$(calls_of part@libwhole.so)" = 10000 ] && [ "$(count_files gmon.libs*)" = 2 ]'
fi

run_flat --run sh -c 'i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); done; kill -0 $$'
expect 'so is one that ends by _exit(), as shells do' '[ "$status" = 0 ] && ! grep -q live err && grep -q "\[sh+0x" out'

# What --run sets.
id=$(stat -c %Hd:%Ld:%i "$program")
(LD_PRELOAD=$builddir/libgmon.so && GMON=run,only=$id,file=own && export LD_PRELOAD GMON && sh -c '"$0" 250' "$program" </dev/null >out 2>err)
expect 'GMON=run records the file that only= names, and not the shell before it' '[ -s own ] && [ ! -s err ] && "$GPROF" -b -p "$program" own | grep -q " work$"'
run env LD_PRELOAD="libm.so.6:$builddir/libgmon.so" GMON=rate=50,file=own.sh,run sh -c 'echo "$LD_PRELOAD,$GMON"; exit 4'
expect 'GMON=run by hand: what is not ours stays in the environment, wherever we are' \
	'[ "$status" = 4 ] && [ "$(cat out)" = libm.so.6,rate=50,file=own.sh ] && [ -s own.sh ]'
run env LD_PRELOAD="$builddir/libgmon.so libm.so.6" GMON=run,file=own.sh sh -c 'echo "$LD_PRELOAD,$GMON"'
expect 'also in front of others' '[ "$(cat out)" = libm.so.6, ]'
run env LD_PRELOAD="$builddir/libgmon.so" GMON=run,windows=0:1:0:0:0 "$program" 1
expect 'without the memory that gprof made nothing is recorded, and nothing is said' '[ ! -s err ] && [ ! -e gmon.out.ext ]'
run env LD_PRELOAD="$builddir/libgmon.so" GMON=only=1:2 "$program" 1
expect 'what is no number of a file is said' 'grep -q "ignored in GMON: only=1:2" err'

# Stripped: functions from call-frame information. nm and readelf are the oracle.
cp "$program" whole
strip -o stripped whole
readelf --debug-dump=frames whole | sed -n 's/.* pc=\([0-9a-f]*\)\.\..*/\1/p' | sed 's/^0*//' | sort -u >starts
nm whole | awk '$2 ~ /[tT]/ { sub(/^0*/, "", $1); print $1, $3 }' | sort >names
run "$GPROF" -b -p -z -o - --run ./stripped 60
sed -n 's/.*\[stripped+0x\([0-9a-f]*\)\]$/\1/p' out | sort -u >found
readelf -S -W whole | awk '$2 ~ /^\.plt/ { print $4 } $3 ~ /^\.plt/ { print $5 }' | sed 's/^0*//' | sort >plt
comm -23 starts plt >wanted
expect "a stripped program has functions" "[ -s wanted ]"
check 'they begin where its call-frame information says' "$(comm -13 found wanted)"
check 'and nowhere else but where no such information is' "$(comm -13 wanted found | awk 'END { if (NR > 5) print NR }')"
work=$(awk '$2 == "work" { print $1 }' names)
expect 'its time stands in the function that had the name' 'awk -v name="[stripped+0x$work]" "NR > 5 && !/unknown time/ { exit \$NF != name }" out'

# What the dynamic symbols name, as in programs with plugins, has that name; those of C++ begin with an underscore.
cat >exports.c <<-'END'
	volatile long sum;
	__attribute__((noinline)) void _ZN5shape4areaEi(int n) { for (long i = 0; i < n * 1000000L; i++) sum += i; }
	__attribute__((noinline)) void plain(int n) { _ZN5shape4areaEi(n); sum++; }
	int main(void) { plain(20); return 0; }
END
if must_build exports "$CC" -O1 -rdynamic ../exports.c && strip -o exporting exports/a.out; then
	run "$GPROF" -b -p -z -o - --run ./exporting
	nm -D exporting | awk '$2 == "T" { sub(/^0*/, "", $1); print "[exporting+0x" $1 "]" }' >addresses
	expect 'of a stripped program, names of dynamic symbols come before addresses' \
		'[ -s addresses ] && ! grep -qFf addresses out && grep -q " shape::area(int)$" out && grep -q " plain$" out && grep -q " _start$" out'
fi

# Whatever becomes of the report, the status is the program's; but not where gprof's own is what was asked for.
for wanted in 0 3; do
	run "$GPROF" --export=csv -o absent/x.csv --run sh -c "exit $wanted"
	expect "an export cannot be written: status $wanted" '[ "$status" = '$wanted' ] && grep -q "absent/x.csv" err'
done
run "$GPROF" --diff=gmon.kept,program=/dev/null,fail=5 --run "$program" 1
expect 'a verdict that cannot be had is not a good one' '[ "$status" = 1 ]'

# What --diff names is looked for before the program works for nothing.
for base in absent "$program,program=absent"; do
	rm -f ran
	run "$GPROF" -b --diff="$base" --run sh -c ': >ran'
	expect "--diff=$base: the program does not run" \
		'[ "$status" = 1 ] && [ ! -e ran ] && [ "$(cat err)" = "$GPROF: absent: No such file or directory" ]'
done

# Scripts.
printf '#!/bin/sh\nexit 7\n' >script
chmod +x script
run_flat --run ./script
expect 'of a script the interpreter is profiled' '[ "$status" = 7 ] && grep -q "Flat profile" out'
printf '#!/usr/bin/env sh\ni=0\nwhile [ $i -lt 100000 ]; do i=$((i + 1)); done\nexit 8\n' >script
run_flat --run ./script
expect 'also of one that env finds' '[ "$status" = 8 ] && grep -q "Flat profile" out && grep -q "\[\(da\)*sh+0x" out'
sed '1s/.*/#!\/usr\/bin\/env -S  NAME=value sh -u/; $s/.*/exit ${#NAME}/' script >words && chmod +x words
run_flat --run ./words
expect 'and whose words it splits' '[ "$status" = 5 ] && grep -q "\[\(da\)*sh+0x" out'

# Refusals.
refuses 'no program' 1 'PROGRAM [ARGUMENT...]' --run
refuses 'a --run behind the program' 1 "--run $program" "$program" --run
refuses 'an unknown key' 1 "did you mean 'rate'?" --run=rat=3 "$program"
refuses 'libs with files of its own' 1 "libs needs a value: libs=ext" --run=libs "$program"
refuses 'keep without a file' 1 "keep needs a value: keep=FILE" --run=keep "$program"
refuses 'a program that does not exist' 127 'No such file' --run ./nothing
refuses 'a file that cannot be run' 126 'Permission denied' --run "$srcdir/README"
refuses 'a directory' 126 'directory' --run "$scratch"
printf '#!/no/such/shell\n' >script
refuses 'a script without its interpreter' 127 '/no/such/shell: No such file' --run ./script
echo nothing >script
refuses 'what is no program' 1 'neither an executable' --run ./script
mkdir static
build static "$CC" -static -pthread "$programs/plain.c" && refuses 'a static program' 1 'link it dynamically or with libgmon.a (-pg -lgmon), or take perf record' --run static/a.out 1
mkdir musl
if command -v musl-gcc >/dev/null; then
	build musl musl-gcc -g -O1 "$programs/plain.c" && run "$GPROF" --run -b --inclusive -- musl/a.out 400
	# musl has no call-frame information: some stacks of its own code are guessed.
	expect "another C library's program: stacks" \
		'complete_stacks out err >share && awk "{ exit !(\$2 >= 90) }" share'
	expect "another C library's program: its functions" 'cat out err | grep -q " work$" && ! grep -q libgmon err'
else
	tap_skip "another C library's program" 'no musl-gcc: install Debian package musl-tools'
fi
mkdir other
other=i686-linux-gnu-gcc
if has_compiler $other "another machine's program is refused"; then
	build other $other -pthread "$programs/plain.c" && refuses "another machine's program" 1 'link it with a libgmon.a for that one (-pg -lgmon), or take perf record' --run other/a.out 1
fi
if command -v go >/dev/null; then
	mkdir go && printf 'package main\nfunc main() {}\n' >go/main.go
	(cd go && CGO_ENABLED=0 HOME=$scratch GOFLAGS=-mod=mod go build -o program main.go) >/dev/null 2>&1 &&
		refuses 'a static program of Go' 1 "take its own profiler (go tool pprof), or perf record" --run go/program
fi
leaves_nothing 'at the end'
if [ "$(id -u)" = 0 ] && can_be_nobody 'a program with privileges is refused'; then
	cp "$program" privileged && chmod 4755 privileged && chmod -R a+rX . && chmod 1777 tmp
	run $as_nobody "$GPROF" -o - --run ./privileged 1
	expect 'a program with privileges is refused' '[ "$status" = 1 ] && grep -q "runs with privileges.*: profile a copy without them, or take perf record as root$" err'
	cp "$program" capable
	if setcap cap_net_raw+ep capable 2>/dev/null; then
		run $as_nobody "$GPROF" -o - --run ./capable 1
		expect 'so is one with capabilities of its file' '[ "$status" = 1 ] && grep -q "capable: runs with privileges" err'
	else
		tap_skip 'so is one with capabilities of its file' 'setcap sets none (Debian package libcap2-bin)'
	fi
fi
tap_done
