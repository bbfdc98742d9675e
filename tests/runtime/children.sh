#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gprof --run: what a program starts is profiled, too, whatever that is, unless children=no says that it is not; and what
# becomes of programs that go on behind gprof's back or become others.
# shellcheck disable=SC2016,SC2034,SC2317 # commands for other shells; words that expect reads
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
cd "$scratch" || exit 99
TMPDIR=$scratch/tmp
mkdir tmp plain raw
unset GMON
export TMPDIR

# run_children ARGUMENT...: gprof --inclusive ARGUMENT... with the list of processes; see run.
run_children() {
	run timeout 100 "$GPROF" -b --inclusive --processes -o - "$@"
}

# run_alone ARGUMENT...: without that list.
run_alone() {
	run timeout 100 "$GPROF" -b --inclusive -o - "$@"
}

# rows TITLE: those of the list in `out` that has this title.
rows() {
	awk -v title="$1 of the run:" '/^\f/ { on = 0 } $0 == title { on = 1; n = 0 } on && n++ > 3 && NF == 0 { on = 0 } on && n > 4' out
}

# is_row COMMAND END COLUMN-CONDITION: among the processes there is one that awk's condition holds for.
is_row() {
	rows Processes | awk -v command="$1" -v end="$2" '$5 == end && index($0, command) && ('"$3"') { ok = 1 } END { exit !ok }'
}

what='a program without -pg'
must_build plain "$CC" -O2 -pthread "$programs/plain.c" || tap_done
program=$scratch/plain/a.out

# Many children.
printf 'i=0; while [ $i -lt 200 ]; do /bin/true; echo $i; i=$((i + 1)); done; exit 3\n' >many.sh
sh many.sh >alone
run_alone --run=children=no sh many.sh
expect 'with children=no, of a script with 200 children the shell alone is profiled' '[ "$status" = 3 ] && grep -q "^Each sample" out && ! grep -q "/true" out && ! grep -q "of the run" out'
run_children --run sh many.sh
expect 'else its status is kept, too' '[ "$status" = 3 ]'
rows Processes >list
alike=$(awk '$5 == 0 && $6 ~ /true$/ { n += gsub(/[()]/, "", $4) ? $4 : 1; rows++ } END { print n + 0, rows < 20 }' list)
expect "those that are alike share a row, with their number and end: $alike" '[ "$alike" = "200 1" ]'
expect 'each other process has one' '[ "$(awk "\$5 == 3 && \$4 > 1" list | wc -l)" = 1 ]'
rows Programs >list
expect 'the programs add up to them' '[ "$(awk "{ n += \$4 } END { print n }" list)" = 201 ]'
expect 'the one that ran most often is there' 'grep -q " 200  .*/true$" list'
head -n 200 out >its
same 'its output comes first, and as it was' its alone
check 'no temporary file is left' "$(ls tmp)"
printf 'i=0; while [ $i -lt 200 ]; do x=$(echo $i); i=$((i + 1)); done; exit 3\n' >substitutes.sh
run_children --run=clock=wall sh substitutes.sh
expect 'forked children with clock=wall leave profiles that can be read' '[ "$status" = 3 ] && ! grep -q "cannot be read" err'
rows Processes >list
expect 'and are in the list' '[ "$(awk "{ n += gsub(/[()]/, \"\", \$4) ? \$4 : 1 } END { print n }" list)" = 201 ]'

sh -c 'i=0; while [ $i -lt 20 ]; do "$0" -b -z --inclusive -o - --run "$1" 20 | head -n 1; i=$((i + 19)); done' "$GPROF" "$program" </dev/null >out 2>err
check 'nor if nobody reads the report' "$(ls tmp)"

# Ends, and time.
cat >ends.sh <<-'END'
	"$0" 150
	"$0" 10 4
	"$0" 50 -15
	"$0" 100 -9
	dash -c 'exec "$0" 10 6' "$0"
	i=0
	while [ $i -lt 60000 ]; do i=$((i + 1)); done
	kill -15 $$
