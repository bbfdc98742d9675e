# Call stacks beside the calls and ticks of libraries: times are from the stacks alone, calls from
# the calls of all objects. A second file has stacks and no calls of libraries, a third neither.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym shade 0x401060
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick main 6
tick shade 30
arc _start main 1
arc main shade 10
module prog 0x401000 0x401200 0 program
module /lib/libshape.so 0x70000000 0x70100000 0x70000000
module /lib/libc.so.6 0x70200000 0x70300000 0x70200000
call /lib/libc.so.6:0x100 main 1
call main+4 shade 10
call main+8 /lib/libshape.so:0x100 2000
call /lib/libshape.so:0x120 shade 5
outside /lib/libshape.so:0x104 40
outside /lib/libc.so.6:0x300 5
thread 100 prog 810000000
stack 6 _start /lib/libc.so.6:0x100 main
stack 30 _start /lib/libc.so.6:0x100 main /lib/libshape.so:0x120 shade
stack 40 _start /lib/libc.so.6:0x100 main /lib/libshape.so:0x104
stack 5 _start /lib/libc.so.6:0x100 main /lib/libc.so.6:0x300
profile
hist 0x401000 0x401200 128 100
tick main 2
arc _start main 1
module prog 0x401000 0x401200 0 program
module /lib/libshape.so 0x70000000 0x70100000 0x70000000
thread 101 prog 40000000
stack 2 _start main
stack 2 _start main /lib/libshape.so:0x104
profile
hist 0x401000 0x401200 128 100
tick main 1
arc _start main 1
