# Profiles that are only a header, or whose records hold nothing.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym etext 0x401060 notype
profile
profile
hist 0x401000 0x401060 24 100
profile
hist 0x401000 0x401060 24 100
arc main work 0
profile
arc 0x10 0x20 5
hist 0x401000 0x401060 24 100
