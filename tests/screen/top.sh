#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --top fits the screen, whatever is on it and how large it is, and has the figures of the long reports. The C library's
# wc tells how many columns lines take.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/screen/lib.sh"

# widest FILE: columns of its widest line.
widest() {
	LC_ALL=C.UTF-8 wc -L <"$1"
}

# fits COLUMNS ROWS ARGUMENT...: what --top prints on such a terminal leaves a row free, and no line is wider.
fits() {
	columns=$1 rows=$2
	shift 2
	on_terminal -w "$columns" -r "$rows" -- "$GPROF" --top "$@" 2>err >raw
	strip <raw >said
	expect "gprof --top $* at $columns x $rows: $(widest said) x $(wc -l <said)" \
		'[ ! -s err ] && [ "$(widest said)" -le "$columns" ] && [ "$(wc -l <said)" -lt "$rows" ] && grep -q function said'
	expect "gprof --top $* at $columns x $rows: nothing is said to the terminal" '! LC_ALL=C tr -d "\n\040-\176\200-\377" <said | grep -q .'
}

# rows FILE: how many functions are listed.
rows() {
	sed '1,/function/d' "$1" | grep -c '^ *[0-9]*\.[0-9][0-9] '
}

# make_many N: so many functions, with names of C++ that have 1,000 columns, wide ones, and ones with control characters.
make_many() {
	awk -v n="$1" -v evil="$(printf 'a\033]0;x\007b\302\233c')" 'BEGIN {
		long = "34SomeClassOfThisVeryLongLibrary_000"
		for (i = 1; i < 30; i++) long = long "S0_"
		print "text 0x401000 0x" sprintf("%x", 64 * (n + 1))
		for (i = 0; i < n; i++) {
			name = i % 4 == 0 ? "_ZN2nsI" long "E" length("do_" i) "do_" i "Ei" : i % 4 == 1 ? "関数" i : i % 4 == 2 ? evil i : "plain_function_" i
			printf "sym %s 0x%x\n", i == 0 ? "main" : name, 4198400 + 64 * i
		}
		printf "sym etext 0x%x notype\nprofile\nhist 0x401000 0x%x %d 100\n", 4198400 + 64 * n, 4198400 + 64 * n, 16 * n
		for (i = 0; i < n; i++)
			printf "tick 0x%x %d\n", 4198400 + 64 * i, 3 * n - i
		for (i = 1; i < n; i++)
			printf "arc 0x%x 0x%x %d\n", 4198400 + 64 * int(i / 2), 4198400 + 64 * i, 12345 * (i + 1)
	}' >many.profile
	make_profile many.profile
}

# They are those of the flat profile.
check_figures() {
	"$GPROF" --top=50 >top
	"$GPROF" -b -p --all-symbols >flat
	sed -n '/^ *%.*function/,$p' top | awk 'NR > 1 && $1 ~ /^[0-9.]+$/ && NF > 4 { print $1, $2, $5 }' >got
	awk '/^ *[0-9]+\.[0-9]+ / && $1 > 0 { print $1, $3, $4 }' flat | head -n 50 >wanted
	expect 'shares, times and calls are those of the flat profile' '[ "$(wc -l <got)" -ge 3 ] && [ "$(cat got)" = "$(head -n "$(wc -l <got)" wanted)" ]'
}

enter_terminal
make_many 70
for size in '80 24' '120 40' '100 12' '60 30' '40 20' '20 20' '300 100'; do
	# shellcheck disable=SC2086 # two words
	fits $size
done
on_terminal -w 80 -r 24 -- "$GPROF" --top >raw
strip <raw >said
expect 'all rows are used' '[ "$(wc -l <said)" = 23 ]'
on_terminal -w 120 -r 40 -- "$GPROF" --top=5 >raw
strip <raw >said
expect 'so many functions as are asked for' '[ "$(rows said)" = 5 ]'
"$GPROF" --top --color=always >said
expect 'what is hot stands out' 'grep -q "^$escape\[4m" said'
"$GPROF" --top >said
expect 'in a pipe there are ten functions in 100 columns, also without control characters' \
	'[ "$(widest said)" -le 100 ] && [ "$(rows said)" = 10 ] && ! LC_ALL=C tr -d "\n\040-\176\200-\377" <said | grep -q .'
