#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gprof --run=calls=libs: libraries that come by dlopen(), the order of first calls, what is refused before main(), and
# storms of what counting could stumble over, with SLOW set (make check-slow) for a minute each.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/runtime/calls-lib.sh"

make_scratch
cd "$scratch" || exit 99

# Libraries that come later.
what=later
if must_build later "$CC" -O1 -pthread "$programs/calls-later.c" -ldl; then
	"$CC" -O1 -shared -fPIC -DNAME=a -Wl,--hash-style=sysv -o later/a.so "$programs/calls-plugin.c" &&
		"$CC" -O1 -shared -fPIC -DNAME=b -o later/b.so "$programs/calls-plugin.c" || exit 99
	echo 'void nothing(void) { }' | "$CC" -O1 -shared -fPIC -o later/empty.so -x c - || exit 99
	run "$GPROF" --export=json -o later.json --run=calls=libs later/a.out later
	sed -i 's/"name":"\([ab]_[a-z]*\)@[^"]*"/"name":"\1"/' later.json
	calls_counted later.json >counts
	expect 'libraries that come, go and come again: it ends as without' '[ "$status" = 6 ]'
	expect 'their calls are exact: of constructors, of threads from before, of children' \
		'[ -s later/truth ] && [ -z "$(calls_wrong later/truth counts)" ] && grep -q "^a_leaf = [0-9]*$" counts && grep -q "^b_step = [0-9]*$" counts'
	calls_wrong later/truth counts | sed 's/^/# /'
	expect 'what other objects may have called is marked, whatever the table of symbols' \
		'! grep -q "^plugin_run[^ ]* = " counts && grep -q "^plugin_run[^ ]* >= " counts'
	expect 'and nothing is said, nor of a library without calls' '! grep -qE "not counted|not all counts" err'
	run "$GPROF" --export=json -o program.json --run=calls later/a.out later
	expect 'without libs they are left alone' '[ "$status" = 6 ] && ! grep -q "not counted" err && ! calls_counted program.json | grep -q "^a_leaf"'
	"$CC" -O1 -shared -fPIC -DNAME=bare -DWITHOUT_CONSTRUCTOR -nostartfiles -o later/bare.so "$programs/calls-plugin.c" || exit 99
	run "$GPROF" -b -p -o out --run=calls=libs later/a.out later
	expect 'one whose start nobody tells is named' \
		'[ "$status" = 6 ] && [ "$(grep -c "^libgmon: calls are not counted, since nobody told of it, in .*bare.so$" err)" = 1 ]'
fi

# Libraries that are there from the start.
what=early
if must_build early "$CC" -O1 -shared -fPIC -DEARLY "$programs/calls-early.c"; then
	mv early/a.out libearly.so
	"$CC" -O1 -o early/program "$programs/calls-early.c" -Wl,-rpath,"$scratch" ./libearly.so || exit 99
	run "$GPROF" --export=json -o early.json --run=calls=libs early/program
	calls_counted early.json >counts
	expect 'what constructors of libraries call is counted' '[ "$status" = 3 ] && grep -q "^early_step[^ ]* = 7$" counts'

	# Before it, one that tells nobody of its start moves the environment to where nothing else can be read.
	cat >moves.c <<-'END'
		#include <stdio.h>
		#include <string.h>
		#include <sys/mman.h>
		#include <unistd.h>
		__attribute__((constructor)) static void move(void)
		{
			long page = sysconf(_SC_PAGESIZE), n = 0;
			char *room = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			while (environ[n])
				n++;
			if (n >= page / (long)sizeof(*environ) || mprotect(room + page, page, PROT_READ | PROT_WRITE))
				_exit(77);
			environ = memcpy(room + page, environ, (n + 1) * sizeof(*environ));
		}
	END
	"$CC" -D_GNU_SOURCE -O1 -shared -fPIC -nostartfiles -o libmoves.so moves.c &&
		"$CC" -O1 -shared -fPIC -DEARLY -o libearly.so "$programs/calls-early.c" -Wl,--no-as-needed,-rpath,"$scratch" ./libmoves.so &&
		"$CC" -O1 -o early/program "$programs/calls-early.c" -Wl,-rpath,"$scratch" ./libearly.so || exit 99
	run "$GPROF" --export=json -o early.json --run=calls=libs early/program
	expect 'an environment that has moved is left alone' '[ "$status" = 3 ]'
