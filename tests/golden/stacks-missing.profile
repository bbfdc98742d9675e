# Call stacks that lack something: their inner end, their middle, all; and the recorder on some, and at the end of others.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym walk 0x401060
sym visit 0x4010a0
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick walk 60
tick visit 20
arc _start main 1
arc main walk 1
arc walk walk 5000
arc walk visit 10
module prog 0x401000 0x401200 0 program
module /lib/libc.so.6 0x70200000 0x70300000 0x70200000
module /usr/lib/libgmon.so 0x70400000 0x70500000 0x70400000 recorder
thread 100 prog 1000000000
stack 20 _start /lib/libc.so.6:0x100 main walk walk visit
stack 30 cut _start /lib/libc.so.6:0x100 main walk walk
stack 10 cut _start /lib/libc.so.6:0x100 main -:1 walk visit
stack 5 cut
stack 15
stack 7 _start /lib/libc.so.6:0x100 main walk libgmon.so:0x40
stack 2 _start /lib/libc.so.6:0x100 main libgmon.so:0x80 /lib/libc.so.6:0x200
thread 101 worker 200000000
stack 18 /lib/libc.so.6:0x80 libgmon.so:0x100 walk visit
stack 2
