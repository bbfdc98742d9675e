# Who woke whom: conditions and a barrier, which have no owners, beside a lock; a waker that is not known; and waits that
# had not ended, of which the guess in the records is not told.
text 0x401000 0x100
section .data 0x402000 0x100 data
sym main 0x401000
sym serve 0x401020
sym flush 0x401040
sym audit 0x401060
sym etext 0x401080 notype
sym ledger 0x402000 object size 0x40
sym idle 0x402040 object size 0x30
sym all 0x402070 object size 0x20
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
stack 8000000 main serve libc.so.6:0x11000 -:4096+202
kind blame
stack 500000 main flush
hold 500000 ledger main serve libc.so.6:0x11000 -:4096+202 by main flush
hold 1500000 idle waker main serve libc.so.6:0x11000 -:4096+202 by main flush
hold 250000 all waker main audit libc.so.6:0x11000 -:4096+202 by main serve
hold 150000 all waker main audit libc.so.6:0x11000 -:4096+202 by
hold 4000000 idle unwoken main serve libc.so.6:0x11000 -:4096+202 by main flush
hold 1000000 idle unwoken main serve libc.so.6:0x11000 -:4096+202 by main audit
hold 600000 -:0x7f002000 unwoken main audit libc.so.6:0x11000 -:4096+202 by main flush
