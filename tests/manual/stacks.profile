# A program whose calls of one function differ in cost, with a library, two threads and call stacks.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym cheap 0x401060
sym costly 0x4010a0
sym leaf 0x4010e0
sym worker 0x401120
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick leaf 1179
tick costly 2
tick worker 60
arc _start main 1
arc main cheap 10
arc main costly 10
arc cheap leaf 10
arc costly leaf 10
module prog 0x401000 0x401200 0 program
module /lib/libm.so.6 0x70000000 0x70100000 0x70000000
module /lib/libc.so.6 0x70200000 0x70300000 0x70200000
thread 4711 shop 12010000000
stack 1173 _start /lib/libc.so.6:0x100 main costly leaf
stack 2 guessed _start /lib/libc.so.6:0x100 main costly
stack 6 _start /lib/libc.so.6:0x100 main cheap leaf
stack 20 _start /lib/libc.so.6:0x100 main cheap /lib/libm.so.6:0x55 /lib/libm.so.6:0x66
thread 4712 worker 610000000
stack 60 /lib/libc.so.6:0x100 worker
stack 1 broken worker
