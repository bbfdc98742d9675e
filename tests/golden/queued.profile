# A thread that could have run for longer than it ran and waited: the head tells, so that nobody looks for the rest.
text 0x401000 0x100
sym main 0x401000
sym relax 0x401040
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 100
tick relax 90
arc main relax 1
module a.out 0x401000 0x401100 0 program
module /lib/libc.so.6 0x10000 0x20000 0
kind cpu 100 seconds s
kind off-cpu 1000000 seconds s
thread 10 main 900000000 90 90 3700000000 4840000000
kind cpu
stack 90 main relax
kind off-cpu
stack 240000 main libc.so.6:0x11000 -:4096+449