END
run_children --run sh -c "$(cat ends.sh)" "$program"
expect 'a signal that ends the program is the status' '[ "$status" = 143 ]'
expect 'an exit status is shown' 'is_row "a.out 10 4" 4 1'
expect 'a signal that ended a child is not known' '[ "$(rows Processes | awk "\$5 == \"?\" && /a.out (50 -15|100 -9)/" | wc -l)" = 2 ]'
expect 'and that of the program' 'is_row sh SIGTERM 1'
expect 'exec() makes no other process' 'is_row "a.out 10 6" 6 1 && [ -z "$(rows Processes | awk "\$6 == \"dash\"")" ]'
# Two threads of 0.15 s, and what it took to start; each may end between two samples, or a look at it may count ahead, see
# sampled_whole. Where many ticks are missing, as by a virtual machine that stood still, they are unknown time.
ahead=$(kernel_tick | awk '{ print 2 * (5 * $1 + ($1 > 0.001 ? $1 : 0.001)) }')
expect 'times are those of the kernel' 'is_row "a.out 150" 0 "\$3 > 0.29 && \$2 > \$3 * 0.7 - 0.04 && \$2 <= \$3 + $ahead"'
sampled=$(rows Processes | awk '/a\.out/ { n += $2 } END { print n }')
expect "the report is about the program with most time, whose functions have plain names: $sampled s" \
	'awk -v all="$sampled" "/ work\$/ && \$2 > all * 0.5 { ok = 1 } END { exit !ok }" out'
expect 'nearly all of what main and the threads have, without the starts of processes, is in it' 'awk "
	/ (main|thread)\$/ { all += \$2 } / work\$/ { work = \$2 } END { exit !(all > 0 && work > all * 0.8) }" out'
expect 'and none has more self time' '[ "$(awk "on && \$3 + 0 > most + 0 { most = \$3; name = \$4 } /seconds +seconds .*name\$/ { on = 1 } /^\f/ { on = 0 } END { print name }" out)" = work ]'
expect 'functions of other programs have its name' 'grep -q "\[[a-z]*sh+0x[0-9a-f]*\]$" out'
expect 'nothing else is said' '! grep gprof err | grep -vq "note: package .* names \|note: .* has no names: package \|note: .* was killed"'
# What a killed process has used since its last sample is not known to be its own, and is said: no more than its programs
# used, and what the starts of ten processes may.
rows Processes | awk '/a.out 50 -15/ { unknown += 0.1 - $3 } /a.out 100 -9/ { unknown += 0.2 - $3 } END { print unknown + 0.03 }' >unknown
expect "but what killed programs may have used, at most $(cat unknown) s" \
	'awk -v most="$(cat unknown)" "/ was killed/ { sub(/.*note: /, \"\"); bad = \$1 > most + 0.005 } END { exit bad }" err'

# Those that cannot be profiled.
mkdir static musl
if build static "$CC" -static -O2 -pthread "$programs/plain.c"; then
	run_children --run sh -c 'static/a.out 200 <&-; echo $?; times'
	used=$(awk -F '[ms ]+' 'NF == 5 && /^[0-9]+m[0-9.]+s [0-9]+m[0-9.]+s$/ { n = $1 * 60 + $2 + $3 * 60 + $4 } END { print n }' out)
	expect "what a static program uses is told, $used s" 'awk -v used="$used" "
		/seconds more of CPU time are of processes without a profile/ { d = \$1 - used; ok = \$1 >= 0.39 && d * d < 0.0009 }
		END { exit !ok }" out'
fi
if ! command -v musl-gcc >/dev/null; then
	tap_skip "another C library's program runs" 'no musl-gcc: install Debian package musl-tools'
elif build musl musl-gcc -O2 "$programs/plain.c"; then
	run_children --run sh -c 'musl/a.out 10 5 </dev/null; echo "it ends with $?"'
	expect "another C library's program runs" 'grep -q "it ends with 5" out && ! grep -q libgmon err'
