# Specifications that match nothing.
text 0x401000 0x80
sym main 0x401000
sym compute 0x401020
sym etext 0x401040 notype
profile
hist 0x401000 0x401040 16 100
tick main 1
tick compute 2
arc main compute 4
