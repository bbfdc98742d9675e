# Who waited for whom: variables of the program, with an offset in one; locks without a name, which are told by who first
# waited; a holder and a waiter that are not known; a deadlock of two.
text 0x401000 0x100
section .data 0x402000 0x100 data
sym main 0x401000
sym serve 0x401020
sym flush 0x401040
sym audit 0x401060
sym etext 0x401080 notype
sym ledger 0x402000 object size 0x40
sym journal 0x402040 object size 0x28
profile
hist 0x401000 0x401100 64 100
module a.out 0x401000 0x401100 0 program
module /lib/libc.so.6 0x10000 0x20000 0
kind cpu 100 seconds s
kind off-cpu 1000000 seconds s
kind elapsed 1000000 seconds s
kind critical 1000000 seconds s
kind blame 1000000 seconds s
thread 10 main 400000000 40 40 0 2000000000
kind cpu
stack 40 main flush
kind off-cpu
stack 4000000 main serve libc.so.6:0x11000 -:4096+202
kind blame
stack 3900000 main flush
stack 100000
hold 2500000 ledger main serve libc.so.6:0x11000 -:4096+202 by main flush
hold 500000 ledger+0x20 main audit libc.so.6:0x11000 -:4096+202 by main flush
hold 360000 -:0x7f001000 main serve libc.so.6:0x11000 -:4096+202 by main flush
hold 300000 -:0x7f002000 main serve libc.so.6:0x11000 -:4096+202 by main flush
hold 40000 -:0x7f003000 main audit libc.so.6:0x11000 -:4096+202 by main flush
hold 100000 journal main audit libc.so.6:0x11000 -:4096+202 by
hold 120000 journal deadlock main audit libc.so.6:0x11000 -:4096+202 by main serve libc.so.6:0x11000 -:4096+202
hold 80000 ledger deadlock main serve libc.so.6:0x11000 -:4096+202 by main audit libc.so.6:0x11000 -:4096+202
