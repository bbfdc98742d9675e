#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ./bootstrap where packages cannot be had: one line says why and what to do; tests' packages stop nothing.
# shellcheck disable=SC2016 # for 'expect' and the shells of the stand-ins
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"

# stand_in NAME: a program of that name is the shell script in the input.
stand_in() {
	{ echo '#!/bin/sh' && cat; } >"bin/$1" && chmod +x "bin/$1"
}

# bootstrap ARGUMENT...: with the programs in bin alone.
bootstrap() {
	run env PATH="$scratch/bin" sh tree/bootstrap "$@"
}

# Nothing is installed; the build is one that ends at once.
prepare() {
	rm -rf bin tree && mkdir bin tree && cp "$srcdir/bootstrap" tree || exit 99
	for program in cat cut dirname env find grep head mktemp mkdir nproc rm sed sh sudo; do
		[ $program = sudo ] || ln -s "$(command -v $program)" "bin/$program"
	done
	stand_in dpkg-query </dev/null
	stand_in id <<-END
		echo $1
	END
	stand_in apt-cache <<-END
		printf '%s - nothing\n' graphviz strace zsh
	END
	for program in autoreconf make; do
		stand_in $program <<-END
			echo "$program \$*" >>'$scratch/steps'
			: >test-suite.log
		END
	done
	printf '#!/bin/sh\n: >config.status\n' >tree/configure
	chmod +x tree/configure
	: >steps
}

make_scratch
cd "$scratch" || exit 99
for option in -h --help; do
	prepare 0
	bootstrap $option
	expect "$option: usage, status 0" '[ "$status" = 0 ] && grep -q "^usage: " out && [ ! -s err ] && [ ! -s steps ]'
done
bootstrap no-such
expect 'another word: usage on stderr, status 1' '[ "$status" = 1 ] && grep -q "^usage: " err && [ ! -s out ]'

offline='for i in 1 2 3 4 5; do
	echo "Err:$i bookworm InRelease" && echo "  Temporary failure resolving '\''mirror'\''"
done
[ "$1 $2" = "-y update" ] || { case $* in *install*) echo "E: Unable to locate package gcc" >&2; exit 100 ;; esac; }'
prepare 0
echo "$offline" | stand_in apt-get
bootstrap
expect 'offline: one line says so, and what is missing' \
	'[ "$status" = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q "no network: .* missing: .*binutils-dev" err && [ ! -s steps ]'

prepare 1000
bootstrap
expect 'neither root nor sudo: a line to copy' '[ "$status" = 1 ] && [ "$(wc -l <err)" = 1 ] &&
	grep -q "as root: apt-get update && apt-get install --no-install-recommends autoconf .*zlib1g-dev$" err'

prepare 1000
stand_in sudo <<-'END'
	echo 'sudo: a terminal is required to read the password' >&2
	exit 1
END
bootstrap
expect 'sudo refuses: its reason, and the line' '[ "$status" = 1 ] && [ "$(wc -l <err)" = 1 ] &&
	grep -q "a terminal is required.*; as root: apt-get update" err'

# What the build needs is there, what the tests need cannot be had.
prepare 0
stand_in dpkg-query <<-'END'
	case $4 in graphviz | strace | zsh | shellcheck) ;; *) echo installed ;; esac
END
stand_in apt-get <<-'END'
	case $* in *install*) echo "$*" >asked && echo 'E: held packages' >&2 && exit 100 ;; esac
END
bootstrap check
expect 'check: goes on without what only tests need' '[ "$status" = 0 ] && [ "$(cat err)" = "bootstrap: apt-get: held packages" ] &&
	grep -q "^make .*check-all" steps'
expect 'check: asks for what this Debian has' 'grep -q "graphviz strace zsh$" tree/asked'
# Nothing is missing, or it would be asked for.
for words in 'core check-core' 'ci check-ci'; do
	prepare 0
	echo 'echo installed' | stand_in dpkg-query
	stand_in apt-get </dev/null
	bootstrap "${words% *}"
	expect "${words% *}: makes ${words#* }" '[ "$status" = 0 ] && grep -q "^make .*${words#* }$" steps'
