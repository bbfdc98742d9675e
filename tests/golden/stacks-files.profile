# Two recordings with call stacks, and one without: threads, a shared library, each quality, a second kind of ticks.
text 0x401000 0x100
sym main 0x401000
sym cheap 0x401020
sym costly 0x401040
sym leaf 0x401060
profile
hist 0x401000 0x401100 64 100
tick leaf+4 90
tick main 10
arc main+4 cheap 10
arc main+8 costly 10
arc cheap+4 leaf 10
arc costly+4 leaf 10
module a.out 0x401000 0x401100 0 00112233445566778899aabbccddeeff00112233 program
module /lib/libm.so.6 0x70001000 0x70002000 0x70000000 abcdef01
module /lib/libz.so.1 0x71001000 0x71002000 0x71000000 unloaded
thread 100 demo 1000000000
stack 60 main+4 costly+4 leaf+4
stack 10 main+4 libm.so.6:0x1020
thread 101 worker 500000000
stack 30 guessed main+4 cheap+4 leaf+4
stack 2 broken -:0x70001040
stack 1 cut main+4 libz.so.1:0x1000 leaf+4
kind off-cpu 1000000 seconds s
stack 123456 main+4 costly+4
profile
hist 0x401000 0x401100 64 100
tick leaf+4 5
arc main+4 leaf 1
module a.out 0x401000 0x401100 0 00112233445566778899aabbccddeeff00112233 program
module /opt/libm.so.6 0x60001000 0x60002000 0x60000000 abcdef01
stack 4 main+4 leaf+4
stack 1 main+4 libm.so.6:0x1020
profile
hist 0x401000 0x401100 64 100
tick main 1
