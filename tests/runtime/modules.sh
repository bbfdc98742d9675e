#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GMON=libs in gmon.out.ext: all calls with the functions at both ends, as nm has them in each object's file, and all
# ticks outside of the program; of libraries that were closed, too, and of none that was in the same place before.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# read_ext FILE: the sections "tag TAG RECORDS", "module FLAGS BUILDID PATH", "arc CALLS CALLER CALLEE" and
# "bin TICKS PLACE", those that are the same added up; CALLER and so on are FUNCTION@OBJECT, or @none, @[unloaded]. And
# "leaf TICKS PLACE", of call stacks that end outside of the program. Needs no file but the objects'.
read_ext() {
	python3 - "$1" <<-'END_OF_PYTHON'
		import bisect, os.path, struct, subprocess, sys
		data = open(sys.argv[1], "rb").read()
		part = {}
		for i in range(struct.unpack_from("=I", data, 20)[0]):
		    tag, size, at, n = struct.unpack_from("=4sIQQ", data, 40 + 24 * i)
		    part[tag.decode()] = (size, at, n)
		    print("tag", tag.decode(), n)
		def records(tag, form):
		    size, at, n = part.get(tag, (0, 0, 0))
		    return [struct.unpack_from("=" + form, data, at + size * i) for i in range(n)]
		def string(offset):
		    start = part["STRS"][1] + offset
		    return data[start:data.index(b"\0", start)].decode()
		class Module:
		    def __init__(self, low, high, bias, size, path, nid, flags, zero, *build_id):
		        self.path, self.flags, self.functions = string(path), flags, []
		        print("module", flags, bytes(build_id[:nid]).hex(), self.path)
		        if flags & 10 == 0 and os.path.exists(self.path):
		            nm = subprocess.run(["nm", self.path], capture_output=True, text=True).stdout.split("\n")
		            self.functions = sorted((int(f[0], 16), f[2]) for f in (l.split() for l in nm)
		                                    if len(f) == 3 and f[1] in "tTwW")
		modules = [Module(*m) for m in records("MODS", "QQQQIBBH20B12x")]
		def place(module, address):
		    if module == 0xffffffff:
		        return "@none" if address else "@nowhere"
		    m = modules[module]
		    if m.flags & 8:
		        return "@[unloaded]"
		    k = bisect.bisect_right(m.functions, (address, "~")) - 1
		    return (m.functions[k][1] if k >= 0 else "") + "@" + os.path.basename(m.path)
		sums = {}
		def add(n, *words):
		    key = tuple(words)
		    sums[key] = sums.get(key, 0) + n
		for of, to, caller, callee, n, thread, first in records("ARCS", "IIQQQiI"):
		    if thread != -1 or first != 0:
		        print("bad", thread, first)
		    add(n, "arc", place(of, caller), place(to, callee))
		for module, kind, address, n in records("HIST", "IIQQ"):
		    add(n, "bin", place(module, address))
		nodes = records("NODE", "IIQ")
		for node, thread, kind, quality, n in records("SAMP", "IIIIQ"):
		    module = nodes[node][1]
		    if module == 0xffffffff or not modules[module].flags & 1:
		        add(n, "leaf", place(*nodes[node][1:]))
		for words, n in sorted(sums.items()):
		    print(words[0], n, *words[1:])
	END_OF_PYTHON
}

# arcs_are WHAT FILE LINE...: its calls, but for those of main, are these: "CALLS CALLER CALLEE".
arcs_are() {
	arcs_what=$1
	read_ext "$2" >all
	shift 2
	printf 'arc %s\n' "$@" | sort >wanted
	grep '^arc' all | grep -v ' main@[a-z.]*$' | sort >got
	same "$arcs_what" got wanted
}

# ticks_in PATTERN: of the bins of `all' whose place matches.
ticks_in() {
	awk -v place="$1" '$1 == "bin" && $3 ~ place { sum += $2 } END { print sum + 0 }' all
}

