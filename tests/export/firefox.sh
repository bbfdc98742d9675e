#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: firefox
#
# --export=firefox: the tables are as the form of the Firefox Profiler wants them, refer to what is there, and add up
# to the flat profile and, with call stacks, to --inclusive, by thread. The page itself is in no distribution, so a
# reader of our own (python3) has its rules.
# shellcheck disable=SC2317 # functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

# Prints "thread NAME TID", "weight MILLISECONDS", and of each function "NAME MILLISECONDS" with all it calls.
make_reader() {
	cat >reader.py <<-'END'
		import json, sys
		p = json.load(sys.stdin)
		columns = {
		    "samples": "stack time weight", "stackTable": "prefix frame",
		    "frameTable": "address inlineDepth category subcategory func nativeSymbol innerWindowID line column",
		    "funcTable": "name isJS relevantForJS resource fileName lineNumber columnNumber",
		    "resourceTable": "lib name host type", "nativeSymbols": "libIndex address name functionSize",
		    "markers": "data name startTime endTime phase category",
		}
		m = p["meta"]
		assert m["preprocessedProfileVersion"] == 49 and m["version"] == 28 and m["interval"] > 0 and m["markerSchema"] == []
		assert [c["name"] for c in m["categories"] if c["color"] == "grey"] and m["startTime"] == 0
		assert all("Other" in c["subcategories"] for c in m["categories"]) and m["initialSelectedThreads"] == [0]
		assert p["pages"] == p["counters"] == p["profilerOverhead"] == []
		for lib in p["libs"]:
		    assert len(lib["breakpadId"]) == 33 and int(lib["breakpadId"], 16) >= 0
		    assert set(lib) == {"arch", "name", "path", "debugName", "debugPath", "breakpadId", "codeId"}
		    print("lib", lib["name"], lib["breakpadId"], lib["codeId"])
		for t in p["threads"]:
		    for name, of in columns.items():
		        assert set(t[name]) - {"length", "weightType"} == set(of.split()), name
		        assert all(len(t[name][c]) == t[name]["length"] for c in of.split()), name
		    strings, stacks, frames, funcs = t["stringArray"], t["stackTable"], t["frameTable"], t["funcTable"]
		    assert len(set(strings)) == len(strings) and t["pid"] == "1" and t["pausedRanges"] == []
		    assert all(a is None or a < i for i, a in enumerate(stacks["prefix"]))
		    assert all(0 <= f < funcs["length"] for f in frames["func"])
		    assert all(-1 <= r < t["resourceTable"]["length"] for r in funcs["resource"])
		    assert all(0 <= lib < len(p["libs"]) for lib in t["resourceTable"]["lib"])
		    assert t["samples"]["time"] == sorted(t["samples"]["time"])
		    for i, depth in enumerate(frames["inlineDepth"]):
		        assert depth == 0 or (frames["inlineDepth"][i - 1] == depth - 1 and frames["address"][i - 1] == frames["address"][i])
		    print("thread", t["name"], t["tid"], t["isMainThread"])
		    total = {}
		    for stack, weight in zip(t["samples"]["stack"], t["samples"]["weight"]):
		        seen = set()
		        while stack is not None:
		            seen.add(strings[funcs["name"][frames["func"][stacks["frame"][stack]]]])
		            stack = stacks["prefix"][stack]
		        for name in seen:
		            total[name] = total.get(name, 0) + weight
		    print("weight", round(sum(t["samples"]["weight"]), 6), t["samples"]["weightType"])
		    for name in sorted(total):
		        if total[name]:
		            print("function", round(total[name], 3), name)
		    for i in range(frames["length"]):
		        f = frames["func"][i]
		        print("frame", frames["address"][i], frames["inlineDepth"][i], strings[funcs["name"][f]], frames["line"][i])
	END
}

# read_export: what the reader says, in `said'.
read_export() {
	"$GPROF" --export=firefox -o export.json 2>err && python3 reader.py <export.json >said 2>>err
}

check_golden() {
	for name in $(golden_names); do
		make_golden "$name"
		# shellcheck disable=SC2046 # words
		set -- $(golden_totals "$name")
		[ "$1" != 0 ] || continue # calls alone
		read_export
		wanted=$(awk -v ns="$3" -v n="$1" 'BEGIN { print "weight", ns == "" ? n : ns / 1e6 }')
		expect "$name: $wanted" [ "$(awk '/^weight/ { print $1, $2 + 0 }' said)" = "$wanted" ]
	done
}

check_stacks() {
	make_golden stacks
	read_export
	expect 'the main thread' said_line 'thread prog 100 True'
	expect 'another' said_line 'thread worker 101 False'
	expect 'an object' grep -q '^lib libm.so.6 0* None$' said
	for thread in 100 101; do
		"$GPROF" -b --inclusive --thread-view=$thread 2>err | awk '/^ time / { begun = 1; at = index($0, "  name") + 2; next }
			begun && $2 > 0 { printf "%.0f %s\n", $2 * 1000, substr($0, at) }' | sort >expected
		awk -v tid=$thread '
			/^thread/ { on = $3 == tid }
			on && /^function/ { sub(/^function /, ""); sub(/\.0 /, " "); print }' said |
			sort >inclusive
		expect "thread $thread: the inclusive profile" cmp -s inclusive expected
	done
	make_golden cycles
	read_export
	expect 'the mark' said_line 'thread a.out (estimated from call counts) 1 True'
	make_hostile
	read_export
	expect 'hostile names' grep -q '^function .* {"%n":' said
}

check_program() {
	cat >prog.c <<-END
		static inline unsigned step(unsigned x)
		{
			for (int i = 0; i < 300; i++)
				x = x * 1103515245 + (x % 7);
			return x;
		}
		int main(void)
		{
			unsigned x = 1;
			for (int i = 0; i < 200000; i++)
				x = step(x);
			return x == 42;
		}
	END
	if ! "$CC" -g -O1 -pg -Wl,--build-id=0x00112233445566778899aabbccddeeff00112233 prog.c -o a.out 2>log || ! ./a.out; then
		tap_skip 'lines' "$CC -pg does not work here"
		return
	fi
	read_export
	expect 'the build id, as Breakpad has it' said_line \
		'lib a.out 33221100554477668899AABBCCDDEEFF0 00112233445566778899aabbccddeeff00112233'
	expect 'an inlined function, deeper' grep -q '^frame [0-9]* 1 step 4$' said
	expect 'in the line that calls it' grep -q '^frame [0-9]* 0 main 11$' said
}

make_scratch
cd "$scratch" || exit 99
python3 --version >log 2>&1 || tap_skip_all 'no python3'
make_reader
check_golden
check_stacks
check_program
tap_done
