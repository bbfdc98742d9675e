#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --libraries=show: a library's functions on call stacks have the names that its file has for their addresses, as nm and
# readelf read it; one that is gone, or is another than was loaded, has none. Nothing is in another function's line.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# library FILE UNITS: with a function that other files see, two that only nm does, and one whose work is UNITS.
library() {
	cat >shown.c <<-END_OF_C
		static volatile unsigned sink;
		#define WORK(n) for (unsigned i = 0; i < (n); i++) sink = sink * 5 + i
		__attribute__((noinline)) static void inner(void) { WORK(40000); }
		__attribute__((noinline)) static void other(void) { WORK($2); }
		void outer(void) { WORK(20000); inner(); other(); }
		void single(void) { WORK(30000); }
	END_OF_C
	"$CC" -O1 -fPIC -shared -Wl,--build-id="${3:-sha1}" -o "$1" shown.c
}

# functions HOW OPTION...: "INCLUSIVE SELF NAME" of those of the library, and whatever gprof says in err.
functions() {
	how=$1
	shift
	"$GPROF" -b --inclusive --libraries="$how" "$@" 2>err | awk '/shown\.so/ && / time / == 0 { print $2, $3, $NF }' | sort -k3
}

# by_address SYMBOLS: the same from the file itself, of the functions "ADDRESS NAME" in SYMBOLS: ticks of a hundredth
# of a second, by address and stack.
by_address() {
	python3 - gmon.out.ext "$1" <<-'END_OF_PYTHON' | sort -k3
		import bisect, struct, sys
		data = open(sys.argv[1], "rb").read()
		part = {}
		for i in range(struct.unpack_from("=I", data, 20)[0]):
		    tag, size, at, n = struct.unpack_from("=4sIQQ", data, 40 + 24 * i)
		    part[tag.decode()] = (size, at, n)
		def records(tag, form):
		    size, at, n = part[tag]
		    return [struct.unpack_from("=" + form, data, at + size * i) for i in range(n)]
		def string(offset):
		    start = part["STRS"][1] + offset
		    return data[start:data.index(b"\0", start)].decode()
		paths = [string(m[4]) for m in records("MODS", "QQQQIBBHQQIQ")]
		nodes = records("NODE", "IIQ")
		functions = sorted((int(a, 16), name) for a, name in (line.split() for line in open(sys.argv[2])))
		starts = [f[0] for f in functions]
		def name(node):
		    parent, module, address = nodes[node]
		    if module == 0xffffffff or not paths[module].endswith("/shown.so"):
		        return None
		    k = bisect.bisect_right(starts, address) - 1
		    return functions[k][1] if k >= 0 else "[shown.so]"
		inclusive, own = {}, {}
		for node, thread, kind, quality, ticks in records("SAMP", "IIIIQ"):
		    first, seen = True, set()
		    while node != 0xffffffff:
		        function = name(node)
		        seen.add(function)
		        if first:
		            own[function] = own.get(function, 0) + ticks
		        first, node = False, nodes[node][0]
		    for function in seen:
		        inclusive[function] = inclusive.get(function, 0) + ticks
		for function in inclusive:
		    if function:
		        print("%.2f %.2f %s" % (inclusive[function] / 100, own.get(function, 0) / 100, function))
	END_OF_PYTHON
}

# says_whole NOTE: the library is one function, with its time, and one line says why.
says_whole() {
	functions object >whole
	functions show >got
	[ "$(cut -d ' ' -f 3 got)" = '[shown.so]' ] && cmp -s got whole && [ "$(wc -l <err)" = 1 ] &&
		grep -q "/shown\.so: $1, so its functions have no names$" err
}

make_scratch
cd "$scratch" || exit 99
command -v python3 >/dev/null || tap_skip_all 'no python3: install Debian package python3'
library shown.so 60000 || tap_skip_all 'no shared library can be made'
cat >main.c <<-END_OF_C
	void outer(void), single(void);
	int main(void) { for (int i = 0; i < 8000; i++) { outer(); single(); } return 0; }
END_OF_C
"$CC" -O1 -g -pg -o a.out main.c "$archive" ./shown.so -Wl,-rpath,. >log 2>&1 || tap_skip_all "$(head -n 1 log)"
cp shown.so loaded.so
GMON=stacks,verbose
run ./a.out
[ -f gmon.out.ext ] || tap_skip_all 'no call stacks here'
cp err recorded

