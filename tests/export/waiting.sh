#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: csv flamegraph folded json markdown pprof webpage
#
# Waiting beside CPU time, waiting alone, and events, in exports: sums are those of the data, in the unit that is said,
# and nobody takes one for the other.
# shellcheck disable=SC2016,SC2094,SC2317 # conditions are evaluated later; format folded is no file of that name
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

export_of() {
	"$GPROF" --export="$1" -o - ${2:+"$2"} 2>>err
}

# counts WHAT GOT WANTED
counts() {
	expect "$1" [ "$2" = "$3" ]
}

# The sum of what is behind lines.
sum() {
	awk '{ n += $NF } END { printf "%.0f", n }'
}

make_scratch
cd "$scratch" || exit 99
make_golden waiting

# 60 samples of 10 ms, 5 s of waiting, and 3.9 s of an idle thread; 507 page faults.
export_of folded >folded
counts 'paths have both times' "$(sum <folded)" 5600000000
counts 'paths of waiting end in the system call' "$(grep 'waiting' folded | sum)" 5000000000
counts 'waiting alone' "$(export_of folded --clock=off | sum)" 5000000000
counts 'CPU time alone' "$(export_of folded --clock=cpu | sum)" 600000000
counts 'with the idle thread' "$(export_of folded --thread-view=all | sum)" 9500000000
counts 'events' "$(export_of folded --clock=page-faults | sum)" 507
expect 'events that nobody asked for are told' '
	"$GPROF" -b -p 2>&1 >/dev/null | grep -q "note: page-faults were recorded, too: --clock=page-faults shows them" &&
	[ "$("$GPROF" -b -p --clock=cpu 2>&1 >/dev/null | grep -c "too:")" = 0 ]'
counts 'samples are of CPU time' "$(export_of folded,count=samples | sum)" 60

export_of csv >csv
counts 'csv: a column at the end' "$(head -n 1 csv | sed 's/.*,//')" 'waiting (s)'
counts 'csv: what a function waited, with what it called' "$(sed -n 's/^"read_record".*,//p' csv)" 3.000000000
counts 'csv: and without it none' "$(export_of csv --clock=cpu | grep -c waiting)" 0
counts 'csv: the unit of events' "$(export_of csv --clock=page-faults | head -n 1 | cut -d , -f 2)" 'self (page-faults)'
counts 'csv: events are no samples, with no error' \
	"$(export_of csv --clock=page-faults | awk -F , '$2 == 500 { print $5 }')" 0

export_of json >json
expect 'json: waiting in all' grep -q '"totals":{"time":600000000,"samples":60,"waiting":5000000000,' json
expect 'json: and of a function' grep -q '"name":"main",.*"inclusive":400000000,"waiting":3300000000,' json
expect 'json: and of a thread, with its life' grep -q '"tid":10,"cpu_ns":400000000,"samples":40,"time":400000000,"waiting":3500000000,"runnable_ns":100000000,"life_ns":4000000000' json
counts 'json: nothing of errors that are not known' "$(grep -c waiting_error json)" 0
expect 'json: says what clock it is' 'export_of json --clock=off | grep -q "\"clock\":\"off-cpu\""'

expect 'markdown: a column' 'export_of markdown | grep -q "^| 0.100 | 16.7 | 0.400 | 3.000 | 10 | .read_record. |"'

export_of pprof | gunzip | "$TOOLS/pprofdump" >pprof
expect 'pprof: a type of samples' grep -qx 'type off-cpu nanoseconds' pprof
counts 'pprof: of all' "$(sed -n 's/^total //p' pprof)" '60 20 600000000 5000000000'
export_of pprof --clock=off | gunzip | "$TOOLS/pprofdump" >pprof
expect 'pprof: waiting alone by its name' grep -qx 'default off-cpu' pprof
export_of pprof --clock=page-faults | gunzip | "$TOOLS/pprofdump" >pprof
expect 'pprof: events by theirs' grep -qx 'type page-faults count' pprof
counts 'pprof: of all of these' "$(sed -n 's/^total //p' pprof)" '507 20'

export_of flamegraph >svg
counts 'flame graph: a legend' "$(grep -c 'waiting, for most of its time</text>' svg)" 1
expect 'flame graph: colours of waiting' 'grep -q "class=\"w[0-3]\"><title>\[waiting: epoll_pwait2\]" svg'
expect 'flame graph: and of CPU time' 'grep -q "class=\"c[0-9]*\"><title>parse" svg'
export_of flamegraph --clock=cpu >cpu.svg
counts 'flame graph: without waiting as ever' "$(grep -c 'class="w[0-3]\|waiting' cpu.svg)" 0

