# As a position-independent program records it with a runtime that does not know where it was loaded.
text 0x401000 0x100
sym _start 0x401000
sym main 0x401020
sym solve 0x401040
sym step 0x401080
sym mix 0x4010a0
sym etext 0x401100 notype
profile
hist 0x601000 0x601100 64 100
tick main+0x200000 1
tick solve+0x200000 20
tick step+0x200000 30
tick mix+0x200000 60
tick mix+8+0x200000 50
arc main+4+0x200000 solve+0x200000 10
arc solve+8+0x200000 step+0x200000 1000
arc step+4+0x200000 mix+0x200000 2000