fi

# A timer of CPU time that is there from before exec(), beside more call sites than are looked through in its time.
what=timed
cat >many.S <<-'END'
	.text
	.globl many
	.type many, @function
	many:
	.cfi_startproc
	.rept 600000
	call target
	.endr
	ret
	.cfi_endproc
	.size many, . - many
	.type target, @function
	target:
	.cfi_startproc
	ret
	.cfi_endproc
	.size target, . - target
	.section .note.GNU-stack, "", @progbits
END
cat >timed.c <<-'END'
	#include <signal.h>
	#include <sys/time.h>
	#include <unistd.h>
	static void ticked(int signal) { (void)signal; }
	int main(int argc, char **argv)
	{
		struct itimerval often = { { 0, 50000 }, { 0, 50000 } };
		struct sigaction action = { .sa_handler = ticked };
		if (argc > 1)
			return sigaction(SIGPROF, &action, NULL) ? 1 : 3;
		setitimer(ITIMER_PROF, &often, NULL);
		execl(argv[0], argv[0], "again", NULL);
		return 2;
	}
END
mkdir timed
"$CC" -shared -Wl,-soname,libmany.so -o libmany.so many.S || exit 99
if must_build timed "$CC" ../timed.c -Wl,--no-as-needed,-rpath,"$scratch" ../libmany.so; then
	run "$GPROF" -b -p -o out --run=calls=libs timed/a.out
	expect 'it does not run while we look for calls' '[ "$status" = 3 ]'
fi

# Of its 600,000 call sites, which are not called.
what=sized
cat >sized.c <<-'END'
	#include <stdio.h>
	#include <string.h>
	int main(void)
	{
		char line[500], mode[8];
		long stubs = 0, window = 0, n, *of = NULL;
		FILE *maps = fopen("/proc/self/smaps", "r");
		while (fgets(line, sizeof line, maps)) {
			if (sscanf(line, "%*x-%*x %7s", mode) == 1) {
				int named = strchr(line, '/') || strchr(line, '[');
				of = strcmp(mode, "r-xp") == 0 && !named ? &stubs : strstr(line, "memfd:") ? &window : NULL;
			} else if (of && sscanf(line, "Rss: %ld", &n) == 1)
				*of += n;
		}
		return printf("%ld %ld\n", stubs * 1024 / 600000, window * 1024 / 600000) < 0;
	}
END
mkdir sized
if must_build sized "$CC" ../sized.c -Wl,--no-as-needed,-rpath,"$scratch" ../libmany.so; then
	"$GPROF" -b -p -o /dev/null --run=calls=libs sized/a.out >sizes 2>err
	expect "a call site takes less than 12 bytes of code and 6 of the window: $(cat sizes)" \
		'read -r code window <sizes && [ "$code" -ge 8 ] && [ "$code" -lt 12 ] && [ "$window" -ge 4 ] && [ "$window" -lt 6 ]'
fi

# The order of first calls.
cat >order.c <<-'END'
	#define APART __attribute__((noinline, noipa, aligned(16)))
	APART void one(void) { __asm__ volatile(""); }
	APART void two(void) { __asm__ volatile(""); }
	APART void three(void) { one(); }
	APART void four(void) { two(); }
	int main(void)
	{
		four();
		for (int i = 0; i < 10; i++) {
			three();
			two();
		}
		return 0;
	}
END
mkdir order
if must_build order "$CC" -O1 ../order.c; then
	run "$GPROF" -b -p -o out --run=calls,keep=kept order/a.out
	"$GPROF" --order=symbols,by=startup order/a.out kept | grep -xE 'one|two|three|four' >order.out
	expect 'the order of first calls is known' '[ "$(tr "\n" " " <order.out)" = "four two three one " ]'
fi

