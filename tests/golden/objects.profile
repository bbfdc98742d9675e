# Calls and ticks of a program and its libraries: between all pairs of them, from outside, in two
# libraries of one name, in code of no file, and of unknown place.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym shade 0x401060
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick main 6
tick shade 30
arc main shade 10
arc _start main 1
module prog 0x401000 0x401200 0 program
module /lib/libshape.so 0x70000000 0x70100000 0x70000000
module /lib/libc.so.6 0x70200000 0x70300000 0x70200000
module /opt/libc.so.6 0x70400000 0x70500000 0x70400000
call /lib/libc.so.6:0x100 main 1
call main+4 shade 10
call main+8 /lib/libshape.so:0x100 2000
call /lib/libshape.so:0x120 /lib/libshape.so:0x200 2000
call /lib/libshape.so:0x120 shade 5
outside /lib/libshape.so:0x104 40
outside /lib/libc.so.6:0x300 5
outside /opt/libc.so.6:0x300 5
outside -:0x12345 3
outside -:0 2
