# The runtime was started and never recorded.
text 0x401000 0x100
sym _start 0x401000
sym main 0x401020
sym solve 0x401040
sym step 0x401080
sym mix 0x4010a0
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 100
