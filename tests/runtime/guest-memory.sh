#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What gprof --run records is in memory: a program that is killed, becomes another, changes its user or root, confines
# itself or closes all files loses nothing; there are no files, and the status is the program's.
# shellcheck disable=SC2012,SC2016,SC2317 # names without blanks; commands for other shells and conditions of expect; functions that it calls
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
unset GMON ASAN_OPTIONS
cd "$scratch" || exit 99
mkdir tmp empty leaves
TMPDIR=$scratch/tmp
export TMPDIR
what='a program that leaves'
must_build leaves "$CC" -O1 -D_GNU_SOURCE "$programs/guest-leaves.c" || tap_done
program=$scratch/leaves/a.out

# works LEAST MOST: seconds in work() by the report.
works() {
	has_time work "$1" "$2" || has_time work@a.out "$1" "$2"
}

# leaves HOW STATUS WHAT [SECONDS]: recorded alone, with what it starts, and below a shell. Two or three times 0.15 s, with as many samples as
# there are hundredths: bounds are five standard deviations of their number off.
leaves() {
	"$program" "$1" empty
	if [ $? = 77 ]; then
		tap_skip "$3: it has all of its time" "not on this kernel"
		return
	fi
	for children in no:0.45 yes:${4:-0.45}; do
		run "$GPROF" -b -p -o - --run=children="${children%:*}" "$program" "$1" empty
		expect "$3: it has all of its time, children=${children%:*}" '[ "$status" = '"$2"' ] && works 0.2 '"${children#*:}"
	done
	run "$GPROF" -b -p -o - --run sh -c '"$0" "$1" empty; exit $?' "$program" "$1"
	expect "$3: so it has below a shell" '[ "$status" = '"$2"' ] && works 0.2 '"${4:-0.45}"
}

test_leavers() {
	leaves user 3 'it becomes nobody'
	leaves root 3 'it changes its root'
}

test_setpriv() {
	run "$GPROF" -o - --run setpriv --reuid 65534 --clear-groups "$program"
	expect 'setpriv runs another as nobody' '[ "$status" = 3 ] || [ "$status" = 127 ]'
}

only_part
leaves nothing 3 'it just ends'
leaves kill 137 'it is killed by SIGKILL'
leaves raw-exec 3 'it becomes another by a system call of its own'
by_root test_leavers 'it becomes nobody, or changes its root'
leaves landlock 3 'it confines itself by Landlock'
leaves files 3 'it closes all files'
leaves fork 3 'it forks' 0.65
check 'nothing is left in the temporary directory' "$(ls tmp)"

# Files.
run env TMPDIR=/nonexistent "$GPROF" -b -p -o - --run "$program"
expect 'without a temporary directory' '[ "$status" = 3 ] && works 0.2 0.45 && ! grep -q nonexistent err'
ls -l /proc/self/fd | awk '{ print $9 }' | sort >alone
sed -i '/^$/d' alone
evidence='alone with'
for children in no yes; do
	# What it starts inherits the descriptor of the recordings, which is a high one.
	"$GPROF" -o - --run=children="$children" ls -l /proc/self/fd | awk '/\/fd$/ || / -> / { print $9 }' | sort |
		sed "/^$/d$([ $children = no ] || echo '; /^10[0-9][0-9]$/d')" >with
	same "the program has the descriptors that it has alone, children=$children" with alone
done
evidence='out err status'
"$GPROF" -b -p -o - --run sh -c 'ls -l /proc/$$/fd' <&- >out 2>err
expect 'what was closed stays closed' '! awk "\$9 == \"0\" { bad = 1 } END { exit !bad }" out'
"$GPROF" -o - --run "$program" >out 2>err &
sleep 0.15
kill -9 $!
wait $! 2>/dev/null
check 'nothing is left if gprof is killed' "$(ls tmp; ls -d /dev/shm/gprof-* 2>/dev/null)"

# Status.
for keys in '' =children=no; do
	for command in 'env -i /bin/true' 'env -i /bin/false' 'sh -c "exit 9"'; do
		eval "$command"
		wanted=$?
		eval "run \"\$GPROF\" -o - --run$keys $command"
		expect "the status is the program's: --run$keys $command" '[ "$status" = '$wanted' ]'
	done
done
by_root test_setpriv 'setpriv runs another as nobody'

if ! command -v valgrind >/dev/null; then
	tap_skip 'valgrind finds nothing of ours' 'no valgrind: install Debian package valgrind'
else
	run "$GPROF" -o - --run sh -c 'valgrind -q true; exit $?'
	expect 'valgrind finds nothing of ours' '[ "$status" = 0 ] && ! grep -q "^==" err'
fi

# Interpreters.
if ! command -v python3 >/dev/null; then
	tap_skip 'Python' 'no python3: install Debian package python3'
	tap_done
fi
python=$(python3 -c 'import sys; print(sys.executable)')
cat >interrupt.py <<-'END'
	import atexit, os, signal, time
	atexit.register(lambda: print("at exit"))
	try:
	    os.kill(os.getpid(), signal.SIGINT)
	    time.sleep(5)
	except KeyboardInterrupt:
	    print("interrupted")
	finally:
	    print("finally")
	print(signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGBUS), signal.getsignal(signal.SIGPROF))
END
# Alone as below gprof, since timeout has SIGINT do what it does by default also where the caller ignores it.
run "$python" interrupt.py
mv out alone
for keys in '' =children=no; do
	run "$GPROF" -o - --run$keys "$python" interrupt.py
	head -n 4 out >with
	same "Python gets its interrupt: --run$keys" with alone
done
cat >pool.py <<-'END'
	import multiprocessing
	def square(x):
	    for i in range(300000): pass
	    return x * x
	if __name__ == "__main__":
	    for how in "fork", "spawn", "forkserver":
	        with multiprocessing.get_context(how).Pool(2) as pool:
	            print(how, pool.map(square, range(4)), flush=True)
END
"$python" pool.py >alone
run timeout 100 "$GPROF" -b --processes -o - --run "$python" pool.py
head -n 3 out >with
same 'multiprocessing by each of its start methods' with alone
expect 'its processes are recorded' 'awk "/\/python3?[0-9.]*\$/ && \$4 >= 6 { ok = 1 } END { exit !ok }" out'
tap_done
