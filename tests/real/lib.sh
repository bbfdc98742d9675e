# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced by the tests that build real programs of Debian's sources: these, what they are given to do, and the comparison
# of their counts.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# No function is inlined or cloned: the second hook would be called for them, and mcount not.
flags='-O2 -g -pg -finstrument-functions -fno-inline -fno-ipa-sra -fno-ipa-cp -fno-partial-inlining -fno-ipa-icf'

# make_counter COMPILER: $counter.
make_counter() {
	counter=$scratch/counter.o
	"$1" -O2 -c "$srcdir/tests/real/counter.c" -o "$counter" || tap_done
}

# get_sources PACKAGE: makes $source, with the sources of it. False, and a skipped test, if there are none.
get_sources() {
	source=$scratch/sources/$1
	mkdir -p "$scratch/sources"
	if [ -n "${REAL_SOURCES-}" ]; then
		cp -r "$REAL_SOURCES/$1" "$source" 2>/dev/null && return
	elif (mkdir -p "$scratch/from" && cd "$scratch/from" && apt-get source -q --download-only "$1" &&
		dpkg-source --no-check -x "$1"_*.dsc "$source") >"$scratch/log" 2>&1; then
		return
	fi
	tap_skip "$1: calls" "no sources of it: REAL_SOURCES, or deb-src for apt-get"
	false
}

# count_real WHAT PROGRAM ARGUMENT...: one run in the current directory; every function's count must be the same.
count_real() {
	what=$1
	shift
	rm -f gmon.out counted
	COUNTED=counted GMON='' "$@" >out 2>&1
	compare_real "$what" "$1"
}

# compare_real WHAT PROGRAM: the counts of the last run.
compare_real() {
	"$GPROF" --all-symbols --export=csv -o functions.csv "$2" gmon.out >complaints 2>&1
	awk -f "$srcdir/tests/real/compare.awk" step=1 functions.csv step=2 counted >differences
	total=$(tail -n 1 differences)
	if [ "${total##* }" = 1.000000 ] && ! grep -q ^differs differences; then
		tap_ok "$1: $total"
	else
		tap_not_ok "$1: $total"
		head -n 20 differences complaints | tap_note
	fi
}

# failed_to_build NAME: what was last said.
failed_to_build() {
	tap_not_ok "$1 is built"
	tail -n 10 "$scratch/log" | tap_note
}

# Work for lua, and for sqlite3.
write_lua_work() {
	cat >work.lua <<-'END'
		local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end
		local t, s = {}, 0
		for i = 1, 200000 do t[i % 1000 + 1] = string.format("%d:%s", i, tostring(i * 1.5)) end
		table.sort(t)
		for w in ("the quick brown fox "):rep(20000):gmatch("%a+") do s = s + #w end
		local next_one = coroutine.wrap(function() for i = 1, 50000 do coroutine.yield(i) end end)
		for i = 1, 50000 do s = s + next_one() end
		print(fib(25), s, #t, pcall(error, "x"))
	END
}

write_sqlite_work() {
	cat >work.sql <<-'END'
		create table t(a integer primary key, b text, c real);
		with recursive n(i) as (select 1 union all select i+1 from n where i<60000)
			insert into t select i, 'row '||i, i*1.5 from n;
		create index tb on t(b);
		select count(*), sum(c), max(b) from t where b like 'row 1%';
		select substr(b,1,5) k, count(*), avg(c) from t group by k order by 2 desc limit 5;
		update t set c=c+1 where a%7=0;
		delete from t where a%11=0;
		create virtual table f using fts5(x);
		insert into f select b from t limit 5000;
		select count(*) from f where f match 'row';
		pragma integrity_check;
	END
}