build_programs() {
	# shellcheck disable=SC2086 # words
	"$CC" $flags -o liblinked.so "$programs/liblinked.c" &&
		"$CC" $flags -o libopened.so "$programs/libopened.c" -L. -llinked -Wl,-rpath,. &&
		"$CC" $flags -DLOOPS=1500000 -o libfirst.so "$programs/turned.c" &&
		"$CC" $flags -DLOOPS=4500000 -DSECOND -o libsecond.so "$programs/turned.c" &&
		"$CC" -O0 -g -pg -o turns "$programs/turns.c" "$archive" -ldl &&
		"$CC" -O0 -g -pg -o rest "$programs/rest.c" "$archive" -L. -llinked -Wl,-rpath,. &&
		"$CC" -O0 -g -pg -o a.out "$programs/libraries.c" "$archive" -L. -llinked -Wl,-rpath,. -ldl
}

# run_clean COMMAND...: with no profile of an earlier run.
run_clean() {
	rm -f gmon.*
	run "$@"
}

# The calls of a.out, N times.
all_calls() {
	set -- "$((100 * $1)) main@a.out linked_twice@liblinked.so" "$1 main@a.out linked_calls_back@liblinked.so" \
		"$1 main@a.out linked_work@liblinked.so" "$1 main@a.out use@a.out" "$((30 * $1)) back@a.out linked_leaf@liblinked.so" \
		"$((30 * $1)) linked_calls_back@liblinked.so back@a.out" "$((1000 * $1)) use@a.out opened@libopened.so" \
		"$((2000 * $1)) opened@libopened.so opened_leaf@libopened.so" \
		"$((1000 * $1)) opened@libopened.so linked_twice@liblinked.so" \
		"$((2200 * $1)) linked_twice@liblinked.so linked_leaf@liblinked.so"
	arcs_are "$what" "$file" "$@"
}

flags='-O0 -g -pg -fPIC -shared -Wl,--build-id'
make_scratch
cd "$scratch" || exit 99
command -v python3 >/dev/null || tap_skip_all 'no python3: install Debian package python3'
build_programs >log 2>&1 || tap_skip_all "no -pg libraries can be made: $(sed 's/#//g' log | head -n 1)"

GMON=libs=ext,verbose
run_clean ./a.out
file=gmon.out.ext what='calls between all objects'
all_calls 1
expect 'nearly all ticks are where the work is, and none is in the program' \
	'[ "$(ticks_in "^linked_work@")" -ge 5 ] && [ "$(ticks_in "@a.out$")" = 0 ]'
outside=$(sed -n 's/.* ticks in the program and \([0-9]*\) outside .*/\1/p' err)
expect 'all ticks are there' '[ "$(ticks_in .)" = "$outside" ]'
expect 'no stacks, and no sections of them' '[ "$(sed -n "s/^tag \([A-Z]*\).*/\1/p" all | tr "\n" " ")" = "STRS MODS KIND ARCS HIST " ]'
expect 'libs=ext: no profiles of libraries' '[ "$(count_files gmon.*)" = 2 ]'
for object in a.out liblinked.so libopened.so; do
	id=$(readelf -n $object | sed -n 's/.*Build ID: //p')
	expect "$object: build id" 'grep -q "^module [01] $id $PWD/\(\./\)\{0,1\}$object$" all'
done

