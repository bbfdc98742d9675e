#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gprof --run=calls=entries: functions that are called by pointer are counted where they begin, exactly; which are left
# alone; programs do what they do without.
# shellcheck disable=SC2016,SC2034 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/runtime/calls-lib.sh"

make_scratch
cd "$scratch" || exit 99

for how in "g++ -O2" "g++ -O0" "g++ -O2 -no-pie -fcf-protection" "clang++ -O2"; do
	what="called, $how"
	# shellcheck disable=SC2086 # words
	must_build called $how -g -pthread "$programs/called.cc" || continue
	run "$GPROF" --export=json -o called.json --run=calls=entries called/a.out truth 2
	calls_counted called.json >counts
	expect "$how: it ends as without" '[ "$status" = 7 ]'
	expect "$how: each function has the calls that it has counted itself, of threads, children, exceptions" \
		'[ -s truth ] && [ -z "$(calls_wrong truth counts)" ] && grep -q "^called_leaf = [0-9]*$" counts'
	calls_wrong truth counts | sed 's/^/# /'
	case $how in
	# Where there is no prologue, these begin with an instruction that has a lock.
	*-O0) expect "$how: what is called by pointer is exact, too" \
		'grep -q "^called_mixed = 640000$" counts && grep -q "^called_worker = 16$" counts' ;;
	*) expect "$how: what is called by pointer alone is exact, too" 'grep -q "^called_worker = 16$" counts' ;;
	esac
done

# The guards, and what can be moved.
what=entered
if must_build entered "$CC" -O1 -rdynamic "$programs/entered.c" "$programs/entered.S"; then
	run "$GPROF" --export=json -o entered.json --run=calls=entries,keep=entered/kept entered/a.out
	sed 's/^/# /' out
	expect 'code does what it does without' '[ "$status" = 4 ]'
	calls_counted entered.json >counts
	for moved in marked relative tiny jump if registers; do
		n=10
		[ "$moved" != tiny ] || n=20
		expect "a start that can be moved is counted: $moved" 'grep -q "^moved_$moved = $n$" counts'
	done
	"$TOOLS/extdump" entered/kept.ext >dump
	# Bits of enum gmon_ext_partial, from 16 on.
	for function in loop:16 inner:16 jumped:16 called:16 table:16 word:16 switch:16 bare:16 back:16 symbol:16 call:32 fault:32 short:64; do
		address=$(nm entered/a.out | sed -n "s/^0*\([0-9a-f]*\) [tT] kept_${function%:*}$/\1/p")
		reasons=$(sed -n "s/^part 0:0x$address //p" dump)
		expect "a start that must stay does: ${function%:*}" '[ $((reasons / 16 * 16)) = "${function#*:}" ]'
	done
fi

# Calls by slots, of an object that counts them where they begin: each counts once.
cat >slots.c <<-'END'
	#ifdef LIBRARY
	#define APART __attribute__((noinline, noipa, aligned(16)))
	static int n;
	APART int slot_one(int k) { n += k; return n; }
	APART int slot_two(int k) { return slot_one(k + 1) + 1; }
	APART int slot_picked(int k) { n -= k; return n; }
	static int (*slot_resolve(void))(int) { return slot_picked; }
	int slot_which(int k) __attribute__((ifunc("slot_resolve")));
	#else
	int slot_one(int), slot_two(int), slot_which(int);
	int (*volatile pointer)(int) = slot_one;
	int main(void)
	{
		for (int i = 0; i < 10; i++)
			slot_one(i), slot_two(i), pointer(i), slot_which(i);
		return 0;
	}
	#endif
END
"$CC" -O1 -shared -fPIC -DLIBRARY -o libslots.so slots.c || exit 99
for how in -Wl,-z,lazy -Wl,-z,now -fno-plt; do
	mkdir -p slots
	"$CC" -O1 "$how" -o slots/a.out slots.c -Wl,-rpath,"$scratch" ./libslots.so || exit 99
	run "$GPROF" --export=json -o slots.json --run=calls=libs+entries slots/a.out
	calls_counted slots.json | sed 's/@[^ ]*//' >counts
	expect "$how: calls by slots count once" \
		'grep -q "^slot_one = 30$" counts && grep -q "^slot_two = 10$" counts && grep -q "^slot_picked = 10$" counts'
	sed 's/^/# /' counts
done

# Arguments in vector registers of a library that came later, when its pairs are counted for the first time.
cat >doubles.c <<-'END'
	#ifdef LIBRARY
	double sum(double a, double b, double c) { return a + 2 * b + 4 * c; }
	#else
	#include <dlfcn.h>
	int main(int argc, char **argv)
	{
		void *library = dlopen(argv[argc - 1], RTLD_NOW);
		double (*sum)(double, double, double) = library ? (double (*)(double, double, double))dlsym(library, "sum") : 0;
		return sum && sum(1, 2, 3) == 17 ? 3 : 1;
	}
	#endif
END
"$CC" -O0 -shared -fPIC -DLIBRARY -o libdoubles.so doubles.c && "$CC" -O1 -o doubles doubles.c -ldl || exit 99
run "$GPROF" --export=json -o doubles.json --run=calls=libs+entries ./doubles ./libdoubles.so
calls_counted doubles.json >counts
expect 'vector registers are as the caller has them' '[ "$status" = 3 ] && grep -q "^sum[^ ]* = 1$" counts'

# What is said.
if [ -f entered/kept ]; then
	"$GPROF" --explain entered/a.out entered/kept >explained
	expect '--explain says how many are counted where they begin, and why others are not' \
		'grep -q "^calls: counted where they begin: [0-9]* functions; not so: [0-9]* since their first instructions cannot be moved, [0-9]* since something may lead there" explained'
	"$GPROF" -s -o sum entered/a.out entered/kept entered/kept
	"$GPROF" --explain entered/a.out sum >explained
	expect 'a sum has that, too' 'grep -q "^calls: counted where they begin: [0-9]* functions; not so" explained'
fi

for words in entries entries+libs; do
	run "$GPROF" -b -p -o out "--run=calls=$words" sh -c 'echo $((2 + 3)); exit 3'
	expect "calls=$words are words, and a note says so" \
		'[ "$status" = 3 ] && grep -q "note: calls: counted at .* % of the call sites, and where they begin for [0-9]* functions;" err'
done
for words in entries+ entries+all libs+ +libs; do
	run "$GPROF" "--run=calls=$words" true
	expect "calls=$words is an error" '[ "$status" = 1 ] && grep -q "after calls=" err'
done

calls_storms calls=libs+entries
tap_done
