# Recorded call stacks: a costly and a cheap call of one function, a library, recursion, threads,
# and stacks that are guessed, broken and nothing at all.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym cheap 0x401060
sym costly 0x4010a0
sym leaf 0x4010e0
sym fact 0x401120
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick leaf 1179
tick costly 1
arc _start main 1
arc main cheap 10
arc main costly 10
arc cheap leaf 10
arc costly leaf 10
arc _start fact 3
module prog 0x401000 0x401200 0 program
module /lib/libm.so.6 0x70000000 0x70100000 0x70000000
module /lib/libc.so.6 0x70200000 0x70300000 0x70200000
thread 100 prog 11800000000
stack 1174 _start /lib/libc.so.6:0x100 main costly leaf
stack 5 _start /lib/libc.so.6:0x100 main cheap leaf
stack 20 _start /lib/libc.so.6:0x100 main cheap /lib/libm.so.6:0x55 /lib/libm.so.6:0x66
stack 1 guessed _start /lib/libc.so.6:0x100 main costly
thread 101 worker 100000000
stack 3 broken fact fact fact
stack 1 broken
stack 5 /lib/libc.so.6:0x100 fact fact fact leaf
stack 2 /lib/libc.so.6:0x100 fact fact
