# A thread that works and then waits for a lock, and one of a pool, which waits all the time; in slices of a half second.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym work 0x401060
sym lock 0x4010a0
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick work 100
module prog 0x401000 0x401200 0 program
thread 4711 shop 1000000000 100 100 0 2000000000
timeline 1790000000000000000 500000000 4
kind cpu 100 seconds s
stack 100 _start main work
slice 0 50
slice 1 50
kind off-cpu 1000000 seconds s
stack 900000 _start main lock -:8191
slice 2 400000
slice 3 500000
stack 100000 _start main work -:8191
slice 2 100000
square 10000000000 _start main lock -:8191
square 250000000 _start main work -:8191
thread 4712 pool 0 0 0 0 2000000000
kind off-cpu
stack 2000000 _start main lock -:8191
slice 0 500000
slice 1 500000
slice 2 500000
slice 3 500000
square 1000000 _start main lock -:8191