# check_events DIMENSION TICKS ABBREVIATION: an event's data file of its own: what was counted has no error, and is no time.
check_events() {
	make_profile <<-END
		text 0x401000 0x60
		sym main 0x401000
		sym work 0x401020
		sym leaf 0x401040
		profile
		hist 0x401000 0x401060 24 1 $1 $3
		$2
		arc main work 4
	END
}

check_events page-faults 'tick work 9' p
expect 'own file, csv: no error' '
	[ "$(export_of csv | sed -n "s/^\"work\",//p" | cut -d , -f 1-4)" = 9,0,9,0 ]'
expect 'own file, json: no error' 'export_of json | grep -q "\"name\":\"work\",.*\"samples\":9,\"error\":0,"'
expect 'own file, --top: no error, and few are none too few' '
	"$GPROF" --top >said && grep -q "^9.00 page-faults, 4 calls$" said && fails grep -q "+-\|few-samples" said'
expect 'own file, --confidence: they have no intervals' '
	"$GPROF" -b -p --confidence >said && grep -q "^These are counts, not samples of time: they have no intervals.$" said'
expect 'own file, --explain' '"$GPROF" --explain | grep -q "^profile: gmon.out: 9 page-faults, 1 arc"'
export_of webpage >page
expect 'own file, page: exact' 'grep -q "\"timed\":0,.*\"exact\":1,\"counts\":\"page-faults\"" page'
check_events Mcycles 'tick work 9' c
expect 'of a million each, they are samples' '
	[ "$(export_of csv | sed -n "s/^\"work\",//p" | cut -d , -f 1-4)" = 9,0,9,3 ]'
check_events page-faults "$(for at in 0 4 8 12; do printf 'tick work+%d 200\ntick leaf+%d 400\n' $at $at; done; echo tick work+16 100)" P
expect 'a capital: every so many are a sample, by --top' '
	"$GPROF" --top >said && grep -q "^2500.00 page-faults, 2500 samples (shares good to +-18.2 %), 4 calls$" said'
expect 'by --confidence, as many as all ticks are multiples of' '
	"$GPROF" -b -p --confidence >said && grep -q "; 95 % intervals of sampling, of which one counts 100 times\.$" said'
export_of webpage >page
expect 'by the page' 'grep -q "\"timed\":0,.*\"exact\":0,\"counts\":\"page-faults\"" page'
sed 's/ page-faults p$/ page-faults P/' "$srcdir/tests/golden/waiting.profile" >sampled.profile
make_profile sampled.profile
expect 'and so with call stacks' '
	"$GPROF" -b --inclusive --clock=page-faults --confidence >said && grep -q " 95 % intervals of sampling\.$" said'
check_events page-faults '' p
expect 'own file without any: it says what is missing, and of no time' '
	"$GPROF" -b -p 2>&1 >/dev/null | grep -q "4 calls, but no page-faults: the program.s own code had none"'
make_golden waiting

export_of webpage >page
expect 'page: waiting of functions and paths' 'grep -q "^\"waiting\":\[" page && grep -q "^\"frameWaits\":\[" page'
expect 'page: without errors that nobody knows' '! grep -q "^\"waitingDeviation\"" page'
expect 'page: of all' 'grep -q "\"allTime\":5600000000,\"totalWaiting\":5000000000" page'

# 2 s and 0.5 s of one thread, by looks of 0.05 s: 1.25e11 squares in all, of which a fifth and the rest give 0.141 s.
make_golden waiting-error
export_of csv >csv
counts 'csv: the error of waiting' "$(sed -n 's/^"\(flush\|worker\)".*"[a-z]*",//p' csv | paste -s -d ' ')" \
	'0.500000000,0.141421356 1.500000000,0.000000000'
expect 'json: the same' 'export_of json | grep -q "\"name\":\"flush\",.*\"waiting\":500000000,\"waiting_error\":141421356,"'
expect 'markdown: at 95 %' 'export_of markdown | grep -q "^| 0.000 | 0.0 | 0.000 | 0.500 | 0.277 | .flush. |"'
expect 'page: the same' 'export_of webpage | grep -q "^\"waitingDeviation\":\[.*141421356"'
make_golden blame
export_of json >blame
expect 'json: who waited for whom, and for which lock' '
	grep -q "^{\"holder\":{\"function\":\"flush\"},\"waiter\":{\"function\":\"audit\"},\"lock\":\"ledger+0x20\",\"waited_ns\":500000000}" blame &&
	grep -q "\"first_waited_in\":{\"function\":\"serve\"},\"locks\":2,\"waited_ns\":660000000}" blame &&
	grep -q "\"first_waited_in\":{\"function\":\"audit\"},\"locks\":1,\"lock_address\":\"0x7f003000\",\"waited_ns\":40000000}" blame'
expect 'json: deadlocks' '
	grep -q "^{\"waiter\":{\"function\":\"audit\"},\"lock\":\"journal\",\"holder\":{\"function\":\"serve\"}}" blame'
tap_done