# What is refused before main(): lines of libgmon, and the program runs.
cat >early.c <<-'END'
	#define _GNU_SOURCE
	#include <fcntl.h>
	#include <pthread.h>
	#include <stdint.h>
	#include <stdlib.h>
	#include <sys/mman.h>
	#include <unistd.h>
	#ifdef THREAD
	static void *waits(void *nothing) { pause(); return nothing; }
	__attribute__((constructor)) static void begins(void)
	{
		pthread_t thread;
		pthread_create(&thread, 0, waits, 0);
	}
	#else
	/* Takes all memory that is near to the program. */
	__attribute__((constructor)) static void begins(void)
	{
		const uintptr_t least = 1 << 16, most = (uintptr_t)1 << 31;
		char line[64] = "";
		int in = open("/proc/self/maps", O_RDONLY);
		uintptr_t near = read(in, line, sizeof line - 1) > 0 ? strtoul(line, 0, 16) : 0;
		close(in);
		for (uintptr_t big = (uintptr_t)1 << 26; big >= least; big /= 4)
			for (uintptr_t at = near < most ? least : (near - most) / big * big; at < near + most; at += big)
				mmap((void *)at, big, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	}
	#endif
END
cat >uses.c <<-'END'
	__attribute__((noinline, noipa)) int one(int n) { return n + 1; }
	int main(int argc, char **argv) { (void)argv; return one(argc) + 1; }
END
mkdir uses
# refused HOW: builds early.c so, as a library that does not tell of itself, and runs a program with it.
refused() {
	"$CC" -O1 -shared -fPIC -pthread -nostartfiles "$1" -o libearly.so early.c || exit 99
	"$CC" -O1 -o uses/a.out uses.c -Wl,--no-as-needed,-rpath,"$scratch" ./libearly.so || exit 99
	run "$GPROF" -b -p -o out --run=calls uses/a.out
}
refused -DTHREAD
expect 'a library that has started threads: counted is nothing' \
	'[ "$status" = 3 ] && grep -q "^libgmon: calls are not counted: libraries have started threads before main()$" err'
refused -DMEMORY
expect 'no memory near the code: counted is nothing' \
	'[ "$status" = 3 ] && grep -q "^libgmon: calls are not counted in a part of the program: no room near its code$" err'
cat >forbid.c <<-'END'
	#include <sys/prctl.h>
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		(void)argc;
		if (prctl(65 /* PR_SET_MDWE */, 1, 0, 0, 0))
			return 77;
		execv(argv[1], argv + 1);
		return 99;
	}
END
"$CC" -o forbid forbid.c && "$CC" -O1 -o uses/a.out uses.c || exit 99
run "$GPROF" -b -p -o out --run=children,calls ./forbid uses/a.out
if [ "$status" = 77 ]; then
	tap_skip 'code that must not change' 'the kernel does not know PR_SET_MDWE'
else
	expect 'code that must not change: counted is nothing' \
		'[ "$status" = 3 ] && grep -q "^libgmon: calls are not counted: the kernel does not let changed code run$" err'
fi

cat >late.c <<-'END'
	__attribute__((noinline, noipa)) static int one(int n) { return n + 1; }
	int two(int n) { return one(n) + 1; }
END
cat >given.c <<-'END'
	#include <dlfcn.h>
	#include <sys/prctl.h>
	int main(int argc, char **argv)
	{
		void *late;
		int (*two)(int);

		(void)argc;
		if (prctl(65 /* PR_SET_MDWE */, 1, 0, 0, 0))
			return 77;
		late = dlopen(argv[1], RTLD_NOW);
		two = late ? (int (*)(int))dlsym(late, "two") : 0;
		return two ? two(3) : 99;
	}
END
"$CC" -O1 -shared -fPIC -o liblate.so late.c && "$CC" -o given given.c -ldl || exit 99
run "$GPROF" -b -p -o out --run=calls=libs ./given ./liblate.so
if [ "$status" = 77 ]; then
	tap_skip 'code that must not change any more' 'the kernel does not know PR_SET_MDWE'
else
	expect 'code that must not change any more: a library is left alone' \
		'[ "$status" = 5 ] && grep -q "^libgmon: calls are not counted in a part of the program: the kernel refuses changes of its code$" err'
fi

calls_storms calls=libs
tap_done
