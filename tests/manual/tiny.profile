# The smallest file with a record of each kind but basic blocks.
text 0x401000 0x10
sym main 0x401000
sym etext 0x401010 notype
profile
hist 0x401000 0x401010 4 100
bin 1 3
arc main+4 main 1