fi
# unknown_time: the flat profile has of it what the program says that it used, but for a fifth.
unknown_time() {
	awk '$1 == "used" && !used { used = $2 } /\[unknown time\]$/ { ok = used && $3 >= used * 0.8 && $3 <= used + 0.02 } END { exit !ok }' out
}
if build raw "$CC" -O2 "$programs/unseen.c"; then
	run_children --run raw/a.out 400
	expect 'CPU time of threads that nobody saw begin is told' unknown_time
	run_alone --run=children=no raw/a.out 400
	expect 'also without children' unknown_time
fi
run_children --run "$program" 200
expect 'and nothing where there are none' '! grep -q "no samples" out'

# A pipeline whose processes all have a profile; what the kernel counts for their start and end is of none.
awk 'BEGIN { for (i = 0; i < 200000; i++) print i * 7919 % 200003 }' >numbers
run_children --run=children sh -c 'sort numbers | gzip >/dev/null'
expect 'no time is of processes without a profile where all have one' '
	[ "$(rows Processes | grep -c "sort numbers\|gzip")" = 3 ] && ! grep -q "processes without a profile" out'

# Sums.
run "$GPROF" -b --inclusive --processes -s -o parts.sum --run sh -c '"$0" 50; "$0" 20 5; true' "$program"
mv err out # the sum has the -o
(rows Programs && rows Processes) >whole
run "$GPROF" -b --inclusive --processes "$program" parts.sum
(rows Programs && rows Processes) >sum
evidence='whole sum err'
expect 'a sum has the processes, with the program of each' '[ "$(wc -l <whole)" = 5 ] && cmp -s whole sum'
evidence='out err status'
run "$GPROF" -s -o twice.sum "$program" parts.sum parts.sum
run "$GPROF" -b --inclusive --processes "$program" twice.sum
expect 'and so has a sum of sums' '[ "$(rows Processes | grep -c "a.out 20 5$")" = 2 ]'
run "$GPROF" -b -p --estimated -o - --run "$program" 5 fork
expect 'without call stacks there is no list of processes' '[ "$status" = 0 ] && grep -q "^Flat profile" out && ! grep -q "of the run" out'

# What the caller has run before.
run sh -c '"$1" 200; exec "$0" -b -p -o - --run=$2 "$1" 30' "$GPROF" "$program" children=no
expect 'time of what the caller ran before is not the program'"'"'s' '[ -s out ] && ! grep -q "of what it started" err'
run sh -c '"$1" 200; exec "$0" -b --processes -o - --run "$1" 30' "$GPROF" "$program"
expect 'nor that of processes without a profile' '! grep -q "without a profile" out && [ "$(rows Processes | wc -l)" = 1 ]'

# A program that starts as another one, and is killed.
run env COLUMNS=300 "$GPROF" -o - --run nice "$program" 200 -11
expect 'the head says how the program ended that another one became, and how long both took' '
	[ "$status" = 139 ] && sed -n 1p out | grep -q "a\.out, killed by SIGSEGV, " &&
	sed -n 2p out | awk "/ s elapsed, .* s on the CPU/ && \$1 > 0.4 * \$4 { ok = 1 } END { exit !ok }"'
