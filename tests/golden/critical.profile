# The critical path beside waiting: the first screen has its functions, libraries' time being that of who calls them; the
# waker of a condition is guessed, and waiting at the end of the path is the system call's; above
# it, -:2 says that no thread ran.
text 0x401000 0x100
sym main 0x401000
sym serve 0x401020
sym parse 0x401040
sym compress 0x401060
sym etext 0x401080 notype
profile
hist 0x401000 0x401100 64 100
module a.out 0x401000 0x401100 0 program
module /lib/libc.so.6 0x10000 0x20000 0
kind cpu 100 seconds s
kind off-cpu 1000000 seconds s
kind elapsed 1000000 seconds s
kind critical 1000000 seconds s
thread 10 main 400000000 40 40 0 2000000000
kind cpu
stack 40 main parse
kind off-cpu
stack 1600000 main serve libc.so.6:0x11000 -:4096+449
kind elapsed
stack 300000 main parse
stack 200000 -:2 main serve libc.so.6:0x11000 -:4096+449
kind critical
stack 400000 main parse
stack 200000 -:2 main serve libc.so.6:0x11000 -:4096+449
thread 11 worker 1400000000 140 140 0 2000000000
kind cpu
stack 120 compress
stack 20 compress libc.so.6:0x12000
kind elapsed
stack 1500000 compress
kind critical
stack 1000000 compress
stack 400000 guessed compress libc.so.6:0x12000
