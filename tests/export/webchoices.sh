#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: webpage speedscope firefox
#
# What can be chosen in --export=webpage, in a browser: processes, how paths are drawn; and that addresses have it. And
# the processes of firefox and speedscope.
# shellcheck disable=SC2016 # conditions for expect
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
# shellcheck source=browser.sh
. "$srcdir/tests/export/browser.sh"

# Four processes of three programs; one has two threads, and a command line that is markup.
make_processes() {
	awk 'function file(path, pid, command) {
			print "profile\nmodule", path, "0x401000 0x401080 0\nprocess", pid, 100, 500000000, path, command
		}
		BEGIN {
			print "text 0x401000 0x80\nsym main 0x401000\nsym parse 0x401020\nsym emit 0x401040"
			print "profile\nhist 0x401000 0x401080 32 100\ntick parse 30\ntick emit 10"
			print "module a.out 0x401000 0x401080 0 program\nmodule /lib/libz.so.1 0x70001000 0x70002000 0x70000000"
			print "process 100 1 500000000 \"\" make -j2\nthread 100 make"
			print "stack 25 main+4 parse+4\nstack 5 main+4 parse+4 libz.so.1:0x1020 parse+6\nstack 10 main+4 emit+4"
			file("/usr/bin/cc1", 101, "cc1 -O2 a.c")
			print "thread 101 cc1\nstack 20 cc1:0x401004"
			file("/usr/bin/cc1", 102, "cc1 <script>window.pwned=1</script>")
			print "thread 102 cc1\nstack 7 cc1:0x401004\nthread 112 helper\nstack 3 cc1:0x401004"
			file("/usr/bin/as", 103, "as a.s")
			print "thread 103 as\nstack 5 as:0x401004"
		}' >processes.profile
	make_profile processes.profile
}

# In a run of several programs, each thread of firefox has its process, and each profile of speedscope.
check_others() {
	"$GPROF" --export=firefox -o firefox.json --export=speedscope -o speedscope.json a.out gmon.out gmon.2 gmon.3 gmon.4 2>err
	evidence='firefox.json speedscope.json err'
	grep -o '"name":"[^"]*","isMainThread":[a-z]*,"pid":"[0-9]*","processName":"[^"]*","tid":[0-9]*' firefox.json >said
	cat >wanted <<-'END'
		"name":"make","isMainThread":true,"pid":"100","processName":"make","tid":100
		"name":"cc1 (101)","isMainThread":true,"pid":"101","processName":"cc1","tid":101
		"name":"cc1 (102)","isMainThread":true,"pid":"102","processName":"cc1","tid":102
		"name":"helper","isMainThread":false,"pid":"102","processName":"cc1","tid":112
		"name":"as","isMainThread":true,"pid":"103","processName":"as","tid":103
	END
	expect 'firefox: threads have their processes' cmp -s said wanted
	sed -n 's/.*"type":"evented","name":"\([^"]*\)".*/\1/p' speedscope.json >said
	printf '%s\n' 'all threads' 'make 100: make' 'cc1 101: cc1 (101)' 'cc1 102: cc1 (102)' 'as 103: as' 'cc1 102: helper' >wanted
	evidence='said wanted err'
	expect 'speedscope: all first, then the busiest, with their processes' cmp -s said wanted
}

# first_row LEVEL: "NAME TIME" of the frames next to that of the whole.
first_row() {
	"$GPROF" --export="flamegraph,level=$1" -o picture.svg a.out gmon.out gmon.2 gmon.3 gmon.4 2>err
	rows=$(sed -n 's/^<svg class="frames".*height="\([0-9]*\)">$/\1/p' picture.svg)
	awk -v y="y=\"$((rows - 36))\"" 'named { print name, $1, $2 } { named = 0 }
		/^<svg x=/ && index($0, y) { name = $0; sub(/.*<title>/, "", name); named = 1 }' picture.svg
}

# The picture has programs, or processes, in its first row, with all time of theirs.
check_picture() {
	printf '%s\n' 'a.out 400 ms' 'cc1 300 ms' 'as 50.0 ms' >wanted
	first_row programs >said
	evidence='said wanted err'
	expect 'flame graph: programs first' cmp -s said wanted
	printf '%s\n' 'a.out 100 400 ms' 'cc1 101 200 ms' 'cc1 102 100 ms' 'as 103 50.0 ms' >wanted
	first_row processes >said
	expect 'level=processes: each of them' cmp -s said wanted
	printf '%s\n' 'main 400 ms' '[cc1] 300 ms' '[as] 50.0 ms' >wanted
	first_row functions >said
	expect 'level=functions: as for one program' cmp -s said wanted
	"$GPROF" --export=flamegraph -o one.svg a.out gmon.out 2>err
	"$GPROF" --export=flamegraph,level=functions -o same.svg a.out gmon.out 2>err
	expect 'one process has no row of its own' cmp -s one.svg same.svg
}

make_scratch
cd "$scratch" || exit 99
make_processes
check_others
check_picture
"$GPROF" --export=webpage,source=no -o processes.html a.out gmon.out gmon.2 gmon.3 gmon.4 2>err
evidence=err
expect 'data files of unlike programs are no ranks' '! grep -q "^\"ranks\":" processes.html'
find_browser >reason
if [ -s reason ]; then
	tap_skip 'choices in a browser' "$(cat reason)"
	tap_done
fi
use processes.html web-processes.js
check_rules processes.html '#/summary' '#/functions' '#/function/parse' '#/graph?colour=object' '#/about'
make_golden slices
"$GPROF" --export=webpage,source=no -o address.html 2>err
use address.html web-address.js
check_rules address.html '#/graph' '#/graph?inverted=1'
tap_done
