# A server of which one function has a lock most of the time.
text 0x401000 0x100
section .data 0x402000 0x100 data
sym main 0x401000
sym serve 0x401020
sym flush 0x401040
sym audit 0x401060
sym etext 0x401080 notype
sym journal 0x402000 object size 0x40
profile
hist 0x401000 0x401100 64 100
module a.out 0x401000 0x401100 0 program
module /lib/libc.so.6 0x10000 0x20000 0
kind cpu 100 seconds s
kind off-cpu 1000000 seconds s
kind elapsed 1000000 seconds s
kind critical 1000000 seconds s
kind blame 1000000 seconds s
thread 10 server 4000000000 400 400 0 9000000000
kind cpu
stack 400 main flush
kind off-cpu
stack 4200000 main serve libc.so.6:0x11000 -:4096+202
kind blame
stack 4000000 main flush
stack 200000
hold 3500000 journal main serve libc.so.6:0x11000 -:4096+202 by main flush
hold 500000 -:0x7f0000001000 main audit libc.so.6:0x11000 -:4096+202 by main flush
hold 200000 journal+0x10 main serve libc.so.6:0x11000 -:4096+202 by
