# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2016,SC2034
# The rows of bench.sh. Of each: what is made (`make', words of mkworkload or of a maker below, in which $n is
# the size), the options, the exponent of GNU gprof (`growth'), the floors measured on the same files, and
# the bars: user=SECONDS, mem=MEGABYTES, bfd= and dw= multiples of a floor, ratio=GNU's time to ours at least,
# exp=exponent, memgrowth=peak memory to that of the size before, adds=SECONDS to the same without these options. A
# size behind a | is left out by -q.

all_bars='exp=1.25'

# c_program N: a real program of N functions, its sources and its profile.
c_program() {
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++) {
			file = sprintf("part%03d.c", i / 1000)
			if (i % 1000 == 0 && i)
				close(last)
			last = file
			printf "int f%05d(int x)\n{\n\tint i, sum = x;\n\n", i >file
			printf "\tfor (i = 0; i < %d; i++) {\n\t\tif (sum & 1)\n", i % 7 + 3 >file
			printf "\t\t\tsum += i * x;\n\t\telse\n\t\t\tsum ^= x + i;\n\t}\n\treturn sum;\n}\n\n" >file
			if (i % 1000 == 999 || i == n - 1) {
				part = int(i / 1000)
				parts = parts sprintf("int part%03d(int);\n", part)
				calls = calls sprintf("\t\tx = part%03d(x);\n", part)
				printf "int part%03d(int x)\n{\n", part >file
				for (k = part * 1000; k <= i; k++)
					printf "\tx += f%05d(x);\n", k >file
				printf "\treturn x;\n}\n" >file
			}
		}
		print parts "int main(int argc, char **argv)\n{\n\tint x = argc, i;\n" >"main.c"
		print "\tfor (i = 0; i < 500; i++) {\n" calls "\t}\n\treturn argv[x == 1] == 0;\n}" >"main.c"
	}'
	printf "%s\n" ./*.c | xargs -P 2 -n 1 "$CC" -g -O0 -pg -c && "$CC" -no-pie -pg ./*.o && ./a.out
	rm ./*.o
}

# named_options N: a workload, and a file of N options -e.
named_options() {
	generate 'tree 100000 rows=1'
	nm a.out | awk -v n="$1" '$3 ~ /part_/ && c++ % 30 == 0 && ++k <= n { print "-e", $3 }' >options
}

# call_stacks N: a program, and its profile with N nodes of call stacks.
call_stacks() {
	"$TOOLS/mkscale" stacks "$1" .
}

row no-dwarf 'no DWARF, 1 arc in all' && {
	make='one $n' floors='bfd demangle walk'
	bars="bfd=3 mem=350 exp=1.1"
	measure_row 5000 10000 100000 '|' 1000000
}
row dwarf 'DWARF, 1 arc in all, sparse histogram' && {
	make='one $n rows=3' growth=1.1 floors='bfd dw demangle walk'
	bars="user=0.7 mem=400 $all_bars"
	measure_row 10000 100000 '|' 1000000
}
row dense 'DWARF, dense histogram, -p' && {
	make='one $n rows=3 dense=1' growth=1.1 options='-b -p' floors='demangle walk'
	bars="user=0.8 mem=400 $all_bars"
	measure_row 10000 100000 '|' 1000000
}
row zeros 'DWARF, all functions printed, -z' && {
	make='one $n rows=3' growth=1.2 options='-b -z'
	bars="$all_bars"
	measure_row 10000 100000 '|' 1000000
}
row tree 'DWARF, 1 arc a function: all in the call graph' && {
	make='tree $n rows=3' growth=1.2 floors='demangle walk'
	bars="mem=400 $all_bars"
	measure_row 10000 100000 '|' 1000000
}
row arcs10 'DWARF, 10 arcs a function, power law' && {
	make='power $n arcs=10 rows=2' growth=1.5 floors=walk
	bars="user=0.5 $all_bars"
	measure_row 3000 30000 '|' 100000
}
row power '10^4 functions, power law; size: arcs' && {
	make='power 10000 arcs=$((n / 10000)) rows=2' growth=1.5 floors=walk
	bars="user=0.35 $all_bars"
	measure_row 100000 300000 '|' 1000000
}
row uniform '10^4 functions, uniform; size: arcs' && {
	make='uniform 10000 arcs=$((n / 10000)) rows=2' growth=1.5
	bars="user=0.35 $all_bars"
	measure_row 100000 300000 '|' 1000000
}
row arcs10M '10^4 functions, power law; size: arcs' && {
	make='power 10000 arcs=$((n / 10000)) rows=2' growth=1.5 floors=walk
	bars="user=2.5 $all_bars"
	measure_row 100000 '|' 1000000 10000000
}
row hub 'one caller of all' && {
	make='hub $n rows=2' growth=2.3
	bars="user=0.3 $all_bars"
	measure_row 3000 10000 '|' 30000 100000
}
row fanin 'one callee of all' && {
	make='fanin $n rows=2' growth=3
	bars="user=0.3 $all_bars"
	measure_row 1000 3000 '|' 30000 100000
}
row chain 'a chain of calls; 8 MiB of stack' && {
	make='chain $n rows=2' growth=2
	bars="user=1.5 $all_bars"
	measure_row 3000 30000 '|' 300000 1000000
}
row chain300k 'a chain of calls; 8 MiB of stack' && {
	make='chain $n rows=2' growth=2
	bars="user=0.5 $all_bars"
	measure_row 100000 '|' 300000
}
row ring 'one cycle, 4 arcs each' && {
	make='ring $n rows=2' growth=2.6
	bars="user=0.15 $all_bars"
	measure_row 1000 3000 '|' 10000 30000
}
row ring1M 'one cycle, 4 arcs each' && {
	make='ring $n rows=2' growth=2.6
	bars="user=2.5 $all_bars"
	measure_row 1000 3000 '|' 100000 1000000
}
row cycles 'small cycles' && {
	make='cycles $n rows=2' growth=1.2
	bars="user=2 mem=500 $all_bars"
	measure_row 10000 100000 '|' 1000000
}
row lines '20,000 functions of 50 lines, -l -p; size: functions' && {
	make='power $n size=400 rows=50' options='-l -b -p' growth=1.5 floors=dw
	bars="user=0.4 dw=3 ratio=50 $all_bars"
	measure_row 1000 3000 '|' 10000 20000
}
row annotated 'a C program, -A; size: functions' && {
	make='$n' maker=c_program options='-b -A' growth=1.7
	bars="user=0.6 $all_bars"
	measure_row 1000 '|' 5000 10000
}
row sum '-s of different files of 20,000 arcs, 10^4 functions; size: files' && {
	make='uniform 10000 arcs=200 share=100 rows=2 files=$n' options='-s a.out 0*' profiles='0*' growth=1.6 floors=walk
	bars="user=0.6 $all_bars"
	measure_row 10 30 '|' 100
}
row sum1000 '-s of different files of 20,000 arcs, 10^4 functions; size: files' && {
	make='uniform 10000 arcs=200 share=100 rows=2 files=$n' options='-s a.out 0*' profiles='0*' growth=1.6 floors=walk
	bars="user=6 memgrowth=1.25 $all_bars"
	measure_row 10 '|' 100 300 1000
}
row sum10000 '-s of files of 2000 arcs, 10^3 functions; size: files' && {
	make='uniform 1000 arcs=200 share=100 rows=2 files=$n' options='-s a.out 0*' profiles='0*' growth=1.6 floors=walk
	bars="user=3 memgrowth=1.25 $all_bars"
	measure_row 10 100 '|' 1000 10000
}
row ranks10000 '--ranks of files of 2000 arcs, 10^3 functions; size: files' && {
	make='uniform 1000 arcs=200 share=100 rows=2 files=$n' options='-b --ranks a.out 0*' profiles='0*' growth=2.2 floors=walk
	bars="user=3 memgrowth=1.25 mem=200 $all_bars"
	measure_row 10 100 '|' 1000 10000
}
row many '-p of many files, 10^3 functions; size: files' && {
	make='uniform 1000 arcs=200 share=100 rows=2 files=$n' options='-b -p a.out 0*' profiles='0*' growth=2.2 floors=walk
	bars="user=0.5 $all_bars"
	measure_row 30 '|' 100 300 1000
}
row excluded 'options -e, 10^5 functions; size: options' && {
	make='$n' maker=named_options options='-b $(cat options)' base=-b growth=1
	bars='adds=0.1'
	measure_row 100 1000
}
row stacks 'call stacks of 64 threads, --inclusive; size: nodes' && {
	make='$n' maker=call_stacks options='-b --inclusive' growth=1
	bars="user=0.8 mem=200 $all_bars"
	measure_row 10000 100000 '|' 1000000
}
row stacks-sum 'call stacks of 64 threads, -s of two files; size: nodes' && {
	make='$n' maker=call_stacks options='-s a.out gmon.out gmon.out' growth=1
	bars="user=0.8 mem=200 $all_bars"
	measure_row 10000 100000 '|' 1000000
}
row tiny 'a program of 1000 functions, 200 pairs' && tiny_row
row pipe 'the report of 10^6 functions through a pipe' && pipe_row