# The same program, with and without.
GMON=rate=1
run_clean ./a.out close
"${SYSTEM_GPROF:-$GPROF}" -b -q -p a.out gmon.out >before 2>&1
GMON=libs=ext,rate=1
run_clean ./a.out close
"${SYSTEM_GPROF:-$GPROF}" -b -q -p a.out gmon.out >after 2>&1
same "gmon.out is what it was, to $("${SYSTEM_GPROF:-$GPROF}" --version | head -n 1)" after before
GMON=libs
run_clean ./a.out
what='libs: the same, and profiles of libraries' all_calls 1
expect 'libs: profiles of libraries' '[ -f gmon.out.liblinked.so ] && [ -f gmon.out.libopened.so ]'
cp gmon.out first
cp gmon.out.ext first.ext
run_clean ./a.out
cp gmon.out second
cp gmon.out.ext second.ext
"$GPROF" -s a.out first second >out 2>err
file=gmon.sum.ext what='-s adds them up' all_calls 2
expect '-s says nothing' '[ ! -s err ]'
"$GPROF" -i a.out gmon.sum >out 2>err
expect '-i says how many there are' \
	'grep -q "the sum of 2 recordings with libraries, and 0 without$" out && grep -q "	12728 calls, [0-9]* ticks outside the program$" out'
# shellcheck disable=SC2086 # words
"$CC" $flags -DNEW -o liblinked.so -x c - <"$programs/liblinked.c" -Wl,-z,now
run_clean ./a.out
"$GPROF" -s a.out gmon.out first >out 2>err
expect 'another build of a library: a warning' \
	'[ "$(wc -l <err)" = 1 ] && grep -q "warning: $PWD/./liblinked.so: the data come from several builds of it" err'

GMON=libs=ext,stacks,verbose
run_clean ./a.out
if grep -q '^libgmon: call stacks: ' err; then
	file=gmon.out.ext what='with stacks: the same calls' all_calls 1
	expect 'with stacks: all sections' \
		'[ "$(sed -n "s/^tag \([A-Z]*\).*/\1/p" all | tr "\n" " ")" = "STRS MODS THRD KIND NODE SAMP ARCS HIST " ]'
	sed -n 's/^leaf //p' all >wanted
	sed -n 's/^bin //p' all >got
	same 'with stacks: ticks are where stacks end' got wanted
else
	tap_skip 'with stacks' 'no call stacks here'
fi

# Ten ticks a second, and 250 looks.
GMON=libs=ext,rate=10
run_clean ./rest
read_ext gmon.out.ext >all
sed -n 's/^bin /# &/p' all
expect 'ticks that no signal has brought are in the library of the newest one' \
	'grep -q "^bin .* linked_work@liblinked.so$" all && ! grep -q "^bin .*@none$" all'

GMON=libs=ext,verbose,rate=1000
run_clean ./turns 100 ./libfirst.so ./libsecond.so
read_ext gmon.out.ext >all
cp out turns.out
cp err turns.err
if ! grep -q '^together$' out || ! ldd --version 2>&1 | awk 'NR == 1 { exit !($NF >= 2.35) }'; then
	tap_skip 'a library in the place of another' 'they have not one place, or the C library has no _dl_find_object()'
