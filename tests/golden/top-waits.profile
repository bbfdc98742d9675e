# Threads that waited for longer than they ran: the screen begins with what for. What is known of a futex is in the names
# of the functions above it; of libraries without a file, there are none.
text 0x401000 0x100
sym main 0x401000
sym query_database 0x401020
sym read_disk 0x401040
sym compute 0x401060
sym etext 0x401080 notype
profile
hist 0x401000 0x401100 64 100
module a.out 0x401000 0x401100 0 program
module /lib/libc.so.6 0x10000 0x20000 0
kind cpu 100 seconds s
kind off-cpu 1000000 seconds s
thread 10 main 160000000 16 16 0 2200000000
thread 11 worker 0 0 0 0 2200000000
kind cpu
stack 16 main compute
kind off-cpu
stack 900000 main query_database+4 libc.so.6:0x11000 -:4096+449
stack 500000 main query_database+8 libc.so.6:0x12000 -:4096+441
stack 200000 main read_disk libc.so.6:0x13000 -:4096+437
stack 300000 libc.so.6:0x15000 -:4096+449
