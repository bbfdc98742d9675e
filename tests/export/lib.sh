# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the tests of single formats: profiles to export, each made as a.out and gmon.out in the current
# directory.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"
evidence='err said'

# Names of golden profiles that any format can write, with what is rare in them left aside, and call stacks.
golden_names() {
	for golden in "$srcdir"/tests/golden/*.profile; do
		case $golden in */load-alias.profile) continue ;; esac # it does not fit without its option
		grep -q '^profile [a-z]\|^stack' "$golden" || basename "$golden" .profile
	done
}

# golden_totals NAME: ticks and calls of its first data file and, if what was sampled is time, nanoseconds.
golden_totals() {
	case $1 in
	# Ticks and calls of what is no function, or a function of the profiler
	counts) echo 7 8589935653 70000000 ;;
	last-section) echo 15 9 150000000 ;;
	profiler) echo 18 9 180000000 ;;
	*) awk '/^profile/ { files++ }
		files != 1 { next }
		$1 == "hist" { period = $5 > 0 && $6 == "" ? 1e9 / $5 : 0 }
		$1 == "tick" || $1 == "bin" { ticks += $3 }
		$1 == "arc" { calls += $4 }
		END { printf "%.0f %.0f", ticks, calls; if (period || !ticks) printf " %.0f", ticks * period; print "" }' \
		"$srcdir/tests/golden/$1.profile" ;;
	esac
}

# Functions with the names of the calls and ticks 1, 2, 3 ...: quotes, commas, lines, blanks, what HTML, formats of
# graphs and terminals obey, bytes that are no UTF-8, a name in C++ of 3,000 columns, another that is no ASCII.
make_hostile() {
	wide=$(printf 'gr\303\266\303\237e')
	long=_Z1fI4PairIS0_IS0_IS0_IS0_IS0_IS0_IicES1_ES2_ES3_ES4_ES5_ES6_EEvPT_
	make_profile <<-END
		text 0x401000 0x200
		sym main 0x401000
		sym HOSTILE1= 0x401020
		sym HOSTILE2= 0x401040
		sym HOSTILE3= 0x401060
		sym HOSTILE4= 0x401080
		sym HOSTILE5= 0x4010a0
		sym HOSTILE6= 0x4010c0
		sym $long 0x4010e0
		sym $wide 0x401100
		sym same 0x401120 local
		sym same 0x401140 local
		profile
		hist 0x401000 0x401200 128 100
		tick HOSTILE1= 1
		tick HOSTILE2= 2
		tick HOSTILE3= 3
		tick HOSTILE4= 4
		tick HOSTILE5= 5
		tick HOSTILE6= 6
		tick $long 7
		tick $wide 8
		tick 0x401120 9
		tick 0x401140 10
		arc main HOSTILE1= 1
		arc main HOSTILE2= 2
		arc main HOSTILE3= 3
		arc main HOSTILE4= 4
		arc main HOSTILE5= 5
		arc main HOSTILE6= 6
		arc main $long 7
		arc $long $wide 8
		arc main 0x401120 9
		arc $long 0x401140 10
	END
	sed 's/HOSTILE1=/a,b "q" x/; s/HOSTILE2=/two\nlines/; s/HOSTILE3=/<a>\&\\;|$./; s/HOSTILE4=/\o377\o300\o257x\o355\o240\o200 =/
		s/HOSTILE5=/\t\o33[31mab\o177/; s/HOSTILE6=/{"%n":\x27}\//' a.out >changed || exit 99
	mv changed a.out
}

# Time, calls, a cycle, and names that are markup in HTML, JSON or XML.
make_markup() {
	long=_Z$(awk 'BEGIN {
		name = "N2ns"
		for (i = 0; i < 150; i++)
			name = name "26SomeClassOfThisLibrary_" sprintf("%03d", i)
		print name
	}')4lastEi
	sed "s/LONG/$long/" >hostile.profile <<-'END'
		text 0x401000 0x260
		sym main 0x401000
		sym work 0x401040
		sym leaf 0x401080
		sym ping 0x4010c0
		sym pong 0x401100
		sym <script>window.pwned=1</script> 0x401140
		sym </script><x>a&amp;b</x> 0x401180
		sym "quotes"'and'&<!-- 0x4011c0
		sym ]]><x/>${window.pwned=1}&lt; 0x401200
		sym <img/src=x/onerror=pwned=1> 0x401220
		sym LONG 0x401230
		sym idle 0x401250
		profile
		hist 0x401000 0x401260 38 100
		tick work 17
		tick leaf 25
		tick ping 3
		tick pong 9
		tick 0x401140 4
		tick 0x401180 3
		tick 0x4011c0 2
		tick 0x401200 1
		tick 0x401220 1
		tick LONG 1
		arc main work 3
		arc main ping 2
		arc work leaf 40
		arc ping pong 8
		arc pong ping 7
		arc pong leaf 5
		arc work 0x401140 6
		arc work 0x401180 5
		arc work 0x4011c0 4
		arc work 0x401200 2
		arc main 0x401220 1
		arc main idle 1
	END
	make_profile hostile.profile
}

