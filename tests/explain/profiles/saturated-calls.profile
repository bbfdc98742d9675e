# The count of mix() is full: a C library that counts in 32 bits goes on from zero, others stay there.
text 0x401000 0x100
sym _start 0x401000
sym main 0x401020
sym solve 0x401040
sym step 0x401080
sym mix 0x4010a0
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 100
tick main 1
tick solve 20
tick step 30
tick mix 60
tick mix+8 50
arc main+4 solve 10
arc solve+8 step 1000
arc step+4 mix 4294967295
