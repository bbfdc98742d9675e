# Waiting beside CPU time, and page faults: of a thread that reads, and of two workers, one of which is idle.
text 0x401000 0x200
sym main 0x401000
sym read_record 0x401040
sym parse 0x401080
sym worker 0x4010c0
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick parse 30
tick read_record 10
tick worker 20
arc main read_record 10
arc read_record parse 10
module a.out 0x401000 0x401200 0 program
module /lib/libc.so.6 0x10000 0x20000 0
kind cpu 100 seconds s
kind off-cpu 1000000 seconds s
kind page-faults 1 page-faults p
thread 10 main 400000000 40 40 100000000 4000000000
kind cpu
stack 30 main read_record parse
stack 10 main read_record
kind off-cpu
# epoll_pwait2, futex_waitv; a number that nobody has, and one that is not known
stack 2000000 main read_record libc.so.6:0x11000 -:4096+441
stack 1000000 main read_record libc.so.6:0x11000 -:4096+449
stack 300000 main -:4096+3000
stack 200000 broken -:4096+4095
kind page-faults
stack 500 main read_record
stack 7 main
thread 11 worker 200000000 20 20 0 4000000000
kind cpu
stack 20 worker
kind off-cpu
stack 1500000 worker libc.so.6:0x11000 -:4096+449
thread 12 worker 0 0 0 0 4000000000
kind off-cpu
stack 3900000 worker libc.so.6:0x11000 -:4096+449
# Another run, whose kinds stand in another order.
profile
hist 0x401000 0x401200 128 100
tick parse 10
arc main read_record 10
module a.out 0x401000 0x401200 0 program
kind cpu 100 seconds s
kind page-faults 1 page-faults p
kind off-cpu 1000000 seconds s
thread 20 main 100000000 10 10 0 1000000000
kind cpu
stack 10 main read_record parse
kind page-faults
stack 3 main
kind off-cpu
stack 700000 main -:4096+3000
