# With -S, -l makes no lines, but a cycle has no entry of its own, and basic blocks count.
text 0x401000 0x80
sym start 0x401000
sym etext 0x401070 notype
profile
hist 0x401000 0x401080 32 100
bin 4 5
bin 12 20
arc 0x401004 0x401020 3
arc 0x401024 0x401040 10
arc 0x401044 0x401020 4
bb 0x401020 3
bb 0x401030 6