done
sh "$srcdir/tests/summary.sh" begin a.sh b b/c.sh d.sh >said
expect '... and says how many there are, and how long it takes' 'grep -q "^4 tests, 3 of them scripts: about [0-9]* min " said'
printf '%s\n' '# of the first' 'ok 1 - first' 'PASS: first' '# 5 s' 'not ok 2 - second' 'FAIL: second' '# false' 'ok 3 - third' >last.log
printf ':test-result: %s\n' PASS FAIL PASS >last.trs
printf '%s\n' 'ok 1 - only' 'AGAIN: # 6 s' 'AGAIN: not ok 1 - only' 'AGAIN: # lost' >late.log
printf '%s\n' ':test-result: PASS' ':repeated: yes' >late.trs
sh "$srcdir/tests/summary.sh" last.log late.log >said
expect 'what failed is told with what was noted before it' '[ "$(sed -n "/^--- from last/,/^Run again/p" said | tr "\n" ";")" = \
	"--- from last.log;# 5 s;not ok 2 - second;# false;Run again, as the machine stood still: 1: late;" ]'
expect '... also if it was run again, and passed' '[ "$(sed -n "/^--- from the first/,\$p" said | tr "\n" ";")" = \
	"--- from the first run of late;# 6 s;not ok 1 - only;# lost;3 passed, 1 failed, 0 skipped;" ]'

# The driver, on a machine that stands still for a second at each look, of a test that fails once.
mkdir still
printf '#!/bin/sh\ncase $* in */proc/uptime*) echo x >>still/looks && wc -l <still/looks | sed s/$/00/ ;; *) exec %s "$@" ;; esac\n' \
	"$(command -v awk)" >still/awk
printf '%s\n' '[ -e ran ] || not="not "' ': >ran' 'echo "# 7 s"' 'echo "${not}ok 1 - once"' 'echo 1..1' >once.sh
chmod +x still/awk
PATH=$PWD/still:$PATH TEST_LOGS=once.log sh "$srcdir/tests/driver.sh" --test-name once --log-file once.log --trs-file once.trs \
	--color-tests no --enable-hard-errors yes --expect-failure no -- sh ./once.sh >said 2>&1
expect 'the log of a test that was run again has what it printed first' 'grep -q "^AGAIN, .* for 1000 ms: FAIL: once 1 - once$" said &&
	grep -q ": once: 1 passed$" said && grep -q "^:repeated:" once.trs && grep -q "^AGAIN: # 7 s$" once.log &&
	grep -q "^AGAIN: not ok 1 - once$" once.log && grep -q "^ok 1 - once$" once.log'

# The demo, with programs that only say how they were called.
prepare 0
echo 'echo installed' | stand_in dpkg-query
mkdir -p tree/doc/example && touch tree/doc/example/words.c tree/doc/example/formula.c
for program in cp touch; do
	ln -s "$(command -v $program)" bin
done
stand_in cc <<-'END'
	while [ "$1" != -o ]; do shift; done
	printf '#!/bin/sh\n: >gmon.out\n' >"$2" && chmod +x "$2"
END
ln -s "$(command -v chmod)" bin
printf '#!/bin/sh\necho "gprof $*"\n' >tree/gprof && chmod +x tree/gprof
bootstrap demo
expect 'demo: shows --run first, and ends with what to type next' '[ "$status" = 0 ] &&
	[ "$(grep "^gprof " out | head -n 1)" = "gprof --run ./words" ] && grep -q "^gprof -b formula gmon.out$" out &&
	sed -n "/^next: /,\$p" out | tail -n +2 | awk "/^    / { n++; next } { bad = 1 } END { exit !(n > 0 && !bad) }"'
prepare 0
echo 'echo installed' | stand_in dpkg-query
bootstrap packages core
expect 'packages: builds nothing' '[ "$status" = 0 ] && [ ! -s steps ] && [ ! -s err ]'
bootstrap packages no-such
expect 'packages of no such tests: usage on stderr, status 1' '[ "$status" = 1 ] && grep -q "^usage: " err'
tap_done
