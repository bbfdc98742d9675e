# Time of threads that ended before a sample told which they are is in a record of its own, without number and name.
text 0x401000 0x100
sym main 0x401000
sym leaf 0x401040
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 100
tick leaf 20
module prog 0x401000 0x401100 0 program
thread 0
stack 3 broken
thread 100 prog 120000000
stack 12 main leaf
thread 101 worker 50000000
stack 5 leaf