run env COLUMNS=300 "$GPROF" -o - --run sh -c '"$0" 200 -11; exit 5' "$program"
expect 'or how the first one ended, and that one it started was killed' '[ "$status" = 5 ] && grep -q "a\.out, sh exited with 5, a\.out was killed, " out'
run env COLUMNS=300 "$GPROF" -o - --run sh -c '"$0" 200 -11; exit $?' "$program"
expect 'by which signal, if the shell says so' '[ "$status" = 139 ] && grep -q "a\.out, sh exited with 139, a\.out was killed by SIGSEGV, " out'
run env COLUMNS=300 "$GPROF" -o - --run sh -c '"$0" 200 -15; exit 0' "$program"
expect 'but not that one was asked to end' '[ -s out ] && ! grep -q "killed" out'
run env COLUMNS=300 "$GPROF" -o - --run "$program" 200 -31
expect 'and that SIGSYS is mostly of a filter' '[ "$status" = 159 ] && sed -n 1p out | grep -q "a\.out, killed by SIGSYS: a seccomp filter?, "'
ln -s "$program" server
run "$GPROF" --run=keep=kept.gmon ./server 50
run env COLUMNS=300 "$GPROF" --top kept.gmon
expect 'a program that a link starts is called as the link' 'sed -n 1p out | grep -q "^server (.*a\.out), "'
run env COLUMNS=300 "$GPROF" -o - --run nice "$program" 200 -11
expect 'and what takes more samples in less than a second of CPU time' 'grep -q "more samples: --run=rate=1000,clock=task" out'
run "$GPROF" -o - --run=rate=200 "$program" 200
expect 'unless the user has chosen' '[ -s out ] && ! grep -q "more samples" out'

# With children=no.
run "$GPROF" -o - --run=children=no sh -c '"$0" 200; "$0" 100; true' "$program"
expect 'the first screen of a program that only starts others says so' \
	'grep -q "^! children: 0.[2-9].* of 0.* s of CPU are of what it started: try --run without children=no$" out && [ ! -s err ]'
run_alone --run=children=no sh -c '"$0" 200; "$0" 100; true' "$program"
expect 'a report has a note of it' 'grep -q "note: 0.* s of CPU are of what it started: try --run without children=no$" err'
run "$GPROF" -o - --run true
expect 'a program that used next to nothing has no samples for that reason' \
	'[ "$(grep -c "^!" out)" = 1 ] && grep -q "^! short: no samples: [0-9]* are taken in a second of CPU time; it used 0.0" out'

# keep.
run_children --run=keep=all/ sh -c '"$0" 100; "$0" 120 5; true' "$program"
expect 'keep=DIR keeps a profile of each that has samples' '[ "$(find all -name "a.out.*" ! -name "*.ext" | wc -l)" = 2 ] && [ "$(find all -name "sh.*" ! -name "*.ext" | wc -l)" = 1 ]'
sed -n '/^Programs/,$p' out >whole
run "$GPROF" -b --inclusive --processes all
evidence='whole out err'
expect 'whose report is that of the run' '[ -s whole ] && cmp -s whole out'
evidence='out err status'
run "$GPROF" -b -p "$program" all/a.out.*[0-9]
expect 'which are read like others' '[ "$status" = 0 ] && grep -q " work$" out'
run_children --run=children,keep=all "$program" 10
expect 'a directory with something in it is refused' '[ "$status" = 1 ] && grep -q "all: is not empty" err && [ "$(wc -l <err)" = 1 ]'
run_children --run=children=3 "$program" 10
expect 'another value of children is refused' '[ "$status" = 1 ] && grep -q "children must be yes, no or wait, not .3." err'
echo precious >text
run_children --run=keep=text "$program" 10
expect 'a file that is no profile is not replaced' '[ "$status" = 1 ] && [ "$(cat text)" = precious ] && grep -q "text: exists and is no profile" err'
set -- all/a.out.*[0-9]
cp "$1" old
before=$("$GPROF" -b -p "$program" old 2>/dev/null | awk '/ work$/ { print $3 }')
run_children --run=keep=old "$program" 10 -9
expect "an old profile, of $before s, is not taken for one of the run" '[ "$status" = 137 ] && ! awk -v before="$before" "
	/ work\$/ && \$2 >= before { bad = 1 }
	END { exit !bad }" out'

# exec().
cat >again.sh <<-'END'
	i=0
	while [ $i -lt 100000 ]; do i=$((i + 1)); done
	[ "$1" = 2 ] && exit 5
	exec /bin/sh again.sh $(($1 + 1))
