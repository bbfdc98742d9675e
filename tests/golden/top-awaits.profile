# For which sorts of descriptors threads waited: beside the system call, its leaf has 4096 times the sort, here from file
# to device; and what has no call. These calls have the same number on all machines.
text 0x401000 0x100
sym main 0x401000
sym load 0x401020
sym talk 0x401040
sym etext 0x401060 notype
profile
hist 0x401000 0x401100 64 100
module a.out 0x401000 0x401100 0 program
module /lib/libc.so.6 0x10000 0x20000 0
kind cpu 100 seconds s
kind off-cpu 1000000 seconds s
thread 10 main 160000000 16 16 0 2200000000
kind cpu
stack 16 main load
kind off-cpu
stack 900000 main load libc.so.6:0x11000 -:12288+441
stack 500000 main talk libc.so.6:0x12000 -:20480+441
stack 400000 main talk+4 libc.so.6:0x12000 -:8192+437
stack 300000 main talk+8 libc.so.6:0x12000 -:16384+437
stack 200000 main load+8 libc.so.6:0x12000 -:24576+437
stack 90000 main load+8 libc.so.6:0x12000 -:28672+437
stack 80000 main load+8 libc.so.6:0x12000 -:32768+437
stack 70000 main load+8 libc.so.6:0x12000 -:4096+4095
