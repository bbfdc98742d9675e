#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gprof --run=calls: counts are those that a program has of itself, or marked; what the guards leave alone; what is
# refused; programs do what they do without.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/runtime/calls-lib.sh"

make_scratch
cd "$scratch" || exit 99

for how in "g++ -O2" "g++ -O0" "g++ -O2 -no-pie" "clang++ -O2"; do
	what="called, $how"
	# shellcheck disable=SC2086 # words
	must_build called $how -g -pthread "$programs/called.cc" || continue
	called/a.out alone 1
	run "$GPROF" --export=json -o called.json --run=calls called/a.out truth 2
	calls_counted called.json >counts
	expect "$how: it ends as without" '[ "$status" = 7 ]'
	expect "$how: each function has the calls that it has counted itself, of threads, children, exceptions" \
		'[ -s truth ] && [ -z "$(calls_wrong truth counts)" ] && grep -q "^called_leaf = [0-9]*$" counts'
	calls_wrong truth counts | sed 's/^/# /'
	expect "$how: what is called by pointer, too, is marked" 'grep -q "^called_mixed >= 320000$" counts'
	expect "$how: what is called by pointer alone is not counted" 'grep -q "^called_worker >= 0$" counts'
done
"$GPROF" -b -p -o flat --run=calls called/a.out truth 2>err
expect 'reports mark it' 'grep -q " >=160000 .*called_mixed$" flat && grep -q "note: calls: counted at [0-9.]* % of the call sites" err'

# -fno-plt makes of a function that only calls another object's a single jump, as PLT entries have it.
echo '#include <stdio.h>
__attribute__((noinline, noclone)) int told(const char *s) { return puts(s); }
int main(void) { for (int i = 0; i < 5; i++) told(""); return 0; }' >wrapper.c
what='a function of one jump'
mkdir -p wrapper
if must_build wrapper "$CC" -O2 -fno-plt ../wrapper.c; then
	run "$GPROF" --export=json -o wrapper.json --run=calls wrapper/a.out
	calls_counted wrapper.json >counts
	expect "$what has its calls, and so has the one behind" 'grep -q "^told = 5$" counts && grep -q "^puts@.* >= 5$" counts'
fi

# The same program as it counts itself: threads of children count in the child's window from their start.
what="called, -pg"
if must_build counting g++ -O2 -pg -pthread "$programs/called.cc"; then
	run "$GPROF" --export=json -o counting.json --run counting/a.out truth 2
	calls_counted counting.json >counts
	expect 'with -pg, --run has all calls of threads of children' '[ -s truth ] && [ -z "$(calls_wrong truth counts)" ]'
	calls_wrong truth counts | sed 's/^/# /'
fi

# The guards.
what=uncounted
if must_build uncounted "$CC" -O1 "$programs/uncounted.c" "$programs/uncounted.S"; then
	run "$GPROF" --export=json -o uncounted.json --run=calls,keep=kept uncounted/a.out
	calls_counted uncounted.json | grep '^target_' | sort >counts
	expect 'code that is left alone runs as without' '[ "$status" = 4 ]'
	for target in bare cut data named overlap part pointed short table; do
		expect "a function that may be called from such code is marked: $target" \
			'grep -q "^target_$target >= 1[0-9]$" counts || grep -q "^target_$target >= 20$" counts'
	done
	expect 'others are exact, also where there are prefixes' \
		'grep -q "^target_sure = 10$" counts && grep -q "^target_locked = 20$" counts && grep -q "^target_prefixed = 30$" counts'
	"$GPROF" -b -q uncounted/a.out kept >graph 2>err
	expect 'callers are known, also of calls far behind those before' \
		'grep -q "^target_apart = 30$" counts && grep -q " 20/30 .* calls_apart \\[" graph && grep -q " 10/20 .* locks \\[" graph'
	"$TOOLS/extdump" kept.ext >dump
	expect 'six functions are dropped, and said to be' 'grep -q "^site 0 functions [0-9]* dropped 6 " dump'
	"$GPROF" --explain uncounted/a.out kept >explained
	expect '--explain says how many, and why counts lack some' \
		'grep -q "^calls: counted at .* go through pointers; 6 of [0-9]* functions were left alone$" explained &&
		 grep -q "^calls: at least (>=) in [0-9]* functions" explained'
	expect 'that no function of the program counts calls makes it no other program' '! grep -q "belongs to another" explained'
	"$GPROF" -s -o sum uncounted/a.out kept kept
	"$GPROF" --export=json -o sum.json uncounted/a.out sum
	expect 'the sum of two has twice the calls, and the marks' \
		'calls_counted sum.json | grep -q "^target_sure = 20$" && calls_counted sum.json | grep -q "^target_bare >= [234]0$"'