END
run_children --run=keep=whole.self sh again.sh 0
sed -n '/^Programs/,$p' out >whole
run "$GPROF" -b --inclusive --processes whole.self
evidence='whole out err'
expect 'keep=FILE keeps the sum of all, with the report of the run' '[ -s whole ] && cmp -s whole out && [ ! -f whole.self.1 ]'
evidence='out err status'
run_children --run=children=no,keep=self sh again.sh 0
expect 'a program that becomes itself is followed' '[ "$status" = 5 ] && [ -s self ] && [ -s self.1 ] && [ -s self.2 ] && [ ! -f self.3 ] && [ ! -f self.live ]'
samples() {
	sed -n 's/^Each sample.*; \([0-9]*\) sample.*/\1/p' "$@" | head -n 1
}
whole=$(samples out)
parts=0
for part in self self.1 self.2; do
	parts=$((parts + $("$GPROF" -b --inclusive /bin/sh $part 2>/dev/null | samples)))
done
expect 'its parts are added up' '[ "$whole" = "$parts" ]'
mkdir again
if must_build again "$CC" -O1 "$programs/again.c"; then
	cd again || exit 99
	for call in execl execlp execle execv execvp fexecve many; do
		rm -f gmon.again*
		run_alone --run=children=no,keep=gmon.again ./a.out $call 2
		expect "also by $call" '[ "$status" = 7 ] && [ -s gmon.again.2 ] && [ ! -f gmon.again.3 ] && [ ! -f gmon.again.live ]'
		run_children --run ./a.out $call 2
		expect "and with what it starts by $call" '[ "$status" = 7 ] && [ "$(rows Processes | wc -l)" = 1 ] && rows Programs | grep -q "/a.out$"'
	done
	run_children --run ./a.out fails 1
	cd ..
	expect 'each fails as without us' '[ "$status" = 3 ]'
fi
run_alone --run=children=no sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; exec env'
expect 'one that becomes another is told of, and has its profile' 'grep -q "became another program by exec" err && grep -q "^Each sample" out'
ours='^(LD_PRELOAD|GMON|ASAN_OPTIONS)='
env | grep -E "$ours" >alone # make check may set one of them
expect 'the other finds an environment without us' 'grep -E "$ours" out | cmp -s - alone'
run_children --run sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; exec env'
expect 'also if it is recorded' 'grep -E "$ours" out | cmp -s - alone && ! grep -q "became another" err && rows Programs | grep -q "/env$"'

# Whoever starts the program, and however: the report is about the program with the time.
# about_program NAME: so is the first screen in `out'. Where a sample has hit the start of NAME, there is a list of programs
# in front, in which each has samples, and ours comes first.
about_program() {
	awk -v program="$program" -v name="/$1" '
		/^ % time/ { list = 1; next }
		/^\f/ { list = 0 }
		list && NF > 3 && $NF !~ /:/ { n++; bad += n == 1 && $4 != program || $1 <= 0; next }
		index($0, program) == 1 { head = 1 }
		/ work / { work = 1 }
		index($0, name) { bad = 1 }
		END { exit !(head && work) || bad || n == 1 }' out
}
# starts WORD...: this is how the program begins that has nearly all of the time.
starts() {
	run timeout 100 env COLUMNS=300 "$GPROF" -o - --run "$@"
	expect "$1 $2: the first screen is about what it starts" '[ "$status" = 4 ] && about_program "$1"'
}
starts nice "$program" 200 4
starts env A=b "$program" 200 4
starts env -i "$program" 200 4
starts sh -c '"$0" 200 4; exit $?' "$program"
starts sh -c 'exec "$0" 200 4' "$program"
starts setsid -w "$program" 200 4
starts timeout 90 "$program" 200 4
for columns in 80 60; do
	run timeout 100 "$TOOLS/pty" -2 -w $columns -r 24 "$GPROF" --color=never --run sh -c '"$0" 150; sort numbers >sorted; sort sorted | gzip >sorted.gz' "$program"
	sed 's/\r$//; s/.*\r//' out >screen # what showed the progress is overwritten
	evidence='screen err status'
	expect "the screen of a run of several programs fits a terminal of $columns columns" \
		'[ "$(wc -l <screen)" -le 23 ] && [ "$(LC_ALL=C.UTF-8 wc -L <screen)" -le $columns ] && grep -q " work " screen && grep -q "^next: " screen'
	evidence='out err status'