COLUMNS=60 "$GPROF" --top >said
expect 'or as many columns as COLUMNS says' '[ "$(widest said)" -le 60 ] && [ "$(rows said)" = 10 ]'
on_terminal -w 0 -r 0 -- env COLUMNS=50 LINES=15 "$GPROF" --top >raw
strip <raw >said
expect 'of a terminal that says nothing, COLUMNS and LINES are the size' '[ "$(widest said)" -le 50 ] && [ "$(wc -l <said)" = 14 ]'
make_many 12
on_terminal -- "$GPROF" --top >raw
strip <raw >said
expect 'few functions are all there, and nothing more is said' '[ "$(rows said)" = 12 ] && ! grep -q more said'
check_figures
make_golden cycles
check_figures
make_golden stacks
check_figures
"$GPROF" -b --inclusive | awk '/^ *[0-9]+\.[0-9] / { print $NF, $2 }' | sort >all
"$GPROF" --top=50 | sed -n '/function/,$p' | awk '
	NR > 1 && $5 ~ /^[0-9]+$/ { print $8, $4 }
	NR > 1 && $5 ~ /^\[/ { sub(/\].*/, "]"); print $5 ($6 ~ /\]$/ ? " " $6 : ""), $4 }' | sort >of_top
expect 'measured inclusive times are those of --inclusive' '[ -s of_top ] && [ -z "$(grep -v "^\[[a-z]* " of_top | comm -23 - all)" ]'
make_profile <<-END
	text 0x401000 0x80
	sym main 0x401000
	sym leaf 0x401020
	profile
	hist 0x401000 0x401080 32 100
	tick leaf 100
	arc main+4 leaf 7
	module a.out 0x401000 0x401080 0 00112233445566778899aabbccddeeff00112233 program
	thread 100 demo 1000000000
	stack 80 main+4 leaf+4
	stack 20 broken leaf+4
END
"$GPROF" --top >measured
"$GPROF" --top --estimated >estimated
evidence='measured estimated'
expect 'what is wrong with call stacks matters to who uses them' 'grep -q "^! broken-stacks" measured && ! grep -q "^!" estimated'
make_golden top-libraries
"$GPROF" --top >measured
"$GPROF" --top --estimated >estimated
expect 'and so does that there is nothing to estimate from' '! grep -q "^!" measured &&
	grep -q "^no samples, calls were not counted$" estimated && grep -q "^! not-instrumented" estimated'

# above_all FILE: rows with more than all of the time.
above_all() {
	awk '$1 ~ /^[0-9]+\.[0-9]+$/ && $1 > 100 && NF > 3' "$1"
}
# Bins of 3.99 bytes, as the C library's runtime makes them, hand out more than they have.
make_profile <<-END
	text 0x401000 0x1000
	sym main 0x401000
	sym work 0x401020
	sym etext 0x402000 notype
	profile
	hist 0x401000 0x402000 1027 100
	tick 0x401030 900
	tick 0x401038 700
	arc main work 1
END
"$GPROF" --top >said
"$GPROF" -b -p >flat
evidence='said flat'
expect 'no share is above 100 %, where that of GNU gprof is' \
	'[ "$(rows said)" = 1 ] && [ -z "$(above_all said)" ] && [ -n "$(above_all flat)" ] && grep -q "^100.00  16.00 " said'
cat >work.c <<-END
	volatile unsigned x;
	__attribute__((noipa)) void work(void)
	{
	 for (unsigned i = 0; i < 100000000; i++) x = x * 3 + i; int none = 0; (void)none;
	}
	int main(void) { work(); return 0; }
END
if build . cc -g -O1 -pg work.c && ./a.out; then
	"$GPROF" -b --source=work >said 2>err
	expect 'nor is one of a source line, or of all lines of a function' \
		'grep -q "work.c:" said && grep -q "^ *[1-9][0-9.]* .* for (uns" said && ! grep -q "(100[.][1-9]" said && [ -z "$(above_all said)" ]'
fi