nm loaded.so | awk '$2 ~ /^[tT]$/ && $3 !~ /^[_.]/ { print $1, $3 "@shown.so" }' >symbols
by_address symbols >wanted
expect 'the library was sampled, in four functions' '[ "$(grep -c @shown.so wanted)" = 4 ]'
functions show >got
same 'with .symtab: each function has the time of its addresses' got wanted
expect 'with .symtab: nothing is said' fails grep -q shown.so err

strip shown.so
nm -D shown.so | awk '$2 == "T" { print $1, $3 "@shown.so" }' >dynamic
readelf --debug-dump=frames shown.so | sed -n 's/.* FDE .*pc=\([0-9a-f]*\)\.\..*/\1/p' |
	while read -r address; do
		grep "^$address " dynamic || echo "$address [shown.so+0x$(echo "$address" | sed 's/^0*//')]"
	done >symbols
by_address symbols >wanted
expect 'stripped: two functions have names, two addresses' \
	'[ "$(grep -c "@shown.so" wanted)" = 2 ] && [ "$(grep -c "+0x" wanted)" = 2 ]'
functions show >got
same 'stripped: each function has the time of its addresses' got wanted

library shown.so 60001
expect 'another build: one function, and a line says so' says_whole 'is not the file that was loaded'
rm shown.so
expect 'no file: one function, and a line says so' says_whole 'cannot be read'
mkdir -p "root/$PWD" "path/root"
cp loaded.so "root/$PWD/shown.so"
functions show --sysroot=root >got
expect '--sysroot: the file below it is read' '[ "$(grep -c @shown.so got)" = 4 ] && fails grep -q shown.so err'
cp loaded.so path/shown.so
functions show --object-path=none:path >got
expect '--object-path: a file of the name is read' '[ "$(grep -c @shown.so got)" = 4 ] && fails grep -q shown.so err'
library "root/$PWD/shown.so" 60001
functions show --sysroot=root --object-path=path >got
expect '--object-path: a build that fits is taken, not another' \
	'[ "$(grep -c @shown.so got)" = 4 ] && fails grep -q shown.so err'
functions show --sysroot=root >got
expect '--sysroot: another build is not read' \
	'[ "$(cat got | cut -d " " -f 3)" = "[shown.so]" ] && grep -q "warning: root.*is not the file that was loaded" err'
"$GPROF" -b --inclusive --libraries=show --names=plain --object-path=path 2>err |
	awk '$NF ~ /^(inner|other|outer|single)(@|$)/ { print $NF }' | sort >got
expect '--names=plain: no suffix' '[ "$(tr "\n" " " <got)" = "inner other outer single " ]'
cp loaded.so shown.so
functions show >got
expect 'the file is back: its names are, too' '[ "$(grep -c @shown.so got)" = 4 ]'

library shown.so 60000 none
run ./a.out
functions show >got
expect 'no build id: the file that was loaded is known by its size' '[ "$(grep -c @shown.so got)" = 4 ]'
echo >>shown.so
expect 'no build id, another size: one function, and a line says so' says_whole 'is not the file that was loaded'

# Of a program and a library without symbols, the first screen names the nearest functions that have a name.
library shown.so 60000
cat >main.c <<-END_OF_C
	void outer(void), single(void);
	__attribute__((noinline)) static void loop(void) { for (int i = 0; i < 3000; i++) { outer(); single(); } }
	void run(void) { loop(); __asm__ volatile(""); }
	int main(void) { run(); return 0; }
END_OF_C
"$CC" -O1 -rdynamic -o bare main.c ./shown.so -Wl,-rpath,. && strip bare shown.so
unset GMON
COLUMNS=100 run "$GPROF" -o - --run ./bare
expect 'who called functions without names' '[ "$(grep -c "\[shown\.so+0x.* 100 run > outer$" out)" = 2 ]'
expect 'and on whose path they are' 'grep -q "^ 100\.0  run$" out && ! sed -n "/where it goes/,/function/p" out | grep -q "bare+0x"'
cd "$builddir" || exit 99
tap_done
