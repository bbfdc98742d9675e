#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Code that a program makes while it runs, and tells of in perf-PID.map or jit-PID.dump as just-in-time compilers do, has its names in the
# report of --run, and in what that keeps when the map is gone, with the source lines that a dump has. Maps that are not the
# process's own are not used.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# rows FILE: the names of the report's rows about made code.
rows() {
	awk '$NF ~ /\[jit\]$/ || $NF == "[code]" { name = $4; for (i = 5; i <= NF; i++) name = name " " $i; print name }' "$1" | sort
}

# profile HOW [WORD...]: a run of ./a.out HOW WORD...
profile() {
	run "$GPROF" -b --inclusive -o report --run="keep=$scratch/kept" ./a.out "$@"
	rows report >got
}

# nameless WHAT TEXT: the code has no name, and a warning has the text.
nameless() {
	expect "$1: no names" '[ "$(grep -c "\[code\]" got)" = 1 ] && fails grep -q "\[jit\]" got'
	expect "$1: a warning says why" grep -q "warning: .*perf-[0-9]*\.map: $2" err
}

make_scratch
cd "$scratch" || exit 99
cat >main.c <<-'END_OF_C'
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <sys/mman.h>
	#include <sys/stat.h>
	#include <time.h>
	#include <unistd.h>

	/* Copied as they are, so they refer to nothing. */
	__attribute__((noinline, aligned(64))) static unsigned spin(unsigned n)
	{
		unsigned x = n;
		while (n--) {
			x = x * 5 + 1;
			__asm__ volatile("" : "+r"(x));
		}
		return x;
	}
	__attribute__((noinline, aligned(64))) static unsigned end(void) { return 1; }

	static char path[4096];

	static void put(FILE *dump, const char *name, const char *code, unsigned long long number, unsigned torn)
	{
		struct {
			unsigned type, bytes;
			unsigned long long time;
			unsigned pid, tid;
			unsigned long long vma, at, size, number;
		} load = { 0, (unsigned)(sizeof(load) + strlen(name) + 1 + 16 + torn), number, (unsigned)getpid(),
			(unsigned)getpid(), (unsigned long)code, (unsigned long)code, 0x400, number };

		fwrite(&load, sizeof(load), 1, dump);
		fwrite(name, strlen(name) + 1, 1, dump);
		fwrite(code, 16, 1, dump);
	}

	/* Lines of code: 3 is where it begins, 4 all that follows, 6 what is behind it. */
	static void put_lines(FILE *dump, const char *code, const char *file, unsigned long long by)
	{
		struct {
			unsigned type, bytes;
			unsigned long long time, code, n;
		} head = { 2, (unsigned)(sizeof(head) + 3 * (16 + strlen(file) + 1)), 1, (unsigned long)code, 3 };
		struct {
			unsigned long long at;
			unsigned line, column;
		} line[3] = { { head.code + by, 3, 0 }, { head.code + 1 + by, 4, 0 }, { head.code + 0x3ff + by, 6, 0 } };

		fwrite(&head, sizeof(head), 1, dump);
		for (int i = 0; i < 3; i++) {
			fwrite(&line[i], sizeof(line[i]), 1, dump);
			fwrite(file, strlen(file) + 1, 1, dump);
		}
	}

	/* Tells of the three functions in a dump that perf would find by its executable mapping. */
	static void dump(const char *how, const char *code)
	{
		struct {
			unsigned magic, version, bytes, machine, pad, pid;
			unsigned long long time, flags;
		} header = { 0x4a695444, 1, sizeof(header), 62, 0, (unsigned)getpid(), 1, 0 };
		const char *directory = strcmp(how, "dump-here") == 0 ? "." : getenv("WHERE");
		FILE *to;

		snprintf(path, sizeof(path), "%s/jit-%d.dump", directory, (int)getpid());
		to = fopen(path, "w+");
		if (!to)
			exit(77);
		mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(to), 0);
		fwrite(&header, sizeof(header), 1, to);
		if (strcmp(how, "dump-lines") == 0 || strcmp(how, "dump-v8") == 0) {
			put_lines(to, code, getenv("SOURCE"), how[5] == 'v' ? 64 : 0);
			put_lines(to, code + 0x400, "file:///no/such/file.js", how[5] == 'v' ? 64 : 0);
			put_lines(to, code + 0x800, "/\033]0;evil", how[5] == 'v' ? 64 : 0);
		}
		put(to, "dumped all", code, 1, 0);
		put(to, "dumped second", code + 0x400, 2, 0);
		put(to, "dumped \033[2J", code + 0x800, 3, strcmp(how, "dump-torn") == 0 ? 1000 : 0);
		fclose(to);
	}

	static void tell(const char *how, char *code)
	{
		const char *directory = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
		FILE *map;

		snprintf(path, sizeof(path), "%s/perf-%d.map", directory, (int)getpid());
		unlink(path);
		if (strcmp(how, "link") == 0 && symlink("/dev/null", path) == 0)
			return;
		if (strcmp(how, "fifo") == 0 && mkfifo(path, 0600) == 0)
			return;
		map = fopen(path, "w");
		if (strcmp(how, "noise") == 0)
			for (unsigned i = 0; i < 3000000; i++)
				putc((int)(i * 2654435761u >> 24), map);
		if (strcmp(how, "long") == 0)
			for (long i = 0; i < 100000000 / 25; i++)
				fprintf(map, "%012lx 10 function%05ld\n", 4096 + i, i % 100000);
		if (strcmp(how, "none") != 0 && strcmp(how, "noise") != 0)
			fprintf(map, "%lx 1000 all\n%lx 400 second\n%lx 400 evil \033[2J@x.js:%d\n", (long)code,
				(long)code + 0x400, (long)code + 0x800, 7);
		fclose(map);
		if (strcmp(how, "old") == 0) {
			struct timespec times[2] = { { 1000, 0 }, { 1000, 0 } };
			utimensat(AT_FDCWD, path, times, 0);
		}
		if (strcmp(how, "foreign") == 0 && chown(path, 12345, 12345) < 0)
			exit(77);
	}

	static double seconds(void)
	{
		struct timespec t;

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
	}

	int main(int argc, char **argv)
	{
		size_t n = (size_t)((char *)end - (char *)spin);
		char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		unsigned (*made[3])(unsigned);
		unsigned sum = (unsigned)argc, seed = 1;

		if (code == MAP_FAILED || n > 0x400)
			return 77;
		for (int i = 0; i < 3; i++) {
			memcpy(code + 0x400 * i, (char *)spin, n);
			made[i] = (unsigned (*)(unsigned))(code + 0x400 * i);
		}
		__builtin___clear_cache(code, code + 4096);
		if (strncmp(argv[1], "dump", 4) == 0)
			dump(argv[1], code);
		if (strncmp(argv[1], "dump", 4) != 0 || strcmp(argv[1], "dump-both") == 0)
			tell(argv[1], code);
		/* Of random lengths: of three equal calls that take a tick together, all ticks would see the same. */
		for (int i = 0; seconds() < 0.4 || i < 30; i++, seed = seed * 1103515245 + 12345)
			sum += made[i % 3](1000000 + (seed >> 11));
		return sum == 0;
	}