fi

# What the loader calls before counting begins, and what that calls: by a tail call, the PLT, and pointers, too.
cat >resolved.c <<-'END'
	#define APART __attribute__((noinline, noipa, aligned(16)))
	static int n;
	APART static int plain(int k) { return k + 1; }
	APART static int told_deep(int k) { return k + ++n; }
	APART static int told_next(int k) { return told_deep(k + 1) + 1; }
	APART static int told_tail(int k) { n++; return told_next(k); }
	APART static int told_not(int k) { return k + 1; }
	APART static int exact(int k) { return k + 1; }
	APART int told_plt(int k) { return k + 2; }
	__attribute__((noinline, noipa, used)) static int (*target_resolve(void))(int)
	{
		return told_tail(n) ? plain : told_not;
	}
	static int picked(int k) __attribute__((ifunc("target_resolve")));
	APART static int told_pointed(int k) { return told_plt(k) + 1; }
	static int (*volatile pointer)(int) = told_pointed;
	__attribute__((used)) static void target_before(void) { n += CALLS(1); }
	__attribute__((section(".preinit_array"), used)) static void (*const before)(void) = target_before;
	int main(void)
	{
		for (int i = 0; i < 5; i++)
			n += told_tail(i) + told_next(i) + told_deep(i) + told_not(i) + told_plt(i) + picked(i) + exact(i);
		return n < 0 || target_resolve() == told_not;
	}
END
for calls in calls calls=entries; do
	for pointer in told_not pointer; do
		mkdir -p resolved
		what="$calls, $pointer"
		must_build resolved "$CC" -O1 -rdynamic "-DCALLS=$pointer" ../resolved.c || continue
		run "$GPROF" --export=json -o resolved.json --run="$calls" resolved/a.out
		calls_counted resolved.json >counts
		sed -n '/ to[l]d_/s/^/# /p' counts
		expect "$what: functions that the loader calls, and what they call, are marked" \
			'[ "$status" = 0 ] && grep -Eq "^(target_resolve|picked) >= 1$" counts && grep -q "^told_tail >= 6$" counts &&
			 grep -q "^told_next >= 11$" counts && grep -q "^told_deep >= 16$" counts'
		case $pointer in
		told_not) expect "$what: of these, also what runs before constructors" 'grep -q "^told_not >= 5$" counts' ;;
		*) expect "$what: so is what is called by pointer then" 'grep -q "^told_plt >= 5$" counts' ;;
		esac
	done
	expect "$calls: others are exact" 'grep -q "^exact = 5$" counts'
done

# Constructors of libraries may call the program, also of those that do not begin the counting.
cat >begins.c <<-'END'
	#define APART __attribute__((noinline, noipa, aligned(16)))
	#ifdef LIBRARY
	int told(int);
	__attribute__((constructor)) static void begin(void) { told(1); }
	int used(int k) { return k; }
	#else
	static int n;
	int used(int);
	APART static int deep(int k) { return k + ++n; }
	APART int told(int k) { return deep(k) + 1; }
	APART static int exact(int k) { return k + 1; }
	int main(void) { for (int i = 0; i < 5; i++) told(i); return used(exact(-1)); }
	#endif
END
mkdir -p begins
for start in -g -nostartfiles; do
	what="called by constructors, $start"
	"$CC" -O1 -shared -fPIC $start -DLIBRARY -Wl,-soname,libbegins.so -o libbegins.so begins.c || exit 99
	must_build begins "$CC" -O1 -rdynamic ../begins.c -Wl,-rpath,"$scratch" ../libbegins.so || continue
	run "$GPROF" --export=json -o begins.json --run=calls begins/a.out
	calls_counted begins.json >counts
	case $start in
	-g) expect "$what: these calls are counted" 'grep -q "^deep = 6$" counts' ;;
	*) expect "$what: functions are marked, others exact" 'grep -q "^deep >= 5$" counts && grep -q "^exact = 1$" counts' ;;
	esac
done

# What is refused, and the program runs.
if must_build based "$CC" -O1 -DSETS_BASE "$programs/uncounted.c" "$programs/uncounted.S"; then
	run "$GPROF" -b -p -o out --run=calls based/a.out
	expect 'a program that sets the base of thread-local storage is not counted, and said to be' \
		'[ "$status" = 4 ] && [ "$(grep -c "^libgmon: calls are not counted, since it sets" err)" = 1 ]'
