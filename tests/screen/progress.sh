#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The line of progress: when it is there, what it says, and that nothing is left of it. What gprof waits for
# comes when the line has been seen, so no test depends on the machine's speed.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/screen/lib.sh"

# now: milliseconds.
now() {
	echo $(($(date +%s%N) / 1000000))
}

# await TEXT FILE: until it is there, for half a minute at most.
await() {
	since=$(now)
	while ! grep -qF -- "$1" "$2" 2>/dev/null; do
		[ $(($(now) - since)) -lt 30000 ] || return
		sleep 0.05
	done
}

# feed FILE: to whoever reads the FIFO.
feed() {
	timeout 20 sh -c 'cat "$1" >slow' - "$1"
}

# run_fed TEXT FILE [OPTION...] -- COMMAND...: on a terminal, to `raw'; FILE goes to the FIFO `slow' when TEXT is
# there. Leaves in `status' that of the command, in $seconds the time until then, in `said' all that the line was,
# and in `left' the final screen.
run_fed() {
	awaited=$1
	fed=$2
	shift 2
	: >raw
	begun=$(now)
	{
		on_terminal "$@" >raw 2>err
		echo $? >status
	} &
	await "$awaited" raw
	took=$(($(now) - begun))
	feed "$fed"
	wait
	strip <raw | tr '\r' '\n' >said
	"$TOOLS/screen" "${columns:-80}" <raw >left
}

# said TEXT: the line was that, among others.
said() {
	grep -qxF -- "$1" said
}

check_reading() {
	run_fed 'of 3 profiles' gmon.2 -2 -- "$GPROF" -s a.out gmon.3 slow gmon.out
	expect 'the line tells how many profiles were read' 'said "gprof: read 1 of 3 profiles"'
	expect 'it comes after a second' '[ "$took" -ge 1000 ]'
	expect 'nothing is left of it' '[ "$(cat status)" = 0 ] && [ ! -s left ]'
	run_fed 'symbols (1 s)' list -2 -- "$GPROF" -s -S slow a.out gmon.out
	expect 'of what cannot tell how far it is, the line has the name and the seconds' \
		'said "gprof: reading symbols (1 s)" && [ "$(cat status)" = 0 ] && [ ! -s left ]'
}

# The line gives way to all else on the same terminal.
check_others() {
	"$GPROF" -b a.out gmon.2 | as_shown >report
	"$TOOLS/screen" <report >plain
	run_fed 'the profile' gmon.2 -12 -- "$GPROF" -b a.out slow
	expect 'nothing is left of it before text' \
		'grep -q "^gprof: reading the profile" said && cmp -s left plain'
	# Behind the last carriage return there is all of the text and nothing else.
	tr '\n' '\1' <raw | sed 's/.*\r//' | tr '\1' '\n' | strip >behind
	expect 'it does not come back with text' 'cmp -s behind report'
	echo text >text
	run_fed 'of 2 profiles' gmon.2 -2 -- "$GPROF" -b a.out slow text
	expect 'nothing is left of it before an error' \
		'[ "$(cat status)" = 1 ] && [ "$(wc -l <left)" = 1 ] && grep -q "gprof: text: " left'
	columns=200
	run_fed 'of 3 profiles' gmon.2 -2 -w 200 -- "$GPROF" -d -s a.out slow gmon.3 gmon.2
	columns=
	sed 's/^[^ ]*gprof: //' left >notes
	expect 'nothing is left of it before notes' 'grep -q "^note: profile: 3 files" notes && ! grep -qv "^note: " notes'
}

check_narrow() {
	columns=20
	run_fed 'read 0 of' gmon.2 -2 -w 20 -- "$GPROF" -s a.out slow gmon.3 gmon.out
	expect 'on a narrow terminal it is cut' 'said "gprof: read 0 of " && [ ! -s left ]'
	columns=
}

# A pipe may lead to a pager, which has the terminal from the first text on.
check_elsewhere() {
	(
		sleep 1.4
		feed gmon.2
	) &
	"$GPROF" -s a.out gmon.3 slow gmon.out >out 2>err
	wait
	expect 'in a pipe there is no line' '[ ! -s out ] && [ ! -s err ]'
	(
		sleep 0.5
		feed gmon.2
	) &
	begun=$(now)
	on_terminal -2 -- "$GPROF" -s a.out gmon.3 slow gmon.out >raw 2>err
	wait
	took=$(($(now) - begun))
	expect 'nor in the first second' '[ "$took" -ge 1000 ] || [ ! -s raw ]'
	mkdir big && "$TOOLS/mkscale" chain 3000 big && cd big || exit 99
	"$GPROF" -b >report
	# From the first text on nothing is written to the terminal.
	reader='head -c 1; sleep 0.3; cp raw then; sleep 1; cat'
	on_terminal -2 -- sh -c '"$1" -b | { eval "$2"; } >out' - "$GPROF" "$reader" >raw
	expect 'nor beside text in a pipe' 'cmp -s raw then && cmp -s out report'
	check_writing
	cd .. || exit 99
}

# The first writing of text takes longer than a second; other writing waits as well.
check_writing() {
	if [ "$INSTRUMENTED" = valgrind ]; then
		tap_skip 'progress of writing' 'valgrind would be disturbed'
		return
	fi
	# If it takes so long to come there that the first writing is of another line, once more.
	for _ in 1 2 3; do
		on_terminal -2 -- "$TOOLS/interfere" write 1 'sleep 1.5' sh -c '"$1" -b >file' - "$GPROF" >raw 2>err
		if [ $? = 77 ]; then
			tap_skip 'progress of writing' 'system calls cannot be stopped here'
			return
		fi
		! grep -q 'gprof: writing' raw || break
	done
	"$TOOLS/screen" <raw >left
	expect 'beside text in a file there is one' \
		'grep -q "gprof: writing the flat profile: [1-9][0-9]* %" raw && cmp -s report file && [ ! -s left ]'
}

check_signals() {
	on_terminal -12 -i profiles -- "$GPROF" -s a.out slow gmon.3 >raw 2>err
	echo $? >status
	"$TOOLS/screen" <raw >left
	expect 'nothing is left of it after Ctrl-C' \
		'grep -q "read 0 of" raw && [ "$(cat status)" = 130 ] && [ ! -s left ]'
	: >raw
	on_terminal -2 -- sh -c 'echo $$ >pid; exec "$@"' - "$GPROF" -s a.out slow gmon.3 >raw 2>err &
	await 'read 0 of' raw
	kill -s TERM "$(cat pid)"
	wait $!
	status=$?
	"$TOOLS/screen" <raw >left
	expect 'nor of gprof that is told to end' '[ $status = 143 ] && [ ! -s left ]'
}

enter_terminal
mkfifo slow
make_profile <<-END
	text 0x401000 0x80
	sym main 0x401000
	sym work 0x401020
	sym etext 0x401080 notype
	profile
	hist 0x401000 0x401080 32 100
	tick work 3
	arc main work 5
	profile
	hist 0x401000 0x401080 32 100
	tick work 4
	arc main work 6
	profile
	hist 0x401000 0x401080 32 100
	tick work 5
	arc main work 7
END
printf '00401000 T main\n00401020 T work\n' >list
check_reading
check_others
check_narrow
check_signals
check_elsewhere
tap_done
