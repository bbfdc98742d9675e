# More places of waiting than the screen has lines: the threads that libraries have for themselves come last, but not in
# place of nothing, as they have most of the time.
text 0x401000 0x200
sym main 0x401000
sym accept_all 0x401020
sym parse 0x401040
sym store 0x401060
sym flush 0x401080
sym log_line 0x4010a0
sym compute 0x4010c0
sym etext 0x4010e0 notype
profile
hist 0x401000 0x401200 128 100
module a.out 0x401000 0x401200 0 program
module /lib/libc.so.6 0x10000 0x20000 0
kind cpu 100 seconds s
kind off-cpu 1000000 seconds s
thread 10 main 160000000 16 16 0 2200000000
thread 11 worker 0 0 0 0 2200000000
kind cpu
stack 16 main compute
kind off-cpu
stack 500000 main accept_all libc.so.6:0x12000 -:4096+441
stack 400000 main parse libc.so.6:0x13000 -:4096+437
stack 300000 main store libc.so.6:0x13000 -:4096+437
stack 200000 main flush libc.so.6:0x13000 -:4096+437
stack 100000 main log_line libc.so.6:0x13000 -:4096+437
stack 1500000 libc.so.6:0x15000 -:4096+449
