# Waiting of which a part is by chance: a thread that waits in two places, and one that always waits in the same.
text 0x401000 0x200
sym main 0x401000
sym read_record 0x401040
sym flush 0x401080
sym worker 0x4010c0
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick main 20
module a.out 0x401000 0x401200 0 program
kind cpu 100 seconds s
kind off-cpu 1000000 seconds s
thread 10 main 200000000 20 20 100000000 4000000000
kind cpu
stack 20 main
kind off-cpu
# epoll_pwait2 and io_uring_register: 40 and 10 looks of 0.05 s
stack 2000000 main read_record -:4096+441
stack 500000 main flush -:4096+427
square 100000000000 main read_record -:4096+441
square 25000000000 main flush -:4096+427
thread 11 worker 0 0 0 0 4000000000
kind off-cpu
stack 1500000 worker -:4096+449
square 60000000000 worker -:4096+449
