# The histogram has solve() alone, and calls are from elsewhere, too.
text 0x401000 0x100
sym _start 0x401000
sym main 0x401020
sym solve 0x401040
sym step 0x401080
sym mix 0x4010a0
sym etext 0x401100 notype
profile
hist 0x401040 0x401080 16 100
tick solve 20
tick solve+8 12
arc main+4 solve 10
arc solve+8 step 1000
arc step+4 mix 2000
