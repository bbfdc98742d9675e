#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The line and the function of each address, by -l, are those that llvm-symbolizer or addr2line tells: at the start of
# every function, where a line begins, and at 20,000 addresses anywhere, of C++ programs.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"

# Two units with functions of one name: of the copies, which are as long, the linker keeps the first. And a function
# that ends with a row without code, which lies right before one that comes earlier in the unit.
make_units() {
	cat >units.h <<-'END'
		static volatile int sum;
		#if UNIT == 2
		#line 700
		#endif
		inline int deep(int n)
		{
			for (int i = 0; i < n; i++)
				sum = sum + i;
			return sum;
		}
		struct shared {
			static int work(int n)
			{
				int s = 0;
				for (int i = 0; i < 3; i++)
					s += deep(n + i);
				return s;
			}
			__attribute__((noinline)) static int outer(int n)
			{
				return work(n) + work(2 * n);
			}
		};
	END
	cat >first.cc <<-'END'
		#define UNIT 1
		#include "units.h"
		int two(int n);
		void stop(int);
		__attribute__((section(".text.hot.next"), noinline)) int next(int n)
		{
			sum = sum + n;
			return n;
		}
		__attribute__((section(".text.startup.last"), noinline)) void last(int n)
		{
			if (n > 1000000) {
				stop(n);
				asm volatile("");
				__builtin_unreachable();
			}
			sum = sum + n;
		}
		int main()
		{
			for (int i = 0; i < 500; i++) {
				last(i);
				next(shared::outer(2000) + two(2000));
			}
		}
	END
	cat >second.cc <<-'END'
		#define UNIT 2
		#include "units.h"
		void stop(int) { __builtin_trap(); }
		int two(int n) { return shared::outer(n); }
	END
}

# list_rows: "ADDRESS r LINE FILE FUNCTION", by address, of all lines that gprof knows.
list_rows() {
	"$GPROF" -b -p -l -z -L --no-demangle a.out gmon.out 2>messages |
		sed -n 's/.* \([^ ]*\) (\(.*\):\([0-9]*\) @ \([0-9a-f]*\))$/\4 r \3 \2 \1/p' |
		awk '{ print substr("0000000000000000", length($1) + 1) $0 }' | sort
}

# list_addresses: those to ask about, of 16 digits.
list_addresses() {
	nm a.out | awk 'NF == 3 && $2 ~ /[tTwW]/ { print $1 }'
	cut -d ' ' -f 1 rows
	readelf -SW a.out | sed -n 's/.* \.text  *PROGBITS  *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/\1 \2/p' >text
	read -r low size <text
	awk -v low=$((0x$low)) -v size=$((0x$size)) 'BEGIN {
		srand(1)
		for (i = 0; i < 20000; i++)
			printf("%016x\n", low + int(rand() * size))
	}'
}

# ask_others PROGRAM: "ADDRESS q LLVM_LINE LLVM_FILE LLVM_FUNCTION LINE FUNCTION", the last two by addr2line; 0 is no line.
ask_others() {
	sed 's/^/0x/' addresses | llvm-symbolizer --no-demangle --output-style=LLVM -e "$1" |
		awk 'BEGIN { RS = ""; FS = "\n" } {
			n = split($2, part, ":")
			print part[n - 1], part[1] == "??" ? "?" : part[1], $1
		}' >llvm
	addr2line -f -e "$1" <addresses | awk 'NR % 2 { name = $1; next } {
		sub(/ .*/, "")
		sub(/.*:/, "")
		print $0 + 0, name
	}' >gnu
	sed 's/$/ q/' addresses | paste -d ' ' - llvm gnu
}

# compare_answers: those where neither agrees with the row.
compare_answers() {
	# A row comes before the questions at its address.
	sed 's/ r / 1 /' rows >all
	sed 's/ q / 2 /' answers >>all
	sort -k 1,1 -k 2,2n all | awk '
		function base(path) { sub(/.*\//, "", path); return path }
		# Constructors and destructors that are one piece of code have several names, and split functions two.
		function plain(name) { gsub(/[CD]I?[0-2]/, "C", name); sub(/\.cold$/, "", name); return name }
		$2 == 1 { line = $3; file = base($4); name = plain($5); next }
		$3 == 0 || $6 == 0 { next }
		{ asked++ }
		(line != $3 && line != $6) || file != base($4) { print "line", $0, "ours:", line, file, name; next }
		name !~ /^_Z/ || $5 !~ /^_Z/ { next }
		name != plain($5) && name != plain($7) { print "function", $0, "ours:", line, file, name }
		END { if (asked < 200) print "asked about", asked + 0 }
	'
}

# check_program DIR WHAT COMPILER ARGUMENT...
check_program() {
	dir=$1
	what=$2
	shift 2
	if ! build "$dir" "$@" || ! (cd "$scratch/$dir" && timeout 60 ./a.out >log 2>&1 && [ -s gmon.out ]); then
		tap_skip "$what" "cannot be built: $(grep -m1 error "$scratch/$dir/log")"
		return
	fi
	(
		cd "$scratch/$dir" || exit
		cp a.out plain
		case $dir in *-zstd) objcopy --compress-debug-sections=zstd plain a.out ;; esac
		list_rows >rows
		list_addresses | sort -u >addresses
		ask_others plain >answers
		compare_answers >wrong
		[ -s rows ] && [ ! -s wrong ]
	)
	tap_check $? "$what"
	tap_note <"$scratch/$dir/wrong"
}

for program in llvm-symbolizer addr2line nm readelf g++; do
	command -v $program >/dev/null || tap_skip_all "no $program (Debian packages llvm, binutils, g++)"
done
make_scratch
cd "$scratch" || exit 99
make_units
programs=$srcdir/tests/programs
for options in '-O0' '-O1 -falign-functions=1' '-O2 -ffunction-sections' '-O2 -gdwarf-4'; do
	name=$(echo "$options" | tr -d ' ')
	# shellcheck disable=SC2086 # several options
	{
		check_program "units${name#-}" "two units, $options" \
			g++ -g -pg -fno-pie -no-pie $options "$scratch/first.cc" "$scratch/second.cc"
		check_program "inventory$name" "inventory, $options" g++ -g -pg -fno-pie -no-pie $options "$programs/inventory.cc"
		check_program "templates$name" "templates, $options" g++ -g -pg -fno-pie -no-pie $options "$programs/templates.cc"
	}
done
if objcopy --compress-debug-sections=zstd unitsO0/plain packed 2>/dev/null; then
	check_program units-zstd 'two units, compressed with zstd' \
		g++ -g -pg -fno-pie -no-pie -O1 "$scratch/first.cc" "$scratch/second.cc"
	check_program inventory-zstd 'inventory, compressed with zstd' g++ -g -pg -fno-pie -no-pie "$programs/inventory.cc"
else
	tap_skip 'compressed with zstd' 'objcopy cannot'
fi
tap_done