done
mkdir -p shims
printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" >shims/program
chmod +x shims/program
starts shims/program 200 4
python=$(command -v python3)
if [ "$python" ]; then
	for way in 'os.system(p)' 'subprocess.run(p, shell=True)' 'subprocess.run(p.split())' 'os.popen(p).read()' \
		'os.posix_spawn(p.split()[0], p.split(), os.environ); os.wait()'; do
		run_children --run "$python" -c "import os, subprocess; p = '$program 150'; $way"
		expect "$way in Python is followed" 'is_row "a.out 150" 0 "\$2 > 0.2"'
	done
fi

# Not all have room.
run timeout 100 sh -c 'ulimit -f 100000 && exec "$@"' sh "$GPROF" -b --inclusive -o - --run=children "$program" 100 fork
expect 'a process without room for its recording is told of' 'grep -q "warning: 1 process was not recorded: there is room for 1, by the limit of file sizes (ulimit -f)$" err'
run sh -c 'ulimit -f 1000 && exec "$@"' sh "$GPROF" -o - --run true
expect 'no room for any recording is refused' '[ "$status" = 1 ] && grep -q "file sizes below 25 MB leaves no room" err'

# What --run sets.
for i in 1 2; do
	LD_PRELOAD=$builddir/libgmon.so GMON=run,again,file=twice "$program" 10 </dev/null
done
expect 'GMON=again takes no name that is taken' '[ -s twice ] && [ -s twice.1 ] && [ ! -f twice.2 ]'
LD_PRELOAD=$builddir/libgmon.so GMON=run,children,file=each.%p "$program" 10 fork </dev/null
expect 'GMON=children records forks' '[ "$(find . -name "each.*[0-9]" | wc -l)" = 2 ]'

# Daemons.
run_alone --run sh -c 'sleep 100 >&- 2>&- & echo $! >pid; i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; exit 7'
expect 'gprof does not wait for what is left behind' '[ "$status" = 7 ] && kill "$(cat pid)" && grep -q "^Each sample" out'
mkdir later
run_children --run=keep=later sh -c '"$0" 900 </dev/null >&- 2>&- & sleep 0.5' "$program"
expect 'the report has the time of a daemon up to now, and a note of it' 'grep -q "started a.out (process [0-9]*), which still runs: the report has their time up to now; " err && is_row a.out goes "\$2 > 0"'
run "$GPROF" -b -p "$program" later/a.out.*[0-9]
expect 'and so has what is kept' 'grep -q " work$" out'
run_children --run=children=wait sh -c '("$0" 300 </dev/null >&- 2>&- &); exit 5' "$program"
expect 'with children=wait it has all of it' '[ "$status" = 5 ] && ! grep -q "still runs" err && is_row "a.out 300" 0 "\$3 > 0.5"'
cat >orphan.sh <<-'END'
	first=$(awk '{ print $4 }' /proc/$$/stat)
	: >begun
	while [ "$first" = "$(awk '{ print $4 }' /proc/$$/stat)" ]; do sleep 0.05; done
	awk '{ print $4 }' /proc/$$/stat >parent.new && mv parent.new parent
END
printf '(sh orphan.sh & until [ -e begun ]; do sleep 0.05; done)\nuntil [ -e parent ]; do sleep 0.05; done\n' >leaves.sh
timeout 60 sh leaves.sh && mv parent alone && rm begun
run_alone --run sh leaves.sh
same 'who is the parent of an orphan is as without us' parent alone
tap_done
