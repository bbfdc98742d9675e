# Four functions of 32 bytes in bins of 64, and one of 128 in bins of its own.
text 0x401000 0x180
sym _start 0x401000
sym main 0x401040
sym solve 0x401080
sym step 0x4010a0
sym mix 0x4010c0
sym fold 0x4010e0
sym all 0x401100
sym etext 0x401180 notype
profile
hist 0x401000 0x401180 6 100
tick 0x401080 300
tick 0x4010c0 200
tick 0x401100 400
arc main+4 solve 1000
arc solve+8 step 1000
arc step+4 mix 2000
arc step+8 fold 2000
arc main+8 all 10