# A server whose threads wait for a lock that one of them holds while it sleeps.
cat >server.c <<-END
	#include <pthread.h>
	#include <unistd.h>
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	__attribute__((noipa)) static void query(void)
	{
	 pthread_mutex_lock(&lock); /* here */
	 usleep(100000);
	 pthread_mutex_unlock(&lock);
	}
	static void *serve(void *arg) { for (int i = 0; i < 3; i++) query(); return arg; }
	int main(void)
	{
	 pthread_t thread[5];
	 for (int i = 0; i < 5; i++) pthread_create(&thread[i], 0, serve, 0);
	 for (int i = 0; i < 5; i++) pthread_join(thread[i], 0);
	 return 3;
	}
END
if build . cc -g -O1 -pthread server.c; then
	LIBGMON=$builddir/libgmon.so "$GPROF" -o said --run=clock=wall ./a.out 2>err
	LIBGMON=$builddir/libgmon.so "$GPROF" --run=clock=wall,keep=server.gmon ./a.out >/dev/null 2>>err
	"$GPROF" --explain a.out server.gmon >explained 2>>err
	evidence='said explained err'
	expect 'the screen of a server that waits begins with what for, and where' \
		'sed -n "/^waits%/{n;p;}" said | grep -q "lock *query *server.c:$(sed -n "/here/=" server.c)$" && grep -q "^next: .*--source=query --run" said'
	expect '--explain leads to the waiting, too' 'grep -A1 "^remark waited: .* recorded where it waited$" explained | grep -q "^  --top shows first"'
	expect 'its first line says how it ended, the next one how long it took' 'sed -n 1p said | grep -q ", exited with 3, " && sed -n 2p said | grep -q "^[1-9][0-9.]* s elapsed, "'
fi

# --explain speaks of the same samples.
cat >inlined.c <<-END
	volatile unsigned x;
	static inline __attribute__((always_inline)) void inner(void) { for (int i = 0; i < 1000; i++) x = x * 3 + 1; }
	int main(void) { for (int k = 0; k < 150000; k++) { inner(); for (int i = 0; i < 300; i++) x += i; } return 0; }
END
if build . cc -g -O1 inlined.c; then
	LIBGMON=$builddir/libgmon.so "$GPROF" -o said --run=keep=kept ./a.out 2>err
	"$GPROF" --explain a.out kept >explained
	evidence='said explained err'
	of_screen=$(awk '/ samples \(/ { match($0, /[0-9]+ samples/); n = substr($0, RSTART) + 0 }
		/ inner +inl\. / { inlined = $1 } END { printf "%d of %d samples", inlined * n / 100 + 0.5, n }' said)
	expect "--explain has as many samples as the screen, inlined and all: $of_screen" '
		[ "${of_screen%% *}" -gt 0 ] && grep -q "^remark inlined: $of_screen " explained && grep -q "^nothing wrong: ${of_screen#* of } " explained'
fi

# A library of the user's own, compiled with -g.
cat >own.c <<-END
	volatile unsigned x;
	__attribute__((noipa)) void own_work(void)
	{
	 for (unsigned i = 0; i < 200000000; i++) x = x * 3 + i; /* here */
	}
END
echo 'void own_work(void); int main(void) { own_work(); return 0; }' >user.c
if cc -g -O1 -fPIC -shared own.c -o libown.so 2>log && build . cc -g -O1 user.c -L. -lown -Wl,-rpath,"$PWD"; then
	LIBGMON=$builddir/libgmon.so "$GPROF" -o said --run=keep=own.gmon ./a.out 2>err
	"$GPROF" -b --source=own_work own.gmon >left 2>>err
	line=$(sed -n "/here/=" own.c)
	evidence='said left err'
	expect 'functions of libraries have a line' 'grep -q "own_work .* own.c:$line " said && grep -q "^next: .*--source=own_work " said'
	expect 'and --source shows it' 'grep -q "^ *[1-9][0-9.]* .* $line .* here" left && ! grep -q "not known" left'
fi
make_golden top
"$GPROF" -b --entry=push_back >said 2>err
"$GPROF" -b --entry=Table >left 2>>err
expect 'functions are found by the last components of their names, and by their class' \
	'[ ! -s err ] && grep -q "^\[.* std::vector<int.*>::push_back(int const&) \[" said && grep -q "^\[.* ns::Table<.*>::insert(.*) \[" left'
tap_done