END_OF_C
sed -i '1i #include <fcntl.h>' main.c
"$CC" -O1 -D_GNU_SOURCE -fcf-protection=none -o a.out main.c 2>log || "$CC" -O1 -D_GNU_SOURCE -o a.out main.c 2>log ||
	tap_skip_all "$(head -n 1 log)"
mkdir maps
TMPDIR=$scratch/maps
export TMPDIR
./a.out none
[ $? -eq 77 ] && tap_skip_all 'no code can be made here'

test_foreign() {
	profile foreign
	nameless "another user's map" 'belongs to another user'
}

only_part
printf '%s\n' 'all@[jit]' 'evil \033[2J@x.js:7@[jit]' 'second@[jit]' >wanted

profile none
expect 'an empty map: no names' '[ "$(cat got)" = "[code]" ]'
"$GPROF" -b --top kept >out 2>err
expect 'the first screen says what it lacks' 'grep -q "^! nameless: [0-9]* % of the time is in code made at run time that no perf-PID\.map names" out'
profile map
same 'code that is told of has names' got wanted
expect 'nothing is said of the map' fails grep -q 'perf-[0-9]*\.map' err
rm -f maps/*
"$GPROF" -b --inclusive kept >out 2>err
rows out >got
same 'kept: the names are there when the map is gone' got wanted
"$GPROF" -b --objects kept 2>err | awk '$NF ~ /jit/ && NF == 6 { print $5, $NF }' >got
expect 'the first screen has nothing to complain of' '"$GPROF" -b --top kept >out 2>err && fails grep -q "^! nameless" out'
expect '--objects: it is an object' '[ "$(cat got)" = "full [jit]" ]'
rm -f out
"$GPROF" -s ./a.out kept kept -o sum 2>err && "$GPROF" -b --inclusive --libraries=show ./a.out sum >out 2>err
rows out >got
same 'a sum has the names once' got wanted
profile noise
expect 'noise in a map does no harm' '[ "$(cat got)" = "[code]" ] && fails grep -q "perf-[0-9]*\.map" err'
profile link
nameless 'a link' 'is a link'
profile fifo
nameless 'a FIFO' 'is not a regular file'
profile old
nameless 'an old map' 'is older than the process'
by_root test_foreign "another user's map"
profile long
expect 'a map of 100 MB: its beginning is read, and a line says so' \
	'[ "$(cat got)" = "[code]" ] && grep -q "only its first 64 MB of names are read" err'

printf '%s\n' 'dumped \033[2J@[jit]' 'dumped all@[jit]' 'dumped second@[jit]' >wanted
WHERE=$scratch/maps
HOME=$scratch/home
export WHERE HOME
mkdir -p home/.debug/jit/made-20260101
profile dump
same 'a dump: code has names' got wanted
expect 'nothing is said of the dump' fails grep -q 'jit-[0-9]*\.dump' err
rm -f maps/*
"$GPROF" -b --inclusive kept >out 2>err
rows out >got
same 'kept: the names are there when the dump is gone' got wanted
profile dump-here
same 'a dump in the working directory' got wanted
WHERE=$scratch/home/.debug/jit/made-20260101
profile dump-kept
same 'a dump where agents keep them' got wanted
WHERE=$scratch/maps
mkdir -p chosen no
WHERE=$scratch/chosen
profile dump
expect 'a dump where nobody looks: no names' '[ "$(cat got)" = "[code]" ]'
for option in --perf-prof-path=chosen '--perf_prof_path chosen' '--perf-prof --perf-prof-path=./chosen script.js'; do
	# shellcheck disable=SC2086 # words
	profile dump $option
	same "a dump where the command line says, $option" got wanted
done
profile dump --not--perf-prof-path=chosen --perf-prof-pathless=chosen --perf-prof-path
expect 'a dump where the command line says: other options are none' '[ "$(cat got)" = "[code]" ]'
profile dump --perf-prof-path=no
expect 'a dump where the command line says: not there' '[ "$(cat got)" = "[code]" ]'
WHERE=$scratch/maps
profile dump --perf-prof-path=no
same 'a dump where the command line says: not there, but where else dumps are' got wanted
profile dump-both
same 'of what a map tells, too, the dump is believed' got wanted
profile dump-torn
expect 'a torn dump: what is whole has names' '[ "$(tr "\n" , <got)" = "[code],dumped all@[jit],dumped second@[jit]," ]'
expect 'a torn dump: a warning says where' \
	'[ "$(grep -c "warning: .*jit-[0-9]*\.dump: damaged at byte 2[0-9]*: only names before it are used" err)" = 1 ]'

# The lines of a dump: in --source, exports and the page, and in what is kept.
printf '// 1\n// 2\nfunction all() {\n  loop();\n  more();\n}\n// 7\n' >all.js
SOURCE=$scratch/all.js
export SOURCE
# line FILE: those lines of a --source report that have time, "LINE TEXT".
line() { sed -n 's/^ *[0-9][0-9.]* .* \([0-9]*  *[^ ].*\)/\1/p' "$1" | sed 's/  */ /g'; }
for how in dump-lines dump-v8; do
	profile $how
	expect "$how: code has names" '[ "$(grep -c "\[jit\]" got)" = 3 ]'
	"$GPROF" -b --source='dumped all' kept >out 2>err
	expect "$how: --source shows the line with its time" 'grep -q "^ *[1-9][0-9.]* .* 4 *| *loop();$\|^ *[1-9][0-9.]* .* 4  *loop();$" out'
	expect "$how: and all of the function" 'grep -q "3 .*function all() {" out && grep -q "6 .*}$" out && fails grep -q "// 7" out'
done
rm -f maps/*
"$GPROF" -s ./a.out kept kept -o sum 2>err && "$GPROF" -b --libraries=show --source='dumped all' ./a.out sum >out 2>err
expect 'a sum has the lines' 'grep -q "^ *[1-9][0-9.]* .* 4  *loop();$" out'
"$GPROF" -b --source='dumped second' kept >out 2>err
expect 'no such source: a warning' 'grep -q "warning: /no/such/file.js: source not found" err'
"$GPROF" -b --source='dumped all' --source='dumped second' --source='dumped \033[2J' kept >out 2>err
expect 'a hostile name of a file is none' 'fails grep -q "$(printf "\033")" out && fails grep -q "$(printf "\033")" err'
"$GPROF" -b --export=pprof -o made.pb.gz --export=callgrind -o made.callgrind --export=webpage -o made.html kept >out 2>err
expect 'callgrind has the line' 'grep -q "all\.js" made.callgrind && grep -q "^[+0-9x]* *4 " made.callgrind'
expect 'pprof has the file' 'gunzip -c made.pb.gz | tr -d "\000" | grep -aq "all\.js"'
expect 'the page has the text' 'grep -q "loop();" made.html'
cd "$builddir" || exit 99
tap_done