else
	sed 's/^/# /' turns.out
	grep '^bin' all | sed 's/^/# /'
	expect 'each was loaded, and is gone' '[ "$(grep -c "^module 4 .*/lib\(first\|second\)\.so$" all)" = 2 ]'
	first=$(ticks_in '@libfirst.so$') second=$(ticks_in '@libsecond.so$')
	expect 'there are ticks in both' '[ "$first" -gt 0 ] && [ "$second" -gt 0 ]'
	expect 'but for few in calls, all are in the function that works there, which has no address in common with the other' \
		'[ "$(ticks_in "^filler@")" = 0 ] && [ "$(ticks_in "^work@lib")" -ge $((first + second - 4)) ]'
	expect 'none is of an unknown library' '[ "$(ticks_in unloaded)" = 0 ]'
	# Kernels send 250 signals a second of CPU time: at rate=1000 each stands for four ticks, and its variance for sixteen.
	awk -v first="$first" -v second="$second" '
		/libfirst/ { a = $2 } /libsecond/ { b = $2 }
		END { p = a / (a + b); n = (first + second) / 4; d = (first / 4 - n * p); exit !(d * d <= 25 * n * p * (1 - p) + 1) }' turns.out
	tap_check $? "each has its share of the time, within 5 sigma"
	# "SAMPLES NAME" of both in the reports, which have hundredths of a second.
	"$GPROF" -b -p --objects turns gmon.out 2>&1 | awk '
		/^Each sample/ { tick = $5 }
		$NF ~ /^(work|filler)@lib(first|second)\.so$/ && $3 > 0 { printf "%.2f %s\n", $3 / tick, $NF }' >rows
	"$GPROF" -b --objects -P -Q turns gmon.out 2>&1 | awk '
		/^Each sample/ { tick = $5 }
		$NF ~ /^lib(first|second)\.so$/ { printf "%.2f %s\n", $2 / tick, $NF }' >list
	printf '%d libfirst.so\n%d libsecond.so\n' "$first" "$second" >wanted
	sed 's/lib/work@lib/' wanted >functions
	# near FILE WANTED: these names, and none but those, with numbers that differ by four at most.
	near() {
		awk 'NR == FNR { n[$2] = $1; next } { seen++; d = $1 - n[$2]; if (!($2 in n) || d > 4 || d < -4) bad = 1 }
			END { exit bad || seen != 2 }' "$2" "$1"
	}
	expect 'in the report no function has time that passed in another which was there before' near rows functions
	expect 'nor has a library in the list of objects' near list wanted
	lost=$(awk '$1 == "arc" && /unloaded/ { sum += $2 } END { print sum + 0 }' all)
	expect 'calls are of neither: both had those addresses' '[ "$lost" = 200 ] && fails grep -q "^arc.*@libfirst\|^arc.*@libsecond" all'
	expect 'a line says so' 'grep -q "^libgmon: 200 calls and 0 ticks belong to \[unloaded\]: " turns.err'
	"$GPROF" --explain turns gmon.out >explained 2>&1
	expect 'and so does --explain' \
		'grep -q "^libraries: [0-9]* samples outside the program; [0-9]* calls in all; 0 samples and 200 calls in \[unloaded\]: " explained'
	expect 'another says that libraries were opened again' 'grep -q "^libgmon: [0-9]* times a library without a record was closed" turns.err'
	run_clean ./turns 100 ./libfirst.so
	arcs_are 'one that is opened again and again keeps its calls' gmon.out.ext '100 turn@turns work@libfirst.so' \
		'100 main@turns turn@turns' '200 turn@turns now_ms@turns'
fi
GMON=libs=ext,rate=1000
run_clean ./turns anonymous
if [ "$status" = 0 ]; then
	arcs_are 'a caller in no object' gmon.out.ext '1000 @none called@turns' '1 main@turns anonymous@turns'
	expect 'ticks in no object' '[ "$(ticks_in "^@none$")" -gt 0 ] && [ "$(ticks_in .)" = "$(ticks_in "^@none$")" ]'
else
	tap_skip 'a caller in no object' 'memory for code that is in no file cannot be had'
fi
GMON=libs=ext
run_clean ./turns fork
child=$(echo gmon.out.[0-9]*.ext)
arcs_are 'fork: calls of the parent' gmon.out.ext '5 call@turns called@turns' '1 main@turns in_child@turns' '1 in_child@turns call@turns'
arcs_are 'fork: calls of the child' "$child" '7 call@turns called@turns' '1 in_child@turns call@turns'
GMON=libs=ext,dump=USR1
run_clean ./turns dump
arcs_are 'a dump has the calls so far' gmon.out.ext '5 call@turns called@turns' '1 main@turns dump@turns' '1 dump@turns call@turns'
GMON=libs=ext,crash
run_clean ./turns die ./libfirst.so
"$GPROF" -s turns gmon.out.live >out 2>err
arcs_are 'a live file has them, too' gmon.sum.ext '5 call@turns called@turns' '50 die@turns work@libfirst.so' \
	'1 die@turns call@turns' '1 main@turns die@turns'
expect 'a live file has ticks of libraries' '[ "$(ticks_in "^work@libfirst")" -gt 0 ] && [ ! -s err ]'
cd "$builddir" || exit 99
tap_done