# A cycle with a member that is not listed, for it is of the profiler.
make_half_cycle() {
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym work 0x401020
		sym mcount 0x401040
		profile
		hist 0x401000 0x401080 32 100
		tick work 3
		arc main work 2
		arc work mcount 5
		arc mcount work 4
	END
}

# The program hot and its profile, with source text in lines/hot.c, where step() is inlined into work(). Fails if it
# cannot be run here.
make_lines() {
	mkdir lines
	cat >lines/hot.c <<-'END'
		static inline int step(int x)
		{
			for (int i = 0; i < 300; i++)
				x = x * 1103515245 + (x % 7);
			return x;
		}

		__attribute__((noinline)) int work(int x)
		{
			for (int i = 0; i < 300; i++)
				x = x / 3 + i;
			return step(x);
		}

		int main(void)
		{
			int x = 1;
			for (int i = 0; i < 200000; i++)
				x = work(x);
			return x == 42;
		}
	END
	"$CC" -pg -g -O1 -o hot lines/hot.c 2>said && ./hot
}

# A program all of whose work is inlined, into main and into what main calls. Fails if there can be none.
make_inlined() {
	cat >mixed.h <<-'END'
		static inline __attribute__((always_inline)) unsigned mixed(unsigned x)
		{
			for (int i = 0; i < 60; i++)
				x = x * 1103515245 + (x % 7);
			return x;
		}
	END
	cat >all.c <<-'END'
		#include "mixed.h"

		static inline __attribute__((always_inline)) unsigned outer(unsigned x)
		{
			for (int i = 0; i < 40; i++)
				x = x / 3 + i;
			return mixed(x) + mixed(x ^ 1);
		}

		__attribute__((noinline)) unsigned leaf(unsigned x)
		{
			for (int i = 0; i < 40; i++)
				x = x / 5 + i;
			return x;
		}

		static inline __attribute__((always_inline)) unsigned caller(unsigned x)
		{
			return leaf(x) + leaf(x + 1);
		}

		__attribute__((noinline)) unsigned work(unsigned x)
		{
			return outer(x) + caller(x);
		}

		/* Nobody counts its calls, and nearly all of its time is that of what was inlined. */
		static __attribute__((noinline, no_instrument_function)) unsigned hidden(unsigned x)
		{
			return mixed(x);
		}

		int main(void)
		{
			unsigned x = 1;

			for (int i = 0; i < 640000; i++)
				x = work(x) + mixed(x) + outer(x) + (i % 8 ? 0 : hidden(x));
			return x == 42;
		}
	END
	"$CC" -pg -g -O1 -fno-pie -no-pie -o a.out all.c "$builddir/libgmon.a" 2>said &&
		GMON=stacks,rate=250 ./a.out && [ -s gmon.out ] && [ -s gmon.out.ext ]
}

# Neither samples nor calls.
make_empty() {
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		profile
		hist 0x401000 0x401080 32 100
	END
}

# le BYTES NUMBER...: binary numbers, the low byte first. ffff... is written as -1.
le() {
	size=$1
	shift
	for number; do
		i=0
		while [ $i -lt "$size" ]; do
			# shellcheck disable=SC2059 # the format is the byte
			printf "\\$(printf %o $((number >> (8 * i) & 255)))"
			i=$((i + 1))
		done
	done
}

# Counts of calls of 2^64-1, as only gmon.out.live can have them.
make_saturated() {
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym work 0x401020
		sym leaf 0x401040
		profile
	END
	{
		printf gmonlive
		le 4 1 8
		le 8 100 0 $((0x401000)) $((0x401080)) $((0x401000))
		head -c $((65536 - 56)) /dev/zero
		# The head of a block of cells, and the cells
		le 8 $((65536 * 2))
		le 4 1 1
		le 8 $((65536 * 2 - 64 - 32)) 0 0 65536 0 0
		le 8 $((0x401005)) $((0x401020)) -1
		le 8 0
		le 8 $((0x401025)) $((0x401040)) -1
		le 8 0
		le 8 $((0x401026)) $((0x401020)) 5
		le 8 0
		head -c $((65536 * 2 - 64 - 96)) /dev/zero
	} >gmon.out
}

# said_line LINE: it is in said.
said_line() {
	grep -qxF -e "$1" said
}