fi
if must_build profiled "$CC" -O1 -pg "$programs/plain.c" -pthread; then
	run "$GPROF" -b -p -o out --run=calls profiled/a.out 10
	expect 'a program that counts its calls itself is left to do that' 'grep -q "built with -pg" err && grep -q " 2 .* work$" out'
fi
run env GMON=calls LD_PRELOAD="$builddir/libgmon.so" GMON=run,calls,file=x true
expect 'without gprof --run nothing is counted, and that is said' '[ "$status" = 0 ] && grep -q "calls: only gprof --run counts them" err'
run "$GPROF" --run=calls=all true
expect 'a wrong word is an error' '[ "$status" = 1 ] && grep -q "calls" err'

# Nothing without the key: no code is changed, no page of it is private.
cat >dirty.c <<-'END'
	#include <stdio.h>
	#include <string.h>
	int main(void)
	{
		char line[500];
		long private = 0, n;
		int code = 0;
		FILE *maps = fopen("/proc/self/smaps", "r");
		while (fgets(line, sizeof line, maps)) {
			if (strstr(line, " r-xp "))
				code = strstr(line, "a.out") != NULL;
			else if (strchr(line, '-') && strchr(line, ' ') - strchr(line, '-') > 8)
				code = 0;
			if (code && sscanf(line, "Anonymous: %ld", &n) == 1)
				private += n;
		}
		return printf("%ld\n", private) < 0;
	}
END
mkdir dirty
if must_build dirty "$CC" ../dirty.c; then
	"$GPROF" -b -p -o /dev/null --run dirty/a.out >without 2>err
	"$GPROF" -b -p -o /dev/null --run=calls dirty/a.out >with 2>err
	expect 'without the key, not one page of the code is changed' '[ "$(cat without)" = 0 ] && [ "$(cat with)" -gt 0 ]'
fi

# The libraries.
cat >uses.c <<-'END'
	#include <stdio.h>
	#include <zlib.h>
	int main(int argc, char **argv)
	{
		static unsigned char large[1 << 20];
		unsigned long sum = 0;
		(void)argv;
		for (int i = 0; i < 1000; i++)
			sum = crc32(sum, (const unsigned char *)"twelve bytes", 12);
		for (int i = 0; argc > 1 && i < 400; i++)
			sum = crc32(sum, large, sizeof(large));
		return printf("%lu\n", sum) < 0;
	}
END
if must_build uses "$CC" ../uses.c -lz; then
	run "$GPROF" -b -p -o out --run=calls=libs uses/a.out
	expect 'calls of libraries are counted, and those inside them' 'grep -q " >=1000 .* crc32@libz" out'
	expect 'and that other objects may have called these, is marked' '! grep -q "  1000  .* crc32@libz" out'
	"$GPROF" --run=calls uses/a.out long >screen 2>&1
	expect 'where a library has the time, the screen says how to count its calls' 'grep -q ", none in libz: --run=calls=libs" screen'
	"$GPROF" --run=calls=libs uses/a.out long >screen 2>&1
	expect 'and not if they are counted' 'grep -q " calls (" screen && ! grep -q "none in" screen'
fi

# Other lengths than objdump's, in the C library's code.
libc=$(ldd /bin/sh | sed -n 's/.* => \(.*libc\.so[^ ]*\) .*/\1/p')
if [ -n "$libc" ] && command -v objdump >/dev/null; then
	objdump -d -w "$libc" | "$TOOLS/lengths" >lengths
	expect "the C library's instructions have the lengths that objdump finds: $(cat lengths)" 'grep -q " instructions, 0 lengths differ, 0 unknown$" lengths'
else
	tap_skip 'lengths of instructions' 'no objdump'
fi

# Stock programs: the same output and status.
alike() {
	cp "$srcdir/src/report/callgraph.c" input.c
	sh -c "$1" >alone 2>alone.err
	alone=$?
	"$GPROF" -o /dev/null --run=calls=libs sh -c "$1" >out 2>err
	status=$?
	expect "as without: $1" '[ "$status" = "$alone" ] && cmp -s alone out'
}
alike 'sort input.c | uniq -c | sort -rn'
alike 'sed s/a/b/g input.c | grep -c b'
alike 'awk "{ n += NF } END { print n; exit 3 }" input.c'
alike 'tar cf - --mtime=@0 input.c | gzip -nc | wc -c'
alike "\"$CC\" -E -dM -x c /dev/null | sort"
alike 'for i in 1 2 3; do (exit $i) || echo $?; done; kill -9 $$'
alike 'perl -e "print join q(,), map { \$_ * \$_ } 1 .. 1000; exit 5"'
tap_done
